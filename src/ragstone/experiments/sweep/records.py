"""One line of a sweep's ``samples.jsonl``: what was asked, changed and answered. Scores are not stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.attacks import Edit
from ragstone.errors import InputError
from ragstone.experiments.append_log import read_log
from ragstone.experiments.runs import SAMPLES
from ragstone.experiments.sweep.design import Cell, Configuration, Decoding

__all__ = ["CLEAN", "POISONED", "CellRecord", "ControlRecord", "PoisonedPassage", "StoredAnswer", "read_records"]

CLEAN, POISONED = "clean", "poisoned"
Count = Annotated[int, Field(ge=0)]


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StoredAnswer(_Stored):
    """``text`` is empty when the generator wrote nothing, for ``reason``. ``seconds`` is what generating it took.

    ``reused``: the same prompt and seed had been answered before, and that answer was taken.
    """

    text: str
    seed: int
    seconds: Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    finish_reason: str | None = None
    reason: str | None = None
    reused: bool = False


class PoisonedPassage(_Stored):
    """A changed passage: its position in the context, from 0, and the edits as (start, end, before, after)."""

    position: Count
    strategy: str
    edits: tuple[tuple[Count, Count, str, str], ...]

    def as_edits(self) -> tuple[Edit, ...]:
        return tuple(Edit(*edit) for edit in self.edits)


class CellRecord(_Stored):
    """A cell. ``answers`` are by arm, at least ``clean`` and ``poisoned``.

    ``reached`` is how many passages (or sources) could be poisoned of the ``level`` wanted; ``unchanged`` says why the
    attack did not apply where it was tried in vain, by position.
    """

    kind: Literal["cell"] = "cell"
    key: str
    query: str
    slot: Annotated[int, Field(ge=1)]
    strategy: str
    level: Count
    reached: Count
    k: Annotated[int, Field(ge=1)]
    diverse: bool
    decoding: Decoding
    prompt_cache: bool
    draw: Count
    seed: Count
    poisoned: tuple[PoisonedPassage, ...]
    unchanged: Mapping[int, str]
    answers: Mapping[str, StoredAnswer]

    @property
    def configuration(self) -> Configuration:
        return Configuration(self.k, self.diverse, self.decoding, self.prompt_cache)

    @property
    def cell(self) -> Cell:
        return Cell(self.configuration, self.strategy, self.level, self.slot, self.draw, self.seed)

    @property
    def clean(self) -> StoredAnswer:
        return self.answers[CLEAN]

    @property
    def attacked(self) -> StoredAnswer:
        """The answer from the poisoned passages."""
        return self.answers[POISONED]


class ControlRecord(_Stored):
    """An unanswerable question, asked of unchanged passages: a generator should abstain."""

    kind: Literal["unanswerable"] = "unanswerable"
    key: str
    question: str
    passages: tuple[str, ...]
    answer: StoredAnswer


def read_records(folder: Path) -> Iterator[CellRecord | ControlRecord]:
    """The whole lines of a run folder. Raises InputError with file and line for one that is no record."""
    for place, row in read_log(folder / SAMPLES):
        try:
            yield _record(row)
        except ValidationError as error:
            problem = error.errors()[0]
            field = ".".join(map(str, problem["loc"]))
            raise InputError(f"{place}: field {field!r}: {problem['msg']}; the folder is of no sweep") from None


def _record(row: Mapping[str, Any]) -> CellRecord | ControlRecord:
    if row.get("kind") == "unanswerable":
        return ControlRecord.model_validate(row)
    return CellRecord.model_validate(row)
