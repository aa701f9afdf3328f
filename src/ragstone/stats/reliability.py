"""How well a probability fits what happened: Brier score, expected calibration error, reliability bins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ragstone.errors import InputError, optional_import
from ragstone.stats.confusion import boolean_vector

__all__ = ["Reliability", "ReliabilityBin", "reliability"]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Predictions in [``low``, ``high``) (the last bin includes 1): their mean and how often the event happened."""

    low: float
    high: float
    count: int
    mean_probability: float
    observed: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """Both errors are in [0, 1], 0 is best. Empty bins are left out of ``bins``."""

    brier: float
    expected_calibration_error: float
    bins: tuple[ReliabilityBin, ...]


def reliability(probability: ArrayLike, outcome: ArrayLike, *, bins: int = 10) -> Reliability:
    """Compare ``probability`` in [0, 1] with the boolean ``outcome``, two vectors of one length, at least 1.

    Brier (1950) by scikit-learn. The expected calibration error weights |observed - mean probability| over ``bins``
    bins of equal width by their share of samples (Naeini et al., AAAI 2015). For a trust score T, the probability of
    *poisoned* is 1 - T. Raises :class:`InputError` for unequal lengths, no samples, or values outside [0, 1].
    """
    happened = boolean_vector(outcome, "outcome")
    values = np.asarray(probability, dtype=float)
    if values.shape != happened.shape or not len(values):
        raise InputError(f"{values.size} probabilities do not fit {len(happened)} outcomes (at least one is needed)")
    bad = values[~((values >= 0.0) & (values <= 1.0))]
    if len(bad):
        raise InputError(f"probabilities must lie in [0, 1], got {float(bad[0])!r}")
    if bins < 1:
        raise InputError(f"at least one bin is needed, got {bins}")
    metrics = optional_import("sklearn.metrics", extra="bench", purpose="the Brier score")
    number = np.minimum((values * bins).astype(int), bins - 1)
    filled = []
    for index in np.unique(number):
        inside = number == index
        filled.append(
            ReliabilityBin(
                low=float(index / bins),
                high=float((index + 1) / bins),
                count=int(inside.sum()),
                mean_probability=float(values[inside].mean()),
                observed=float(happened[inside].mean()),
            )
        )
    error = sum(b.count * abs(b.observed - b.mean_probability) for b in filled) / len(values)
    brier = float(metrics.brier_score_loss(happened, values, pos_label=True))
    return Reliability(brier, error, tuple(filled))
