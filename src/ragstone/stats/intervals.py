"""Confidence intervals: Wilson's for a proportion, and how a bootstrap is to be drawn (paper 000, section IV)."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.errors import InputError, optional_import

__all__ = ["STATISTIC_NAMES", "Interval", "Resampling", "check_level", "wilson_interval"]

STATISTIC_NAMES = ("f1", "separation", "roc_auc", "average_precision")


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided confidence interval, in the units of what it bounds; ``level`` is in (0, 1)."""

    low: float
    high: float
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class Resampling:
    """A percentile bootstrap: ``resamples`` (B) draws with replacement from a generator seeded with ``seed``.

    ``statistics`` says which metrics get an interval. Paper 000 uses B = 20,000 and names no seed for it.
    """

    resamples: int = 20_000
    seed: int = 0
    level: float = 0.95
    statistics: tuple[str, ...] = STATISTIC_NAMES

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise InputError(f"a bootstrap needs at least 1 resample, got {self.resamples}")
        check_level(self.level)
        if unknown := [name for name in self.statistics if name not in STATISTIC_NAMES]:
            raise InputError(f"cannot resample {unknown[0]!r}; known statistics: {', '.join(STATISTIC_NAMES)}")


def check_level(level: float) -> None:
    if not 0.0 < level < 1.0:
        raise InputError(f"a confidence level lies between 0 and 1, for example 0.95; got {level!r}")


def wilson_interval(successes: int, total: int, *, level: float = 0.95) -> Interval | None:
    """Wilson score interval of ``successes / total``; None when ``total`` is 0, where the proportion is undefined.

    Wilson (1927), by :func:`statsmodels.stats.proportion.proportion_confint`. Raises :class:`InputError` when
    ``successes`` is not between 0 and ``total``.
    """
    check_level(level)
    if not 0 <= successes <= total:
        raise InputError(f"successes must lie between 0 and the total, got {successes} of {total}")
    if total == 0:
        return None
    proportion = optional_import("statsmodels.stats.proportion", extra="bench", purpose="a Wilson interval")
    low, high = proportion.proportion_confint(successes, total, alpha=1.0 - level, method="wilson")
    return Interval(min(max(float(low), 0.0), 1.0), min(max(float(high), 0.0), 1.0), level)
