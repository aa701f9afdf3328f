"""Calibration when labels are scarce and the corpus keeps changing: what holds and what does not.

Paper 000, section VII, leaves open how to keep a threshold where the corpus is updated all the time and few samples
are labelled. Two simulations on stored samples answer for a run: thresholds from few clean labels, and thresholds kept
or refitted while a growing part of the questions meets a poisoned corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.calibration import conformal_threshold
from ragstone.experiments.detection_record import DetectionRecord, Part
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.thresholds import fit_threshold

__all__ = ["POLICIES", "DriftStep", "ScarceLabels", "drift", "scarce_labels"]

Floats = NDArray[np.float64]
TARGET = 0.10
SIZES = (5, 10, 20, 40, 80, 160)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_DRAWS = 500
_ROUNDS = 300
_LABELS = 10


@dataclass(frozen=True, slots=True)
class ScarceLabels:
    """``method`` fitted on ``labels`` clean samples: its false-alarm rate on the other questions over many draws.

    ``broken`` is the share of draws whose rate exceeds the target of 10 %; ``recall`` is that of poisoned samples.
    """

    method: str
    labels: int
    mean: float
    low: float
    high: float
    broken: float
    recall: float | None


Fit = Callable[[Floats], float]
_METHODS: dict[str, Fit] = {
    "10th percentile": lambda scores: fit_threshold(scores),
    "conformal, on average": lambda scores: conformal_threshold(scores, false_alarms=TARGET, confidence=None).threshold,
    "conformal, 90 % confidence": lambda scores: conformal_threshold(scores, false_alarms=TARGET).threshold,
}


def scarce_labels(
    run: StoredRun, *, sizes: Sequence[int] = SIZES, draws: int = _DRAWS, seed: int = 42
) -> list[ScarceLabels]:
    """Each method at each size that leaves at least as many questions to judge on as it fits on."""
    clean, poisoned = _trust_by_question(run)
    names = sorted(clean)
    rows = []
    for size in sizes:
        if 2 * size > len(names):
            break
        generator = np.random.default_rng(seed)
        drawn = [generator.permutation(len(names)) for _ in range(draws)]
        for method, fit in _METHODS.items():
            rates, recalls = [], []
            for order in drawn:
                threshold = fit(np.array([clean[names[i]] for i in order[:size]]))
                others = [names[i] for i in order[size:]]
                rates.append(np.mean([clean[name] < threshold for name in others]))
                hits = [poisoned[name] < threshold for name in others if name in poisoned]
                if hits:
                    recalls.append(np.mean(hits))
            low, high = np.percentile(rates, [5.0, 95.0])
            rows.append(
                ScarceLabels(
                    method,
                    size,
                    float(np.mean(rates)),
                    float(low),
                    float(high),
                    float(np.mean(np.array(rates) > TARGET)),
                    float(np.mean(recalls)) if recalls else None,
                )
            )
    return rows


@dataclass(frozen=True, slots=True)
class DriftStep:
    """One policy at one stage of the drift; means over rounds, None where nothing of the kind came up."""

    policy: str
    share: float
    false_alarms: float | None
    recall: float | None


POLICIES = ("fixed", "refitted without labels", "refitted on clean labels")


def drift(run: StoredRun, *, rounds: int = _ROUNDS, seed: int = 42) -> list[DriftStep]:
    """A stream of windows in which a growing share of questions meets the poisoned corpus.

    The first window is clean and sets tau, the 10th percentile. Then tau stays fixed; or is refitted on the window
    before as if all of it were clean; or on a few samples of the window before that are known to be clean.
    """
    arm = {record.index: record for record in run.arm(Part.CLEAN) if record.trust is not None}
    part_b = {r.index: r for r in run.arm(Part.POISONED, run.main_strategy) if r.trust is not None}
    both = sorted(arm.keys() & part_b.keys())
    width = len(both) // (len(SHARES) + 1)
    if width < _LABELS // 2:
        return []
    generator = np.random.default_rng(seed)
    seen: dict[tuple[str, float], tuple[list[float], list[float]]] = {}
    for _ in range(rounds):
        order = generator.permutation(both)
        window = [arm[index] for index in order[:width]]
        fixed = _percentile(window)
        for number, share in enumerate(SHARES, start=1):
            labelled = [r for r in window if not r.retrieved_poison][:_LABELS]
            thresholds = (fixed, _percentile(window), _percentile(labelled) if labelled else fixed)
            indices = order[number * width : (number + 1) * width]
            window = [part_b[i] if generator.random() < share else arm[i] for i in indices]
            for policy, threshold in zip(POLICIES, thresholds, strict=True):
                alarms, hits = seen.setdefault((policy, share), ([], []))
                alarms += [float(_trust(r) < threshold) for r in window if not r.retrieved_poison]
                hits += [float(_trust(r) < threshold) for r in window if r.retrieved_poison]
    return [
        DriftStep(policy, share, *(float(np.mean(found)) if found else None for found in seen[policy, share]))
        for policy in POLICIES
        for share in SHARES
    ]


def _trust_by_question(run: StoredRun) -> tuple[dict[str, float], dict[str, float]]:
    """Clean trust of part A, and trust of the samples of part B that retrieved poison, by question."""
    clean = {r.sample_id: r.trust for r in run.arm(Part.CLEAN) if r.trust is not None}
    part_b = run.arm(Part.POISONED, run.main_strategy)
    return clean, {r.sample_id: r.trust for r in part_b if r.trust is not None and r.retrieved_poison}


def _percentile(records: Sequence[DetectionRecord]) -> float:
    return fit_threshold([_trust(record) for record in records])


def _trust(record: DetectionRecord) -> float:
    return record.trust if record.trust is not None else 1.0
