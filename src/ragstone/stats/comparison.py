"""Comparing runs: mean and deviation over repeats, and McNemar's test between two sets of predictions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ragstone.errors import InputError, optional_import
from ragstone.stats.confusion import boolean_vector

__all__ = ["McNemar", "MeanDeviation", "mcnemar", "mean_deviation"]


@dataclass(frozen=True, slots=True)
class MeanDeviation:
    """Mean and population standard deviation (divisor ``runs``, as paper 000's Table V) of one metric over runs."""

    mean: float
    deviation: float
    runs: int


def mean_deviation(values: Iterable[float | None]) -> MeanDeviation | None:
    """Over the runs in which the metric is defined; None when it is in none."""
    defined = [value for value in values if value is not None]
    if not all(math.isfinite(value) for value in defined):
        raise InputError(f"a metric over runs must be finite, got {defined}")
    if not defined:
        return None
    return MeanDeviation(float(np.mean(defined)), float(np.std(defined)), len(defined))


@dataclass(frozen=True, slots=True)
class McNemar:
    """Exact McNemar test: samples that only one of two detectors got right, and the two-sided p-value."""

    both_right: int
    only_first_right: int
    only_second_right: int
    both_wrong: int
    p_value: float


def mcnemar(first: ArrayLike, second: ArrayLike, poisoned: ArrayLike) -> McNemar:
    """Whether two detectors differ in accuracy on the same samples.

    ``first`` and ``second`` are their predictions (true: flagged), ``poisoned`` the labels: three boolean vectors of
    one length. McNemar (1947), the exact binomial form of
    :func:`statsmodels.stats.contingency_tables.mcnemar`. Raises :class:`InputError` for unequal lengths.
    """
    truth = boolean_vector(poisoned, "poisoned")
    right = [boolean_vector(prediction, name) for prediction, name in ((first, "first"), (second, "second"))]
    if any(len(prediction) != len(truth) for prediction in right):
        raise InputError(f"predictions of {len(right[0])} and {len(right[1])} samples do not fit {len(truth)} labels")
    a, b = (prediction == truth for prediction in right)
    table = [[int((a & b).sum()), int((a & ~b).sum())], [int((~a & b).sum()), int((~a & ~b).sum())]]
    tables = optional_import("statsmodels.stats.contingency_tables", extra="bench", purpose="McNemar's test")
    p_value = float(tables.mcnemar(table, exact=True).pvalue)
    return McNemar(table[0][0], table[0][1], table[1][0], table[1][1], p_value)
