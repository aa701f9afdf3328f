"""A run folder read back: every cell with the scores of its two answers, and what poisoned it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ragstone.datasets.sweep_queries import SweepQuery
from ragstone.errors import InputError
from ragstone.experiments.runs import read_meta
from ragstone.experiments.sweep.adoption import Poison, adopts, read_poison
from ragstone.experiments.sweep.contexts import ContextKey, Contexts, read_contexts
from ragstone.experiments.sweep.design import Configuration, SweepDesign
from ragstone.experiments.sweep.poisoning import poisoned_copy
from ragstone.experiments.sweep.records import CellRecord, ControlRecord, read_records
from ragstone.experiments.sweep.scoring import AnswerScore, score_answer
from ragstone.types import Passage

__all__ = ["ScoredCell", "SweepRun", "load_sweep"]


@dataclass(frozen=True)
class ScoredCell:
    """A cell with its passages and the scores of its answers; ``adopted`` is the attack's success."""

    record: CellRecord
    query: SweepQuery
    passages: tuple[Passage, ...]
    poisoned_passages: tuple[Passage, ...]
    clean: AnswerScore
    attacked: AnswerScore
    adopted: bool

    @property
    def fooled(self) -> bool:
        """Right by keyword from clean passages, wrong from poisoned ones."""
        return self.clean.keyword and not self.attacked.keyword

    @property
    def identical(self) -> bool:
        return self.record.clean.text.strip() == self.record.attacked.text.strip()


@dataclass(frozen=True)
class SweepRun:
    """All that is in a run folder. ``expected`` is the number of cells of the whole design."""

    meta: dict[str, Any]
    design: SweepDesign
    queries: tuple[SweepQuery, ...]
    contexts: Contexts
    cells: tuple[ScoredCell, ...]
    controls: tuple[ControlRecord, ...]

    @cached_property
    def expected(self) -> int:
        return sum(1 for _ in self.design.cells(self.queries))

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """Those of which there are cells, in the design's order."""
        present = {cell.record.configuration for cell in self.cells}
        return tuple(c for c in self.design.configurations if c in present)

    @property
    def strategies(self) -> tuple[str, ...]:
        return tuple(strategy.name for strategy in self.design.strategies)

    def of(self, configuration: Configuration) -> tuple[ScoredCell, ...]:
        return tuple(cell for cell in self.cells if cell.record.configuration == configuration)


def load_sweep(folder: Path) -> SweepRun:
    """Read and score a run folder; the sweep may be unfinished, or still at work.

    Raises InputError when it holds no sweep, no cell yet, or something that was changed by hand.
    """
    meta = read_meta(folder)
    if meta.get("experiment") != "sweep":
        raise InputError(f"{folder} holds a run of another kind ({meta.get('experiment', 'unknown')}), no sweep")
    try:
        design = SweepDesign.model_validate(meta["design"])
        queries = tuple(SweepQuery.model_validate(row) for row in meta["queries"])
    except (KeyError, ValidationError) as error:
        raise InputError(f"{folder}/meta.json is not of a sweep that this version reads: {error}") from None
    contexts = read_contexts(folder)
    scorer = _Scorer(queries, contexts)
    cells: dict[str, ScoredCell] = {}
    controls: list[ControlRecord] = []
    for record in read_records(folder):
        if isinstance(record, ControlRecord):
            controls.append(record)
        else:
            cells[record.key] = scorer.score(record, folder)
    if not cells:
        raise InputError(f"{folder} has no cell yet; run the sweep first")
    return SweepRun(meta, design, queries, contexts, tuple(cells.values()), tuple(controls))


class _Scorer:
    """Scores each distinct answer once: clean answers and poisoned passages recur from cell to cell."""

    def __init__(self, queries: Sequence[SweepQuery], contexts: Contexts) -> None:
        self._queries = {query.slot: query for query in queries}
        self._contexts = contexts
        self._scores: dict[tuple[str, str, tuple[str, ...]], AnswerScore] = {}

    def score(self, record: CellRecord, folder: Path) -> ScoredCell:
        query = self._queries.get(record.slot)
        key = ContextKey(query.question, record.k, record.diverse) if query else None
        if query is None or key is None or key not in self._contexts:
            raise InputError(f"{folder}: cell {record.key} has no query or no passages; the folder is incomplete")
        passages = self._contexts[key]
        poisoned = poisoned_copy(passages, record.poisoned)
        attacked = self._answer(record.attacked.text, query, poisoned)
        wrong = not attacked.abstained and not attacked.correct
        return ScoredCell(
            record,
            query,
            passages,
            poisoned,
            self._answer(record.clean.text, query, passages),
            attacked,
            wrong and adopts(record.attacked.text, record.clean.text, query, _poison(record, query, passages)),
        )

    def _answer(self, answer: str, query: SweepQuery, passages: Sequence[Passage]) -> AnswerScore:
        texts = tuple(passage.text for passage in passages)
        key = (answer, query.id, texts)
        if key not in self._scores:
            self._scores[key] = score_answer(answer, query, texts)
        return self._scores[key]


def _poison(record: CellRecord, query: SweepQuery, passages: Sequence[Passage]) -> Poison:
    edits = {change.position: change.as_edits() for change in record.poisoned}
    texts = [passage.text for passage in passages]
    return read_poison(query.question, texts, [edits.get(position, ()) for position in range(len(texts))])
