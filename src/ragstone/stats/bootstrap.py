"""Percentile bootstrap of F1, separation, ROC-AUC and average precision, by sample or by cluster.

SciPy draws the resamples; each is turned into the number of times every sample occurs in it, and the statistics are
computed from those multiplicities for a whole batch of resamples at once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.errors import optional_import
from ragstone.stats.intervals import Interval, Resampling

__all__ = ["Scored", "bootstrap_intervals"]

Floats = NDArray[np.float64]
_BATCH_CELLS = 2_000_000  # bounds the memory of one batch of resamples


@dataclass(frozen=True, slots=True)
class Scored:
    """Scored samples: ``trust`` in [0, 1], ``poisoned`` and ``flagged`` of one length; ``cluster`` numbers from 0."""

    trust: Floats
    poisoned: NDArray[np.bool_]
    flagged: NDArray[np.bool_]
    cluster: NDArray[np.intp]


def bootstrap_intervals(samples: Scored, resampling: Resampling) -> dict[str, Interval | None]:
    """An interval for each statistic asked for; None where fewer than two clusters, or too few resamples, define it.

    Clusters are drawn with replacement, as many as there are, each with all its samples. Resamples in which a
    statistic is undefined (no poisoned sample drawn) are left out of its percentiles.
    """
    clusters = int(samples.cluster.max()) + 1 if len(samples.cluster) else 0
    if clusters < 2 or not resampling.statistics:
        return dict.fromkeys(resampling.statistics)
    stats = optional_import("scipy.stats", extra="bench", purpose="a bootstrap")
    statistics = [_STATISTICS[name](samples) for name in resampling.statistics]

    def evaluate(drawn: NDArray[np.intp], axis: int = -1) -> Floats:
        weights = _multiplicities(np.moveaxis(drawn, axis, -1), clusters)[:, samples.cluster]
        return np.stack([statistic(weights) for statistic in statistics])

    with warnings.catch_warnings():
        # SciPy warns when a resample leaves a statistic undefined; its own percentiles are not used.
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        result = stats.bootstrap(
            (np.arange(clusters),),
            evaluate,
            n_resamples=resampling.resamples,
            batch=max(1, _BATCH_CELLS // len(samples.trust)),
            vectorized=True,
            method="percentile",
            confidence_level=resampling.level,
            rng=np.random.default_rng(resampling.seed),
        )
    rows = np.atleast_2d(result.bootstrap_distribution)
    return {name: _percentiles(row, resampling.level) for name, row in zip(resampling.statistics, rows, strict=True)}


def _multiplicities(drawn: NDArray[np.intp], clusters: int) -> Floats:
    """How often each cluster occurs in each row of ``drawn``: shape (resamples, clusters)."""
    flat = drawn.reshape(-1, drawn.shape[-1]).astype(np.intp)
    offsets = np.arange(len(flat))[:, None] * clusters
    counts = np.bincount((flat + offsets).ravel(), minlength=len(flat) * clusters)
    return counts.reshape(len(flat), clusters).astype(float)


def _percentiles(values: Floats, level: float) -> Interval | None:
    defined = values[np.isfinite(values)]
    if len(defined) < 2:
        return None
    low, high = np.percentile(defined, [50.0 * (1.0 - level), 50.0 * (1.0 + level)])
    return Interval(float(low), float(high), level)


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Element-wise ``part / whole``, NaN where ``whole`` is 0."""
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)


Statistic = Callable[[Floats], Floats]


def _f1(samples: Scored) -> Statistic:
    hits = (samples.poisoned & samples.flagged).astype(float)
    marks = samples.poisoned.astype(float) + samples.flagged
    return lambda weights: _ratio(2.0 * (weights @ hits), weights @ marks)


def _separation(samples: Scored) -> Statistic:
    poisoned = samples.poisoned.astype(float)
    clean = 1.0 - poisoned

    def statistic(weights: Floats) -> Floats:
        clean_mean = _ratio(weights @ (clean * samples.trust), weights @ clean)
        return clean_mean - _ratio(weights @ (poisoned * samples.trust), weights @ poisoned)

    return statistic


def _roc_auc(samples: Scored) -> Statistic:
    poisoned, clean = samples.trust[samples.poisoned], samples.trust[~samples.poisoned]
    ordered = (poisoned[:, None] < clean[None, :]) + 0.5 * (poisoned[:, None] == clean[None, :])

    def statistic(weights: Floats) -> Floats:
        first, second = weights[:, samples.poisoned], weights[:, ~samples.poisoned]
        return _ratio(((first @ ordered) * second).sum(axis=1), first.sum(axis=1) * second.sum(axis=1))

    return statistic


def _average_precision(samples: Scored) -> Statistic:
    order = np.argsort(samples.trust, kind="stable")
    trust, poisoned = samples.trust[order], samples.poisoned[order].astype(float)
    ends = np.flatnonzero(np.append(np.diff(trust) > 0, True))  # samples of equal trust enter together

    def statistic(weights: Floats) -> Floats:
        sorted_weights = weights[:, order]
        hits = np.cumsum(sorted_weights * poisoned, axis=1)[:, ends]
        seen = np.cumsum(sorted_weights, axis=1)[:, ends]
        precision = np.nan_to_num(_ratio(hits, seen))
        return _ratio((np.diff(hits, axis=1, prepend=0.0) * precision).sum(axis=1), hits[:, -1])

    return statistic


_STATISTICS: dict[str, Callable[[Scored], Statistic]] = {
    "f1": _f1,
    "separation": _separation,
    "roc_auc": _roc_auc,
    "average_precision": _average_precision,
}
