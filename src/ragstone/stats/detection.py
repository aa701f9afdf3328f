"""Scores of a detection run: predictions from trust against labels, each metric with its interval."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragstone.errors import InputError, optional_import
from ragstone.stats.bootstrap import Scored, bootstrap_intervals
from ragstone.stats.confusion import Confusion, boolean_vector, naive_baseline
from ragstone.stats.intervals import Interval, Resampling, wilson_interval

__all__ = ["DetectionScores", "Estimate", "score_detection"]

_DEFAULT = Resampling()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A metric; ``value`` is None where it is undefined, ``interval`` None where none can be given or was asked for."""

    value: float | None
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class DetectionScores:
    """Detection of poisoned samples at one threshold (paper 000, section IV).

    ``separation`` is Δ, mean clean trust minus mean poisoned trust, in [-1, 1]. Samples without a trust score are
    counted in ``unscored`` (``unscored_poisoned`` of them poisoned) and enter no other figure.
    """

    threshold: float
    samples: int
    unscored: int
    unscored_poisoned: int
    confusion: Confusion
    accuracy: Estimate
    precision: Estimate
    recall: Estimate
    f1: Estimate
    separation: Estimate
    roc_auc: Estimate
    average_precision: Estimate
    naive_accuracy: float | None
    """Accuracy of trusting every scored sample."""


def score_detection(
    trust: Sequence[float | None] | NDArray[np.float64],
    poisoned: ArrayLike,
    *,
    threshold: float = 0.5,
    clusters: Sequence[Hashable] | None = None,
    resampling: Resampling | None = _DEFAULT,
) -> DetectionScores:
    """Score predictions "trust below ``threshold``" against labels ``poisoned``.

    ``trust`` holds T in [0, 1], or None for a sample that could not be scored; ``poisoned`` is boolean, of the same
    length. Accuracy, precision and recall get Wilson intervals. F1, Δ, ROC-AUC and average precision get percentile
    bootstrap intervals over samples (the paper's way) or, given ``clusters`` (one query identifier per sample), over
    whole clusters, which is what paired samples of one query need; ``resampling=None`` leaves them out. Raises
    :class:`InputError` for unequal lengths and for NaN or values outside [0, 1].
    """
    truth = boolean_vector(poisoned, "poisoned")
    scored, values = _scored(trust, len(truth))
    if not 0.0 <= threshold <= 1.0:
        raise InputError(f"the threshold must lie in [0, 1], got {threshold!r}")
    if clusters is not None and len(clusters) != len(truth):
        raise InputError(f"{len(clusters)} cluster identifiers do not fit {len(truth)} samples")
    kept = truth[scored]
    samples = Scored(values, kept, values < threshold, _cluster_numbers(clusters, scored))
    confusion = Confusion.of(samples.flagged, kept)
    intervals = {} if resampling is None else bootstrap_intervals(samples, resampling)
    level = (resampling or _DEFAULT).level
    ranking = _ranking_metrics(samples)
    return DetectionScores(
        threshold=threshold,
        samples=len(truth),
        unscored=int((~scored).sum()),
        unscored_poisoned=int(truth[~scored].sum()),
        confusion=confusion,
        accuracy=Estimate(confusion.accuracy, wilson_interval(confusion.correct, confusion.total, level=level)),
        precision=Estimate(
            confusion.precision, wilson_interval(confusion.true_positives, confusion.flagged, level=level)
        ),
        recall=Estimate(confusion.recall, wilson_interval(confusion.true_positives, confusion.poisoned, level=level)),
        f1=_estimate(confusion.f1, intervals.get("f1")),
        separation=_estimate(ranking["separation"], intervals.get("separation")),
        roc_auc=_estimate(ranking["roc_auc"], intervals.get("roc_auc")),
        average_precision=_estimate(ranking["average_precision"], intervals.get("average_precision")),
        naive_accuracy=naive_baseline(kept).accuracy,
    )


def _estimate(value: float | None, interval: Interval | None) -> Estimate:
    return Estimate(value, None if value is None else interval)


def _scored(
    trust: Sequence[float | None] | NDArray[np.float64], expected: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Which samples have a score, and those scores."""
    if len(trust) != expected:
        raise InputError(f"{len(trust)} trust scores do not fit {expected} labels")
    present = np.array([value is not None for value in trust], dtype=bool)
    values = np.array([value for value in trust if value is not None], dtype=float)
    bad = values[~((values >= 0.0) & (values <= 1.0))]
    if len(bad):
        raise InputError(f"trust scores must lie in [0, 1], or be None when there is none; got {float(bad[0])!r}")
    return present, values


def _cluster_numbers(clusters: Sequence[Hashable] | None, scored: NDArray[np.bool_]) -> NDArray[np.intp]:
    if clusters is None:
        return np.arange(int(scored.sum()))
    numbers: dict[Hashable, int] = {}
    kept = [cluster for cluster, present in zip(clusters, scored, strict=True) if present]
    return np.array([numbers.setdefault(cluster, len(numbers)) for cluster in kept], dtype=np.intp)


def _ranking_metrics(samples: Scored) -> dict[str, float | None]:
    """Δ, ROC-AUC and average precision; None unless both kinds of sample are present."""
    if samples.poisoned.all() or not samples.poisoned.any():
        return {"separation": None, "roc_auc": None, "average_precision": None}
    metrics = optional_import("sklearn.metrics", extra="bench", purpose="ROC-AUC")
    risk = 1.0 - samples.trust
    return {
        "separation": float(samples.trust[~samples.poisoned].mean() - samples.trust[samples.poisoned].mean()),
        "roc_auc": float(metrics.roc_auc_score(samples.poisoned, risk)),
        "average_precision": float(metrics.average_precision_score(samples.poisoned, risk)),
    }
