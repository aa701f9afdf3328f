"""Weights, dampener and tau fitted together (paper 000, section VII), judged by cross-validation.

The search is over a grid, by the product's own arithmetic. A fit on few samples flatters itself, so only predictions
on questions that the fit did not see are scored.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.errors import InputError
from ragstone.experiments.studies import SignalTable, trust_scores
from ragstone.settings import TrustSettings
from ragstone.stats import Confusion, DetectionScores, Resampling, score_detection

__all__ = ["JointFit", "fit_jointly"]

Floats = NDArray[np.float64]
_STEP = 0.10
_STARTS = (0.50, 0.60, 0.70, 0.80)
_STRENGTHS = (0.20, 0.40, 0.60, 0.80)
_THRESHOLDS = np.round(np.arange(0.20, 0.951, 0.01), 2)


@dataclass(frozen=True, slots=True)
class JointFit:
    """``settings`` are fitted on all samples; how well such a fit does is told by ``held_out`` alone.

    ``held_out`` counts predictions for questions outside each fold's fit; ``default`` those of the settings given, on
    the same samples. ``by_fold`` are the settings of each fold: how far they differ is how little the data says.
    """

    settings: TrustSettings
    held_out: Confusion
    default: DetectionScores
    by_fold: tuple[TrustSettings, ...]


def fit_jointly(
    signals: SignalTable,
    groups: Sequence[Hashable],
    base: TrustSettings,
    *,
    false_alarms: float = 0.10,
    folds: int = 5,
    seed: int = 0,
    resampling: Resampling | None = None,
) -> JointFit:
    """Search the settings with the highest F1 among those that flag at most ``false_alarms`` of the clean samples.

    ``groups`` names each sample's question, which stays in one fold. Of equally good settings the ones nearest to
    ``base`` are taken. Raises InputError when there are fewer questions
    than folds, or nothing poisoned or nothing clean to fit on.
    """
    names = list(dict.fromkeys(groups))
    if len(groups) != len(signals.poisoned):
        raise InputError(f"{len(groups)} group identifiers do not fit {len(signals.poisoned)} samples")
    if not 2 <= folds <= len(names):
        raise InputError(f"{len(names)} questions cannot be split into {folds} folds")
    if signals.poisoned.all() or not signals.poisoned.any():
        raise InputError("a joint fit needs samples of both kinds, clean and poisoned")
    candidates = _candidates(base)
    trust = np.stack([trust_scores(signals, candidate) for candidate in candidates])
    order = np.random.default_rng(seed).permutation(len(names))
    fold_of = {names[index]: place % folds for place, index in enumerate(order)}
    fold = np.array([fold_of[group] for group in groups])
    flagged = np.zeros(len(fold), dtype=bool)
    chosen = []
    for number in range(folds):
        inside = fold != number
        settings, index = _best(trust[:, inside], signals.poisoned[inside], candidates, false_alarms)
        chosen.append(settings)
        flagged[~inside] = trust[index, ~inside] < settings.threshold
    return JointFit(
        settings=_best(trust, signals.poisoned, candidates, false_alarms)[0],
        held_out=Confusion.of(flagged, signals.poisoned),
        default=score_detection(
            trust_scores(signals, base),
            signals.poisoned,
            threshold=base.threshold,
            clusters=groups,
            resampling=resampling,
        ),
        by_fold=tuple(chosen),
    )


def _candidates(base: TrustSettings) -> list[TrustSettings]:
    """The grid, nearest to ``base`` first."""
    parts = round(1.0 / _STEP)
    weights = [(f, c, parts - f - c) for f in range(parts + 1) for c in range(parts + 1 - f)]
    found = [
        base.model_copy(
            update={
                "factuality_weight": f / parts,
                "consistency_weight": c / parts,
                "poison_weight": p / parts,
                "dampener_start": start,
                "dampener_strength": strength,
            }
        )
        for (f, c, p), start, strength in itertools.product(weights, _STARTS, _STRENGTHS)
    ]
    return sorted(found, key=lambda settings: _distance(settings, base))


def _distance(settings: TrustSettings, base: TrustSettings) -> float:
    names = ("factuality_weight", "consistency_weight", "poison_weight", "dampener_start", "dampener_strength")
    return float(sum(abs(getattr(settings, name) - getattr(base, name)) for name in names))


def _best(
    trust: Floats, poisoned: NDArray[np.bool_], candidates: Sequence[TrustSettings], false_alarms: float
) -> tuple[TrustSettings, int]:
    """The candidate and threshold of the highest F1; ``trust`` has shape (candidates, samples)."""
    allowed = false_alarms * (~poisoned).sum()
    best, found = -1.0, (0, 0)
    for index, scores in enumerate(trust):
        flagged = scores[None, :] < _THRESHOLDS[:, None]
        hits = (flagged & poisoned).sum(axis=1)
        f1 = 2.0 * hits / (flagged.sum(axis=1) + poisoned.sum())
        f1[(flagged & ~poisoned).sum(axis=1) > allowed] = -1.0
        place = int(f1.argmax())
        if f1[place] > best + 1e-12:
            best, found = float(f1[place]), (index, place)
    index, place = found
    return candidates[index].model_copy(update={"threshold": float(_THRESHOLDS[place])}), index
