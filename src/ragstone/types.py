"""The values that flow through Ragstone. All are frozen; none knows whether a passage is poisoned."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from numbers import Real
from typing import Any

from ragstone.errors import InputError

__all__ = [
    "Action",
    "Claim",
    "ClaimStatus",
    "ClaimVerdict",
    "Components",
    "Conflict",
    "Finding",
    "Judgement",
    "Level",
    "Passage",
    "Screening",
    "Verdict",
    "Verification",
    "as_passages",
    "readable",
]

_SURROGATE = re.compile("[\ud800-\udfff]")


def readable(text: str) -> str:
    """``text`` with lone surrogates, which no tokenizer can encode, replaced by U+FFFD; the length is kept."""
    return _SURROGATE.sub("\ufffd", text)


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved text. ``score`` is the retriever's cosine similarity in [-1, 1], or None when unknown.

    Raises :class:`InputError` for an id or a text that is no string and for a score that is no such number.
    """

    id: str
    text: str
    source: str | None = None
    score: float | None = None
    rank: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for name, value in (("id", self.id), ("text", self.text)):
            if not isinstance(value, str):
                raise InputError(f"passage {self.id!r}: {name} must be a string, got {type(value).__name__}")
        if self.score is not None:
            object.__setattr__(self, "score", _similarity(self.score, f"passage {self.id!r}"))


def _similarity(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{where}: 'score' must be a number in [-1, 1], got {value!r}")
    try:
        score = float(value)
    except OverflowError:  # a whole number beyond the range of floats
        score = math.inf
    if not -1.0 - 1e-6 <= score <= 1.0 + 1e-6:  # NaN too
        raise InputError(
            f"{where}: score {score!r} is not a cosine similarity in [-1, 1]; "
            "leave it out when the retriever uses another scale"
        )
    return score


class Level(StrEnum):
    """Trust level (paper 000, section III-C)."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"
    VERY_LOW = "VERY LOW"


class Action(StrEnum):
    """What a gate should do with the answer."""

    ACCEPT = "accept"
    CAUTION = "caution"
    REJECT = "reject"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a signal saw in one passage. ``severity`` is in [0, 1]; the span is in the passage's own text."""

    passage_id: str
    signal: str
    rule: str
    severity: float
    start: int
    end: int
    message: str
    evidence: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements of two passages that contradict each other; neither is called the culprit here."""

    first_id: str
    first_start: int
    first_end: int
    second_id: str
    second_start: int
    second_end: int
    contradiction: float
    kind: str = "contradiction"


@dataclass(frozen=True, slots=True)
class Screening:
    """Stage 1. ``poison`` is P in [0, 1]; ``consistency`` is C in [0, 1], None when no pair was compared."""

    question: str
    passages: tuple[Passage, ...]
    findings: tuple[Finding, ...]
    poison_by_passage: Mapping[str, float] = field(hash=False)
    poison: float
    consistency: float | None
    conflicts: tuple[Conflict, ...]
    compared_pairs: int
    flagged: tuple[str, ...]
    pairs_skipped: int = 0
    """Pairs about the same thing that were not compared: of many passages each is compared with its nearest only."""
    windows_skipped: int = 0
    """Windows of long texts that were not judged, being further from the other text than those that were."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the answer, with its span in the answer's own text."""

    text: str
    start: int
    end: int


class ClaimStatus(StrEnum):
    """What the passages say of a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Judgement:
    """NLI of one passage (premise) against one claim (hypothesis); three probabilities that sum to 1.

    ``start`` and ``end`` are the span of the passage that was the deciding window.
    """

    claim: int
    passage_id: str
    entailment: float
    neutral: float
    contradiction: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A claim, the passage that supports it best and the one that speaks most against it.

    ``factuality`` is in [0, 1]; ``on_baseline`` when no passage speaks to the claim, so that it stands on 0.5.
    """

    claim: Claim
    status: ClaimStatus
    factuality: float
    best: Judgement
    worst: Judgement
    on_baseline: bool = False


@dataclass(frozen=True, slots=True)
class Verification:
    """Stage 2. ``factuality`` is F in [0, 1]; ``on_baseline`` when nothing was conclusive and F is 0.5."""

    answer: str
    claims: tuple[ClaimVerdict, ...]
    judgements: tuple[Judgement, ...]
    factuality: float
    on_baseline: bool
    consistency: float | None = None
    """C after the answer, where the preset defines one (``paper``)."""
    windows_skipped: int = 0
    """Windows of long passages that were not judged, being further from a claim than those that were."""

    @property
    def unsupported(self) -> tuple[Claim, ...]:
        return tuple(c.claim for c in self.claims if c.status is ClaimStatus.UNSUPPORTED)

    @property
    def contradicted(self) -> tuple[Claim, ...]:
        return tuple(c.claim for c in self.claims if c.status is ClaimStatus.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class Components:
    """The three inputs of the Trust Index, each in [0, 1]; None when it was not measured."""

    factuality: float | None
    consistency: float | None
    poison: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome. ``trust`` is T in [0, 1]; None together with ``unscored_reason`` when it could not be scored."""

    trust: float | None
    level: Level | None
    trustworthy: bool | None
    action: Action
    unscored_reason: str | None
    components: Components
    warnings: tuple[str, ...]
    recommendation: str
    screening: Screening | None
    verification: Verification | None
    fingerprint: str
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Seconds by stage; not part of equality."""


def as_passages(items: Iterable[Passage | str | Mapping[str, Any]]) -> tuple[Passage, ...]:
    """Accept strings, mappings with ``text`` (and ``id``, ``source``, ``score``, …) or passages, in rank order.

    Positions are kept, also of blank texts. Ids default to ``p1``, ``p2``, … by position. Raises
    :class:`InputError` for another type, a missing text, a score that is no cosine similarity or an id used twice.
    """
    if isinstance(items, str | bytes | Mapping | Passage) or not isinstance(items, Iterable):
        raise InputError(f"passages must be a list of passages, got {type(items).__name__}")
    passages = tuple(_as_passage(item, position) for position, item in enumerate(items, start=1))
    seen: set[str] = set()
    for passage in passages:
        if passage.id in seen:
            raise InputError(f"passage id {passage.id!r} is used twice; ids must be unique within one call")
        seen.add(passage.id)
    return passages


def _as_passage(item: Passage | str | Mapping[str, Any], position: int) -> Passage:
    if isinstance(item, Passage):
        source = None if item.source is None else readable(str(item.source))
        return Passage(readable(item.id), readable(item.text), source, item.score, position, item.metadata)
    if isinstance(item, str):
        return Passage(f"p{position}", readable(item), rank=position)
    if not isinstance(item, Mapping):
        raise InputError(
            f"passage {position}: expected a string, a mapping with 'text' or a Passage, got {type(item).__name__}"
        )
    text = item.get("text")
    if not isinstance(text, str):
        raise InputError(f"passage {position}: 'text' must be a string, got {type(text).__name__}")
    score = item.get("score")
    source, identifier = item.get("source"), item.get("id", item.get("_id"))
    metadata = {k: v for k, v in item.items() if k not in ("id", "_id", "text", "source", "score", "rank")}
    return Passage(
        id=readable(str(identifier)) if identifier is not None else f"p{position}",
        text=readable(text),
        source=None if source is None else readable(str(source)),
        score=None if score is None else _similarity(score, f"passage {position}"),
        rank=position,
        metadata=metadata,
    )
