"""A threshold tau whose false-alarm rate is bounded: split-conformal calibration on clean samples.

A percentile of few clean scores is only a guess at the percentile of all of them. Here the rank is chosen so that the
rate of clean answers with T < tau stays below a bound with a stated confidence, whatever the distribution of T, as long
as the samples tau is fitted on and those it is used on are exchangeable (same generator, preset, kind of corpus).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.errors import InputError, optional_import

__all__ = ["ConformalThreshold", "conformal_threshold", "samples_needed"]


@dataclass(frozen=True, slots=True)
class ConformalThreshold:
    """``threshold`` is the ``rank``-th least of ``samples`` clean scores; 0 (nothing is flagged) for rank 0.

    With probability ``confidence`` over the draw of the samples, at most ``false_alarms`` of all clean answers fall
    below it. ``confidence`` None: the bound holds on average over draws.
    """

    threshold: float
    rank: int
    samples: int
    false_alarms: float
    confidence: float | None


def conformal_threshold(
    clean_trust: Sequence[float] | NDArray[np.float64],
    *,
    false_alarms: float = 0.10,
    confidence: float | None = 0.90,
) -> ConformalThreshold:
    """The greatest threshold among ``clean_trust`` (in [0, 1], one independent sample each) that keeps the bound.

    The share of clean answers below the k-th least of n scores follows at most Beta(k, n + 1 - k) (Wilks, 1941; Vovk,
    2012, training-conditional validity); k is the greatest rank whose probability of staying within ``false_alarms``
    reaches ``confidence``. Without a confidence, k = floor(false_alarms (n + 1)), the split-conformal rank. Raises
    InputError for scores or bounds out of range; needs the extra ``bench`` when a confidence is asked for.
    """
    scores = np.sort(np.asarray(clean_trust, dtype=float))
    if scores.ndim != 1 or not ((scores >= 0.0) & (scores <= 1.0)).all():
        raise InputError("clean_trust must be a flat list of trust scores in [0, 1]")
    _check_share("false_alarms", false_alarms)
    count = len(scores)
    if confidence is None:
        rank = math.floor(false_alarms * (count + 1) + 1e-9)
    else:
        _check_share("confidence", confidence)
        beta = optional_import("scipy.stats", extra="bench", purpose="a conformal threshold").beta
        ranks = np.arange(1, count + 1)
        rank = int((beta.cdf(false_alarms, ranks, count + 1 - ranks) >= confidence).sum())
    threshold = float(scores[rank - 1]) if rank else 0.0
    return ConformalThreshold(threshold, rank, count, false_alarms, confidence)


def samples_needed(*, false_alarms: float = 0.10, confidence: float = 0.90) -> int:
    """The fewest clean samples from which a threshold above 0 can be had: 22 for 10 % at 90 %."""
    _check_share("false_alarms", false_alarms)
    _check_share("confidence", confidence)
    return math.ceil(math.log(1.0 - confidence) / math.log(1.0 - false_alarms) - 1e-9)


def _check_share(name: str, value: float) -> None:
    if not 0.0 < value < 1.0:
        raise InputError(f"{name} must lie between 0 and 1, for example 0.1; got {value!r}")
