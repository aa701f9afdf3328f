"""Studies that need no new generation: the Trust Index recomputed from stored signals (paper 000, section V-B)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ragstone.errors import InputError
from ragstone.settings import Settings, TrustSettings
from ragstone.stats import Confusion, DetectionScores, Resampling, score_detection
from ragstone.trust import trust_index
from ragstone.types import Components

__all__ = [
    "Sensitivity",
    "SignalTable",
    "WeightSetting",
    "ablation",
    "leave_one_component_out",
    "leave_one_signal_out",
    "trust_scores",
    "weight_sensitivity",
]

Floats = NDArray[np.float64]
_WEIGHTS = ("factuality_weight", "consistency_weight", "poison_weight")


@dataclass(frozen=True, slots=True)
class SignalTable:
    """Stored signals of N samples: F, C and P in [0, 1] and the label, vectors of shape (N,).

    NaN in ``consistency`` means it was not measured. ``best_score`` is the best retrieval similarity in [-1, 1] of
    each sample, NaN where unknown; None when it was not stored at all.
    """

    factuality: Floats
    consistency: Floats
    poison: Floats
    poisoned: NDArray[np.bool_]
    best_score: Floats | None = None

    def __post_init__(self) -> None:
        size = len(self.poisoned)
        for name, low, may_lack in (
            ("factuality", 0.0, False),
            ("consistency", 0.0, True),
            ("poison", 0.0, False),
            ("best_score", -1.0, True),
        ):
            values = getattr(self, name)
            if values is None and name == "best_score":
                continue
            if np.shape(values) != (size,):
                raise InputError(f"{name} has shape {np.shape(values)}, but there are {size} labels")
            inside = (values >= low) & (values <= 1.0) | (np.isnan(values) & may_lack)
            if not inside.all():
                raise InputError(f"{name} must lie in [{low:g}, 1], got {float(values[~inside][0])!r}")


def trust_scores(signals: SignalTable, settings: TrustSettings) -> Floats:
    """T of every sample, shape (N,), by :func:`ragstone.trust.trust_index`."""
    best = np.full(len(signals.poisoned), np.nan) if signals.best_score is None else signals.best_score
    rows = zip(signals.factuality, signals.consistency, signals.poison, best, strict=True)
    return np.array(
        [trust_index(Components(float(f), _known(c), float(p)), _known(score), settings) for f, c, p, score in rows]
    )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def ablation(
    signals: SignalTable, settings: TrustSettings | None = None, *, resampling: Resampling | None = None
) -> dict[str, DetectionScores]:
    """The five configurations of paper 000's Table II, by name, at the threshold of ``settings``.

    The poison detector alone scores 1 - P, NLI alone F, and NLI with consistency the two at their relative weights.
    Only the last configuration has the dampener and the low-retrieval modifier.
    """
    base = settings or Settings().trust
    configurations = {
        "Poison detector only": _only(base, "poison_weight"),
        "NLI only": _only(base, "factuality_weight"),
        "NLI + Consistency": _only(base, "factuality_weight", "consistency_weight"),
        "Full Trust Index": _only(base, *_WEIGHTS),
    }
    linear = replace(signals, best_score=None)
    scores = {name: _score(linear, chosen, resampling) for name, chosen in configurations.items()}
    scores["Full + Dampener"] = _score(signals, base, resampling)
    return scores


def leave_one_component_out(
    signals: SignalTable, settings: TrustSettings | None = None, *, resampling: Resampling | None = None
) -> dict[str, DetectionScores]:
    """The Trust Index with all, and with each of F, C and P left out (weights of the others renormalised).

    Without P there is no dampener either: its only input is P.
    """
    base = settings or Settings().trust
    scores = {"all": _score(signals, base, resampling)}
    for name in _WEIGHTS:
        rest = base.model_copy(update={name: 0.0})
        table = signals if name != "poison_weight" else replace(signals, poison=np.zeros_like(signals.poison))
        scores[f"without {name.removesuffix('_weight')}"] = _score(table, rest, resampling)
    return scores


def leave_one_signal_out(
    signals: SignalTable,
    poison_without: Mapping[str, Floats],
    settings: TrustSettings | None = None,
    *,
    resampling: Resampling | None = None,
) -> dict[str, DetectionScores]:
    """The Trust Index with all poison signals, and with each left out.

    ``poison_without`` maps a signal's name to P of every sample, shape (N,), aggregated without that signal's findings.
    """
    base = settings or Settings().trust
    scores = {"all": _score(signals, base, resampling)}
    for name, poison in poison_without.items():
        scores[f"without {name}"] = _score(replace(signals, poison=poison), base, resampling)
    return scores


@dataclass(frozen=True, slots=True)
class WeightSetting:
    """One perturbation: the normalised weights of F, C and 1 - P, and what it detects."""

    weights: tuple[float, float, float]
    confusion: Confusion


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """All perturbations beside the unperturbed weights."""

    default: WeightSetting
    settings: tuple[WeightSetting, ...]

    def range_of(self, metric: str) -> tuple[float, float] | None:
        """Least and greatest ``accuracy``, ``precision``, ``recall`` or ``f1``; None where it is never defined."""
        values = [v for setting in self.settings if (v := getattr(setting.confusion, metric)) is not None]
        return (min(values), max(values)) if values else None

    @property
    def better(self) -> tuple[WeightSetting, ...]:
        """Settings with a higher accuracy or a higher F1 than the default weights."""
        reference = self.default.confusion
        return tuple(
            setting
            for setting in self.settings
            if any(
                (getattr(setting.confusion, metric) or 0.0) > (getattr(reference, metric) or 0.0)
                for metric in ("accuracy", "f1")
            )
        )


def weight_sensitivity(
    signals: SignalTable,
    settings: TrustSettings | None = None,
    *,
    offsets: Sequence[float] = (-0.10, -0.05, 0.0, 0.05, 0.10),
) -> Sensitivity:
    """Every combination of ``offsets`` added to the three weights, which are then renormalised (125 by default).

    Paper 000, section V-B, gives the span, ±0.10, and the number of settings; five equal steps on each weight are the
    grid that has that number. A weight is never moved below 0.
    """
    base = settings or Settings().trust
    centre = tuple(getattr(base, name) for name in _WEIGHTS)
    tried = []
    for moves in itertools.product(offsets, repeat=3):
        weights = [min(max(weight + move, 0.0), 1.0) for weight, move in zip(centre, moves, strict=True)]
        if sum(weights) > 0.0:
            tried.append(_weighted(signals, base, weights))
    return Sensitivity(_weighted(signals, base, centre), tuple(tried))


def _weighted(signals: SignalTable, base: TrustSettings, weights: Sequence[float]) -> WeightSetting:
    total = sum(weights)
    first, second, third = (weight / total for weight in weights)
    chosen = base.model_copy(update=dict(zip(_WEIGHTS, (first, second, third), strict=True)))
    return WeightSetting(
        (first, second, third), Confusion.of(trust_scores(signals, chosen) < base.threshold, signals.poisoned)
    )


def _only(base: TrustSettings, *kept: str) -> TrustSettings:
    """``base`` with the other weights at 0 and without the dampener."""
    return base.model_copy(
        update={"dampener_strength": 0.0} | {name: 0.0 for name in _WEIGHTS if name not in kept},
    )


def _score(signals: SignalTable, settings: TrustSettings, resampling: Resampling | None) -> DetectionScores:
    return score_detection(
        trust_scores(signals, settings), signals.poisoned, threshold=settings.threshold, resampling=resampling
    )
