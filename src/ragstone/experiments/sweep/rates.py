"""Rates over groups of cells, each with its count and its intervals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ragstone.experiments.sweep.resampling import Bootstrap, Unit
from ragstone.experiments.sweep.scored import ScoredCell
from ragstone.stats import Interval, Resampling

__all__ = ["ALL", "MEASURES", "GroupRates", "Rate", "RateTable"]

Measure = Callable[[ScoredCell], bool]
K = TypeVar("K", bound=Hashable)
ALL, FOOLED = "all", "fooled"

MEASURES: Mapping[str, Measure] = {
    "clean_accuracy": lambda cell: cell.clean.keyword,
    "poisoned_accuracy": lambda cell: cell.attacked.keyword,
    "fooled": lambda cell: cell.fooled,
    "clean_abstention": lambda cell: cell.clean.abstained,
    "abstention": lambda cell: cell.attacked.abstained,
    "clean_unsupported": lambda cell: cell.clean.unsupported,
    "unsupported": lambda cell: cell.attacked.unsupported,
    "attack_success": lambda cell: cell.adopted,
    "clean_correct": lambda cell: cell.clean.correct,
    "correct": lambda cell: cell.attacked.correct,
    "fooled_normalised": lambda cell: cell.clean.correct and not cell.attacked.correct,
    "clean_right_verdict": lambda cell: cell.clean.right_verdict,
    "right_verdict": lambda cell: cell.attacked.right_verdict,
    "identical": lambda cell: cell.identical,
    "reached": lambda cell: cell.record.reached >= cell.record.level,
}
"""What is counted in a cell. Accuracy and fooled are the paper's, by keyword; ``correct`` is normalised scoring,
``right_verdict`` the FEVER-style label, ``reached`` whether as many passages were poisoned as the level says."""


@dataclass(frozen=True, slots=True)
class Rate:
    """``successes`` of ``total``. ``interval`` resamples the query slots, as the paper does; ``by_query``, given for
    the fooled rate, the distinct queries, of which repeated slots are no independent samples."""

    successes: int
    total: int
    interval: Interval | None = None
    by_query: Interval | None = None

    @property
    def value(self) -> float | None:
        return self.successes / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class GroupRates:
    """The rates of one group of cells, by measure."""

    cells: int
    rates: Mapping[str, Rate]

    def __getitem__(self, measure: str) -> Rate:
        return self.rates[measure]

    def value(self, measure: str) -> float | None:
        return self.rates[measure].value


@dataclass(frozen=True)
class RateTable:
    """Rates over ``cells``; the resamples are drawn once and shared by all groups, so that differences are paired."""

    cells: Sequence[ScoredCell]
    resampling: Resampling
    _slots: Bootstrap = field(init=False, repr=False)
    _queries: Bootstrap = field(init=False, repr=False)
    _values: Mapping[str, NDArray[np.float64]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        records = [cell.record for cell in self.cells]
        slots = [Unit(r.slot, r.draw, r.seed) for r in records]
        queries = [Unit(r.query, (r.slot, r.draw), r.seed) for r in records]
        values = {name: np.array([float(measure(c)) for c in self.cells]) for name, measure in MEASURES.items()}
        object.__setattr__(self, "_slots", Bootstrap(slots, self.resampling))
        object.__setattr__(self, "_queries", Bootstrap(queries, self.resampling))
        object.__setattr__(self, "_values", values)

    def overall(self) -> GroupRates:
        """Every measure over all cells."""
        return self.by(lambda cell: ALL)[ALL]

    def by(self, key: Callable[[ScoredCell], K]) -> dict[K, GroupRates]:
        """Every measure over the cells of each key, in the order of its first cell."""
        keys = [key(cell) for cell in self.cells]
        return {k: self._rates(np.array([other == k for other in keys])) for k in dict.fromkeys(keys)}

    def difference(
        self, measure: str, key: Callable[[ScoredCell], K], first: K, second: K
    ) -> tuple[float | None, Interval | None]:
        """The rate of ``measure`` over the cells of ``second`` minus that of ``first``, with its interval over slots;
        None where either has no cell."""
        keys = [key(cell) for cell in self.cells]
        masks = [np.array([other == k for other in keys]) for k in (first, second)]
        if not all(mask.any() for mask in masks):
            return None, None
        values = self._values[measure]
        drawn = self._slots.distribution(np.column_stack([np.where(mask, values, np.nan) for mask in masks]))
        before, after = (float(values[mask].mean()) for mask in masks)
        return after - before, self._slots.interval(drawn[:, 1] - drawn[:, 0])

    def _rates(self, mask: NDArray[np.bool_]) -> GroupRates:
        table = np.column_stack([np.where(mask, values, np.nan) for values in self._values.values()])
        by_slot = self._slots.distribution(table)
        rates = {
            name: Rate(int(values[mask].sum()), int(mask.sum()), self._slots.interval(by_slot[:, column]))
            for column, (name, values) in enumerate(self._values.items())
        }
        by_query = self._queries.distribution(np.where(mask, self._values[FOOLED], np.nan))
        rates[FOOLED] = replace(rates[FOOLED], by_query=self._queries.interval(by_query[:, 0]))
        return GroupRates(int(mask.sum()), rates)
