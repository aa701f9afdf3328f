"""Fitting the threshold τ on clean samples and judging it on others (paper 000, sections IV and V-D)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragstone.errors import InputError
from ragstone.stats import DetectionScores, Resampling, score_detection

__all__ = ["ThresholdStudy", "fit_threshold", "threshold_study"]


@dataclass(frozen=True, slots=True)
class ThresholdStudy:
    """τ, fitted on ``fitted_on`` clean samples, and the scores of the default and of τ on the same other samples."""

    threshold: float
    fitted_on: int
    default: DetectionScores
    fitted: DetectionScores


def fit_threshold(clean_trust: ArrayLike, *, percentile: float = 10.0) -> float:
    """τ: the ``percentile`` (0-100, linear interpolation) of the trust of clean samples.

    About that share of clean answers will be flagged. Raises :class:`InputError` for no samples or scores outside
    [0, 1].
    """
    values = np.asarray(clean_trust, dtype=float)
    if values.ndim != 1 or not len(values):
        raise InputError("a threshold needs the trust of at least one clean sample")
    if not ((values >= 0.0) & (values <= 1.0)).all():
        raise InputError("trust scores must lie in [0, 1]")
    if not 0.0 <= percentile <= 100.0:
        raise InputError(f"a percentile lies between 0 and 100, got {percentile!r}")
    return float(np.percentile(values, percentile))


def threshold_study(
    trust: NDArray[np.float64],
    poisoned: NDArray[np.bool_],
    *,
    generator: np.random.Generator,
    groups: Sequence[Hashable] | None = None,
    percentile: float = 10.0,
    default: float = 0.5,
    resampling: Resampling | None = None,
) -> ThresholdStudy:
    """Fit τ on a random half of the clean samples; compare it with ``default`` on the rest.

    ``trust`` in [0, 1] and ``poisoned`` have shape (N,). Without ``groups``, the paper's split: half of the clean
    samples fits, the other half and all poisoned samples judge. With ``groups`` (one query identifier per sample) half
    of the groups fits and only samples of the other groups judge, so that no query serves for both.
    """
    if groups is None:
        fit, judge = _split_samples(poisoned, generator)
    else:
        if len(groups) != len(poisoned):
            raise InputError(f"{len(groups)} group identifiers do not fit {len(poisoned)} samples")
        fit, judge = _split_groups(poisoned, groups, generator)
    threshold = fit_threshold(trust[fit], percentile=percentile)
    return ThresholdStudy(
        threshold,
        len(fit),
        score_detection(trust[judge], poisoned[judge], threshold=default, resampling=resampling),
        score_detection(trust[judge], poisoned[judge], threshold=threshold, resampling=resampling),
    )


def _split_samples(
    poisoned: NDArray[np.bool_], generator: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    clean = np.flatnonzero(~poisoned)
    generator.shuffle(clean)
    half = len(clean) // 2
    return clean[:half], np.concatenate([clean[half:], np.flatnonzero(poisoned)])


def _split_groups(
    poisoned: NDArray[np.bool_], groups: Sequence[Hashable], generator: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    names = list(dict.fromkeys(groups))
    order = generator.permutation(len(names))
    fitting = {names[index] for index in order[: len(names) // 2]}
    inside = np.array([group in fitting for group in groups], dtype=bool)
    return np.flatnonzero(inside & ~poisoned), np.flatnonzero(~inside)
