"""Studies of a stored detection run: what each part contributes, and what a fitted threshold is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.errors import InputError
from ragstone.experiments.detection_record import DetectionRecord, Part
from ragstone.experiments.detection_scores import Share, share_of
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.studies import SignalTable
from ragstone.experiments.thresholds import ThresholdStudy, threshold_study
from ragstone.screening.aggregate import batch_poison, passage_poison
from ragstone.settings import SIGNALS
from ragstone.stats import Resampling
from ragstone.types import Passage

__all__ = ["StudySamples", "baseline_shares", "poison_without", "study_samples", "threshold_effect"]

SEED = 42


@dataclass(frozen=True)
class StudySamples:
    """The scored samples of part A and of one strategy's part B, and their signals against one kind of truth."""

    records: tuple[DetectionRecord, ...]
    signals: SignalTable

    @property
    def questions(self) -> list[str]:
        return [record.sample_id for record in self.records]

    @property
    def trust(self) -> NDArray[np.float64]:
        return np.array([record.trust for record in self.records], dtype=float)


def study_samples(run: StoredRun, strategy: str | None = None, *, truth: str = "retrieval") -> StudySamples:
    """Samples of the first repeat; ``truth`` is ``retrieval`` or ``document``; default strategy: the run's main one.

    Raises InputError for a run of screening alone, whose trust has no factuality to study.
    """
    trial = run.trial(strategy or run.main_strategy)
    kept = tuple(record for record in trial.records if record.factuality is not None and record.trust is not None)
    if not kept:
        raise InputError(f"run {run.name!r} has no answers, so factuality cannot be studied; run it with a generator")
    poisoned = [r.retrieved_poison if truth == "retrieval" else r.poisoned for r in kept]
    return StudySamples(
        kept,
        SignalTable(
            factuality=_column([r.factuality for r in kept]),
            consistency=_column([r.consistency for r in kept]),
            poison=_column([r.poison for r in kept]),
            poisoned=np.array(poisoned, dtype=bool),
            best_score=_column([r.best_score for r in kept]),
        ),
    )


def poison_without(records: Sequence[DetectionRecord], flag_threshold: float) -> dict[str, NDArray[np.float64]]:
    """P of every sample, shape (N,), aggregated anew without the findings of each signal in turn."""
    return {
        signal: np.array([_poison(record, signal, flag_threshold) for record in records], dtype=float)
        for signal in SIGNALS
    }


def threshold_effect(
    samples: StudySamples, threshold: float, *, resampling: Resampling | None = None
) -> ThresholdStudy:
    """Tau as the 10th percentile of clean trust on half of the questions, beside ``threshold`` on the other half."""
    return threshold_study(
        samples.trust,
        samples.signals.poisoned,
        generator=np.random.default_rng(SEED),
        groups=samples.questions,
        default=threshold,
        resampling=resampling,
    )


def baseline_shares(run: StoredRun) -> dict[str, Share]:
    """How often F stood on its inconclusive baseline, by part, over the scored samples of all repeats."""
    parts = {"clean": Part.CLEAN, "poisoned": Part.POISONED, "control": Part.CONTROL}
    shares = {
        name: share_of(r.on_baseline for r in run.arm(part, repeat=None) if r.on_baseline is not None)
        for name, part in parts.items()
    }
    return {name: share for name, share in shares.items() if share.total}


def _poison(record: DetectionRecord, left_out: str, flag_threshold: float) -> float:
    severities: dict[str, list[float]] = {passage.id: [] for passage in record.passages}
    for finding in record.findings:
        if finding.signal != left_out:
            severities[finding.passage].append(finding.severity)
    passages = [Passage(passage.id, "", score=passage.score) for passage in record.passages]
    return batch_poison(passages, [passage_poison(severities[p.id]) for p in passages], flag_threshold)


def _column(values: Sequence[float | None]) -> NDArray[np.float64]:
    return np.array([np.nan if value is None else value for value in values], dtype=float)
