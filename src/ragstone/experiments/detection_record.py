"""One sample of a detection run, as it is stored: everything that metrics and studies need, and no model."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ragstone.types import Action

__all__ = ["DetectionRecord", "Part", "RetrievedPassage", "Signalled", "record_key"]

Unit = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Cosine = Annotated[float, Field(ge=-1.001, le=1.001, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]


class Part(StrEnum):
    """Paper 000, section IV: part A is clean, part B poisoned; the control has benign edits instead of poison."""

    CLEAN = "clean"
    POISONED = "poisoned"
    CONTROL = "control"


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RetrievedPassage(_Stored):
    """A passage in rank order. ``poison`` is P_i.

    ``strategy`` says how it was poisoned, ``edit`` how it was edited without harm; None: not at all. ``words`` is its
    length, ``overlap`` the share of the question's content words in it, ``neighbour`` its greatest cosine similarity to
    another retrieved passage (None when it is alone): what trivial detectors go by.
    """

    id: str
    score: Cosine | None
    poison: Unit
    flagged: bool
    strategy: str | None = None
    edit: str | None = None
    words: int
    overlap: Unit
    neighbour: Cosine | None


class Signalled(_Stored):
    """A finding without its text."""

    passage: str
    signal: str
    rule: str
    severity: Unit


class DetectionRecord(_Stored):
    """A question of one part, asked once. ``poisoned`` is the document-level label of paper 000, section IV.

    ``strategy`` is that of the run's corpus, ``applied`` the one that changed this sample's own document (for ``mixed``
    the one drawn). Components are None where they were not measured; ``trust`` is None when the sample could not be
    scored, for ``unscored_reason``. Times are in seconds; ``pairs`` counts the pairs the NLI model ran on.
    """

    key: str
    part: Part
    strategy: str
    repeat: Annotated[int, Field(ge=0)]
    index: Annotated[int, Field(ge=0)]
    sample_id: str
    question: str
    expected: str
    answer: str | None
    poisoned: bool
    applied: str | None
    passages: tuple[RetrievedPassage, ...]
    findings: tuple[Signalled, ...]
    factuality: Unit | None
    consistency: Unit | None
    poison: Unit | None
    trust: Unit | None
    trustworthy: bool | None
    action: Action
    on_baseline: bool | None
    best_score: Cosine | None
    unscored_reason: str | None
    fingerprint: str
    pairs: Annotated[int, Field(ge=0)]
    reused_answer: bool
    timings: Mapping[str, Seconds]

    @property
    def retrieved_poison(self) -> bool:
        """The retrieval-grounded label: whether a poisoned passage was among those retrieved."""
        return any(passage.strategy is not None for passage in self.passages)

    @property
    def retrieved_strategies(self) -> tuple[str, ...]:
        """The strategies behind the poisoned passages retrieved, each once, in rank order."""
        return tuple(dict.fromkeys(p.strategy for p in self.passages if p.strategy is not None))

    @property
    def flagged(self) -> tuple[str, ...]:
        return tuple(passage.id for passage in self.passages if passage.flagged)


def record_key(part: Part, strategy: str, repeat: int, index: int) -> str:
    """What identifies a sample within a run."""
    return f"{part}/{strategy}/{repeat}/{index}"
