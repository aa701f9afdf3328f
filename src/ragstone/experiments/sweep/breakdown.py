"""One configuration of a sweep broken down: by level, strategy, both, kind of question and query, with paired tests."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np

from ragstone.datasets.sweep_queries import QueryType
from ragstone.errors import optional_import
from ragstone.experiments.sweep.design import Configuration
from ragstone.experiments.sweep.rates import ALL, GroupRates, RateTable
from ragstone.experiments.sweep.resampling import PAPER
from ragstone.experiments.sweep.scored import ScoredCell, SweepRun
from ragstone.stats import Interval, McNemar, Resampling, mcnemar

__all__ = ["QUESTION_GROUPS", "Breakdown", "Decomposition", "Fragility", "Increment", "PairTest", "break_down"]

QUESTION_GROUPS: Mapping[QueryType, str] = {
    "place": "locations",
    "date": "dates and counts",
    "count": "dates and counts",
    "yes_no": "yes / no",
    "person": "people",
    "other": "other",
}
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Increment:
    """How much the fooled rate rises from one level to the next, for one strategy or all of them."""

    strategy: str
    below: int
    above: int
    difference: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class PairTest:
    """Exact McNemar test of clean against poisoned correctness by keyword; ``adjusted`` is Holm's p over all tests."""

    test: McNemar
    adjusted: float


@dataclass(frozen=True, slots=True)
class Decomposition:
    """What became of answers that were correct on clean passages: counts (paper 001, figure 5)."""

    still_correct: int
    abstained: int
    fooled: int

    @property
    def total(self) -> int:
        return self.still_correct + self.abstained + self.fooled


@dataclass(frozen=True, slots=True)
class Fragility:
    """A distinct query over all its cells."""

    query: str
    question: str
    group: str
    cells: int
    fooled: int
    adopted: int

    @property
    def rate(self) -> float:
        return self.fooled / self.cells


@dataclass(frozen=True)
class Breakdown:
    """Groups that have no cell are left out of the mappings. ``by_type`` is keyed by group of questions and level;
    a level counts what ``unit`` says, passages or sources."""

    configuration: Configuration
    unit: str
    cells: tuple[ScoredCell, ...]
    levels: tuple[int, ...]
    strategies: tuple[str, ...]
    overall: GroupRates
    by_level: Mapping[int, GroupRates]
    by_strategy: Mapping[str, GroupRates]
    grid: Mapping[tuple[str, int], GroupRates]
    by_type: Mapping[tuple[str, int], GroupRates]
    increments: tuple[Increment, ...]
    tests: Mapping[tuple[str, int], PairTest]
    decomposition: Mapping[tuple[str, int], Decomposition]
    fragile: tuple[Fragility, ...]

    def level_name(self, level: int) -> str:
        """``2 / 3`` passages, or ``2 sources`` of those that were retrieved."""
        if self.unit == "source":
            return f"{level} source{'' if level == 1 else 's'}"
        return f"{level} / {self.configuration.k}"


def break_down(run: SweepRun, configuration: Configuration, resampling: Resampling = PAPER) -> Breakdown:
    """All rates of one configuration; intervals resample its query slots, and its distinct queries."""
    cells = run.of(configuration)
    table = RateTable(cells, resampling)
    present = {(c.record.strategy, c.record.level) for c in cells}
    strategies = tuple(name for name in run.strategies if any(name == s for s, _ in present))
    levels = tuple(sorted({level for _, level in present}))
    pairs = [(name, level) for name in strategies for level in levels if (name, level) in present]
    by_type = table.by(lambda c: (QUESTION_GROUPS[c.query.type], c.record.level))
    return Breakdown(
        configuration=configuration,
        unit=run.design.unit,
        cells=cells,
        levels=levels,
        strategies=strategies,
        overall=table.overall(),
        by_level=_ordered(table.by(lambda c: c.record.level), levels),
        by_strategy=_ordered(table.by(lambda c: c.record.strategy), strategies),
        grid=_ordered(table.by(_pair), pairs),
        by_type=_ordered(by_type, [(g, v) for g in dict.fromkeys(QUESTION_GROUPS.values()) for v in levels]),
        increments=tuple(_increments(table, strategies, levels)),
        tests=_tests(cells, pairs),
        decomposition={pair: _decompose([c for c in cells if _pair(c) == pair]) for pair in pairs},
        fragile=_fragile(cells),
    )


def _ordered(groups: Mapping[K, GroupRates], order: Sequence[K]) -> dict[K, GroupRates]:
    return {key: groups[key] for key in order if key in groups}


def _pair(cell: ScoredCell) -> tuple[str, int]:
    return cell.record.strategy, cell.record.level


def _increments(table: RateTable, strategies: Sequence[str], levels: Sequence[int]) -> Iterator[Increment]:
    for below, above in pairwise(levels):
        for strategy in strategies:
            found = table.difference("fooled", _pair, (strategy, below), (strategy, above))
            yield Increment(strategy, below, above, *found)
        yield Increment(ALL, below, above, *table.difference("fooled", lambda c: c.record.level, below, above))


def _tests(cells: Sequence[ScoredCell], pairs: Sequence[tuple[str, int]]) -> dict[tuple[str, int], PairTest]:
    """On the first draw and seed of each slot: repeats of a query are no further pairs."""
    tests = {}
    for pair in pairs:
        chosen = [c for c in cells if _pair(c) == pair and c.record.draw == c.record.seed == 0]
        clean = np.array([c.clean.keyword for c in chosen], dtype=bool)
        attacked = np.array([c.attacked.keyword for c in chosen], dtype=bool)
        tests[pair] = mcnemar(clean, attacked, np.ones(len(chosen), dtype=bool))
    multiple = optional_import("statsmodels.stats.multitest", extra="bench", purpose="Holm's correction")
    adjusted = multiple.multipletests([test.p_value for test in tests.values()], method="holm")[1]
    return {pair: PairTest(test, float(p)) for (pair, test), p in zip(tests.items(), adjusted, strict=True)}


def _decompose(cells: Sequence[ScoredCell]) -> Decomposition:
    known = [cell.attacked for cell in cells if cell.clean.keyword]
    correct = sum(score.keyword for score in known)
    abstained = sum(score.abstained and not score.keyword for score in known)
    return Decomposition(correct, abstained, len(known) - correct - abstained)


def _fragile(cells: Sequence[ScoredCell]) -> tuple[Fragility, ...]:
    """Every distinct query, the most often fooled first."""
    by_query: dict[str, list[ScoredCell]] = {}
    for cell in cells:
        by_query.setdefault(cell.query.id, []).append(cell)
    found = [
        Fragility(
            name,
            group[0].query.question,
            QUESTION_GROUPS[group[0].query.type],
            len(group),
            sum(cell.fooled for cell in group),
            sum(cell.adopted for cell in group),
        )
        for name, group in by_query.items()
    ]
    return tuple(sorted(found, key=lambda f: (-f.rate, -f.adopted / f.cells, f.query)))
