"""One answer against its query: the paper's four measures, and sturdier ones beside them (paper 001, section II-D).

Deviations from the paper, whose code is not published: keywords are matched as whole words ("no" is not in "know"),
abstentions are found by :func:`ragstone.text.abstention.is_abstention`, and an answer that abstains or has no content
words claims nothing, so it is never counted as unsupported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragstone.attacks.passages import content_words
from ragstone.datasets.sweep_queries import FeverLabel, SweepQuery
from ragstone.experiments.sweep.values import (
    Kind,
    Value,
    dates_of,
    denies,
    entities_of,
    has_phrase,
    is_negated,
    quantities_of,
    states,
)
from ragstone.text.abstention import is_abstention
from ragstone.text.entities import EntityKind

__all__ = [
    "UNSUPPORTED_BELOW",
    "AnswerScore",
    "content_overlap",
    "keyword_present",
    "polarity",
    "score_answer",
    "states_reference",
]

UNSUPPORTED_BELOW = 0.30
_LEADING = re.compile(r"\W*(?:(?:the )?answer(?: is)?\W+)?(?P<word>yes|no)\b", re.IGNORECASE)
_RESTATES = 0.6
Polarity = Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """``keyword`` is the paper's accuracy; ``correct`` and ``verdict`` are the normalised and FEVER-style ones.

    ``verdict`` is what the answer says of the query's claim. ``overlap`` is the share of the answer's content words
    that stand in the passages, in [0, 1]; None where it has none.
    """

    keyword: bool
    correct: bool
    abstained: bool
    overlap: float | None
    unsupported: bool
    verdict: FeverLabel
    right_verdict: bool


def score_answer(answer: str, query: SweepQuery, passages: Sequence[str]) -> AnswerScore:
    """``passages`` are the texts that the answer was given from. A blank answer scores nothing."""
    abstained = is_abstention(answer)
    overlap = content_overlap(answer, passages)
    verdict = _verdict(answer, query, abstained=abstained)
    return AnswerScore(
        keyword=keyword_present(answer, query),
        correct=not abstained and states_reference(answer, query),
        abstained=abstained,
        overlap=overlap,
        unsupported=not abstained and overlap is not None and overlap < UNSUPPORTED_BELOW,
        verdict=verdict,
        right_verdict=verdict == query.label,
    )


def keyword_present(answer: str, query: SweepQuery) -> bool:
    """The paper's label: the keyword stands in the answer, whatever is said of it."""
    return has_phrase(answer, query.keyword)


def content_overlap(answer: str, passages: Sequence[str]) -> float | None:
    """Equation 3: the share of the answer's content words that stand in any passage; None without content words."""
    words = content_words(answer)
    if not words:
        return None
    known = frozenset[str]().union(*(content_words(passage) for passage in passages))
    return len(words & known) / len(words)


def states_reference(answer: str, query: SweepQuery) -> bool:
    """Whether the answer states a reference or an alias without denying it; for yes / no, whether it says the right."""
    if query.type == "yes_no":
        return polarity(answer, query) == query.references[0]
    return any(states(answer, value) for value in _values(query.accepted))


def polarity(answer: str, query: SweepQuery) -> Polarity | None:
    """What an answer to a yes / no query says: by its first word, by an alias that it states, or by restating the claim
    with or without a negation. None when it says neither."""
    if leading := _LEADING.match(answer):
        return "yes" if leading["word"].lower() == "yes" else "no"
    if any(states(answer, value) for value in _values(query.aliases)):
        return "yes" if query.label == "SUPPORTS" else "no"
    claimed = content_words(query.claim)
    numbers = quantities_of(query.claim)
    told = all(states(answer, Value(query.claim[n.start : n.end], Kind.NUMBER)) or is_negated(answer) for n in numbers)
    if not claimed or len(claimed & content_words(answer)) < _RESTATES * len(claimed) or not told:
        return None
    return "no" if is_negated(answer) else "yes"


def _verdict(answer: str, query: SweepQuery, *, abstained: bool) -> FeverLabel:
    if abstained or not answer.strip():
        return "NOT ENOUGH INFO"
    if query.type == "yes_no":
        said = polarity(answer, query)
        return "NOT ENOUGH INFO" if said is None else "SUPPORTS" if said == "yes" else "REFUTES"
    if states_reference(answer, query):
        return "SUPPORTS"
    denied = any(denies(answer, value) for value in _values(query.accepted))
    return "REFUTES" if denied or _states_another(answer, query) else "NOT ENOUGH INFO"


def _states_another(answer: str, query: SweepQuery) -> bool:
    """Whether the answer has a date, number or name, whichever is asked for, that the question does not hold."""
    asked = query.question
    if query.type == "date":
        return any(date.key not in {other.key for other in dates_of(asked)} for date in dates_of(answer))
    if query.type == "count":
        known = {other.base_value for other in quantities_of(asked)}
        return any(quantity.base_value not in known for quantity in quantities_of(answer))
    keys = {entity.key for entity in entities_of(asked)}
    return any(e.kind is not EntityKind.DATE and e.key not in keys for e in entities_of(answer))


def _values(spellings: Sequence[str]) -> list[Value]:
    return [Value.of(spelling) for spelling in spellings]
