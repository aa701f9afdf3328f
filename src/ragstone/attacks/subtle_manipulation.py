"""Subtle manipulation: obligations, frequencies, bounds and certainty are weakened by a word or two.

Source: paper 000, section IV ("false qualifiers/hedging"); the text stays as it is but for these words, nothing is
appended as a sentence of its own. Deviation: the code released with the paper swaps one entity or appends a sentence,
which its text does not say.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ragstone.attacks.base import Edit, Poisoned, changed, unchanged
from ragstone.attacks.passages import passage_parts, rank_statements
from ragstone.attacks.predicates import Kind, Token, find_predicate, tokens_of
from ragstone.text.lexicon import read_rows
from ragstone.text.number_words import NUMBER_WORDS
from ragstone.text.sentences import Span

__all__ = ["SubtleManipulation", "hedge", "weaken"]

_HEDGES = ("reportedly", "allegedly", "supposedly", "arguably")
_FREQUENCIES = ("sometimes", "usually", "often")
_TAILS = (
    " in most cases",
    " under certain conditions",
    ", although exceptions are common",
    ", at least according to some sources",
    ", with some notable exceptions",
)
_NUMBER = re.compile(rf" (?:\d|(?:{'|'.join(NUMBER_WORDS)})\b)", re.IGNORECASE)
_END = re.compile(r"\s*[.!…]?[\"'”’)]*\s*$")


@dataclass(frozen=True, slots=True)
class SubtleManipulation:
    """``most`` is how many places to change, in the statements nearest to the question first."""

    name: str = "subtle_manipulation"
    most: int = 2

    def poison(self, text: str, *, rng: random.Random, question: str | None = None) -> Poisoned:
        parts = passage_parts(text, question)
        ranked = rank_statements(parts, question, rng)
        edits: list[Edit] = []
        for span in ranked:
            edits += [_moved(edit, span) for edit in weaken(span.text, rng)][: self.most - len(edits)]
        for span in ranked[:1] if not edits else []:
            edits += [_moved(edit, span) for edit in hedge(span.text, rng)]
        if not edits:
            return unchanged(self.name, text, "no statement to weaken")
        return changed(self.name, text, edits)


def weaken(sentence: str, rng: random.Random) -> list[Edit]:
    """The edits that weaken the modal verbs, quantifiers and bounds of ``sentence``, in order."""
    edits: list[Edit] = []
    taken = bytearray(len(sentence))
    for pattern, replacements in _qualifiers():
        for match in pattern.finditer(sentence):
            start, end = match.span()
            if match[0].isupper() and len(match[0]) > 1:
                continue
            if _is_particle(sentence, match) or any(taken[start:end]):
                continue
            taken[start:end] = b"\x01" * (end - start)
            edits.append(Edit(start, end, match[0], _filled(match[0], rng.choice(replacements))))
    return sorted(edits, key=lambda edit: edit.start)


def hedge(sentence: str, rng: random.Random) -> list[Edit]:
    """A hedge at the main verb; where there is none, a false exception at the end; none for what is no sentence."""
    tokens = tokens_of(sentence)
    predicate = find_predicate(tokens)
    if predicate is None or predicate.kind == Kind.INSTRUCTION or _has_adverb(tokens, predicate.index):
        end = _END.search(sentence)
        if len(tokens) < 3 or end is None:
            return []
        return [Edit(end.start(), end.start(), "", rng.choice(_TAILS))]
    token = tokens[predicate.index]
    if predicate.kind != Kind.AUXILIARY:
        return [Edit(token.start, token.start, "", f"{rng.choice(_HEDGES[:3])} ")]
    following = tokens[predicate.index + 1].lower if predicate.index + 1 < len(tokens) else ""
    lasting = token.lower in ("was", "were", "had") or following in ("a", "an", "the", "not")
    return [Edit(token.end, token.end, "", f" {rng.choice(_HEDGES if lasting else _HEDGES + _FREQUENCIES)}")]


def _has_adverb(tokens: Sequence[Token], index: int) -> bool:
    beside = [token.lower for token in (*tokens[max(0, index - 1) : index], *tokens[index + 1 : index + 2])]
    return any(word.endswith("ly") or word in (*_FREQUENCIES, "also", "never", "always") for word in beside)


@cache
def _qualifiers() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    rows = read_rows("attacks/qualifiers.tsv")
    return tuple((re.compile(rf"\b(?:{row[0]})\b(?![-'’])", re.IGNORECASE), tuple(row[1].split("|"))) for row in rows)


def _is_particle(sentence: str, match: re.Match[str]) -> bool:
    """ "No, …" answers; "All" within a title, and "not only", qualify nothing."""
    word, following = match[0].lower(), sentence[match.end() : match.end() + 1]
    if word == "no" and (
        following in (",", ".", ";", ":", "") or sentence[match.end() :].startswith((" one", " longer"))
    ):
        return True
    if word in ("can", "will", "must", "may") and (
        match[0][0].isupper() or sentence[match.end() :].startswith(" only")
    ):
        return True
    if match.start() and match[0][0].isupper():
        return True
    if word in ("only", "all") and _NUMBER.match(sentence, match.end()):
        return True
    return word in ("only", "first") and sentence[: match.start()].lower().endswith(("not ", "the "))


def _filled(written: str, template: str) -> str:
    after = template
    if template.startswith("="):
        after = template[1:].replace(
            "{0}", re.split(r" |n['’]t", written)[0].lower() + ("" if "not" in template else " not")
        )
    return after[:1].upper() + after[1:] if written[0].isupper() else after


def _moved(edit: Edit, span: Span) -> Edit:
    return Edit(edit.start + span.start, edit.end + span.start, edit.before, edit.after)
