"""Hierarchical bootstrap of rates: queries are resampled, within each its corruption draws, within each its seeds.

With one draw and one seed this is the query-level bootstrap of paper 001, section III-C. All runs of a drawn query stay
together, so that differences between levels or arms are paired.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.errors import InputError
from ragstone.stats import Interval, Resampling

__all__ = ["PAPER", "Bootstrap", "Unit"]

Floats = NDArray[np.float64]

PAPER = Resampling(resamples=10_000, seed=0)


@dataclass(frozen=True, slots=True)
class Unit:
    """Where a run stands in the hierarchy."""

    query: Hashable
    draw: Hashable
    seed: Hashable


class Bootstrap:
    """Resamples drawn once, for all rates over the same runs; ``units`` has one entry a run."""

    def __init__(self, units: Sequence[Unit], resampling: Resampling = PAPER) -> None:
        if not units:
            raise InputError("a bootstrap needs at least one run")
        numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units))}
        self._unit_of_run = np.array([numbers[unit] for unit in units], dtype=np.intp)
        self._level = resampling.level
        self._clusters = len({unit.query for unit in numbers})
        self._weights = _weights(list(numbers), resampling)

    def distribution(self, values: Floats) -> Floats:
        """The rate of each column in each resample: shape (resamples, columns).

        ``values`` has a row a run; NaN where the run does not belong to the column. NaN comes out of a resample without
        any run of a column.
        """
        table = np.asarray(values, dtype=float).reshape(len(self._unit_of_run), -1)
        present = np.isfinite(table)
        sums = self._by_unit(np.where(present, table, 0.0))
        counts = self._by_unit(present.astype(float))
        totals = self._weights @ counts
        rates: Floats = np.divide(self._weights @ sums, totals, out=np.full_like(totals, np.nan), where=totals > 0)
        return rates

    def interval(self, drawn: Floats) -> Interval | None:
        """The percentile interval of one column of a distribution, or of a difference of two.

        None with fewer than two queries, where there is nothing to resample.
        """
        defined = drawn[np.isfinite(drawn)]
        if self._clusters < 2 or len(defined) < 2:
            return None
        tail = 50.0 * (1.0 - self._level)
        low, high = np.percentile(defined, [tail, 100.0 - tail])
        return Interval(float(low), float(high), self._level)

    def _by_unit(self, table: Floats) -> Floats:
        sums = np.zeros((self._weights.shape[1], table.shape[1]))
        np.add.at(sums, self._unit_of_run, table)
        return sums


def _weights(units: Sequence[Unit], resampling: Resampling) -> Floats:
    """How often each unit occurs in each resample: shape (resamples, units).

    Drawing with replacement within each of n copies of a query, independently, gives the counts of one multinomial
    draw of n times as many.
    """
    rng = np.random.default_rng(resampling.seed)
    tree: dict[Hashable, dict[Hashable, list[int]]] = {}
    for number, unit in enumerate(units):
        tree.setdefault(unit.query, {}).setdefault(unit.draw, []).append(number)
    weights = np.zeros((resampling.resamples, len(units)))
    queries = _drawn(rng, np.full(resampling.resamples, len(tree)), len(tree))
    for copies, draws in zip(queries.T, tree.values(), strict=True):
        drawn = _drawn(rng, copies * len(draws), len(draws))
        for times, seeds in zip(drawn.T, draws.values(), strict=True):
            weights[:, seeds] = _drawn(rng, times * len(seeds), len(seeds))
    return weights


def _drawn(rng: np.random.Generator, picks: NDArray[np.intp], choices: int) -> NDArray[np.intp]:
    """``picks`` drawn uniformly from ``choices``, counted: shape (resamples, choices)."""
    counts: NDArray[np.intp] = rng.multinomial(picks, np.full(choices, 1.0 / choices))
    return counts
