"""What each signal and each trivial detector tells by itself, and how all of them take benign edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.errors import optional_import
from ragstone.experiments.detection_record import DetectionRecord, Part, RetrievedPassage
from ragstone.experiments.detection_scores import Share, share_of
from ragstone.experiments.stored_runs import StoredRun, Trial
from ragstone.stats import Confusion

__all__ = ["ControlScores", "DetectorScores", "SignalScores", "detector_scores", "score_controls", "signal_scores"]

FALSE_ALARMS = 0.10


@dataclass(frozen=True, slots=True)
class SignalScores:
    """One poison signal: on which passages it found anything, and how often with a severity that flags by itself.

    ``found`` counts any finding as a flag; ``strong`` only severities above the flag threshold.
    """

    signal: str
    found: Confusion
    strong: Confusion


def signal_scores(trial: Trial, flag_threshold: float) -> list[SignalScores]:
    """Every signal that found something, over the passages of every retrieval of the trial."""
    rows: dict[str, list[tuple[float, bool]]] = {}
    names = sorted({finding.signal for record in trial.records for finding in record.findings})
    for record in trial.records:
        severity: dict[tuple[str, str], float] = {}
        for finding in record.findings:
            key = (finding.signal, finding.passage)
            severity[key] = max(severity.get(key, 0.0), finding.severity)
        for passage in record.passages:
            for name in names:
                rows.setdefault(name, []).append((severity.get((name, passage.id), 0.0), passage.strategy is not None))
    return [
        SignalScores(
            name,
            found=_confusion([s > 0.0 for s, _ in pairs], [p for _, p in pairs]),
            strong=_confusion([s > flag_threshold for s, _ in pairs], [p for _, p in pairs]),
        )
        for name, pairs in rows.items()
    ]


@dataclass(frozen=True, slots=True)
class DetectorScores:
    """A score for suspicion, higher meaning more suspicious, without any threshold chosen.

    ROC-AUC over samples (retrieval-grounded) and over passages; ``recall`` is that of samples at the threshold which
    raises an alarm on at most one in ten samples of part A.
    """

    name: str
    roc_auc: float | None
    average_precision: float | None
    passage_roc_auc: float | None
    recall: Share


Feature = Callable[[RetrievedPassage], float | None]
_PASSAGE_FEATURES: dict[str, Feature] = {
    "Ragstone": lambda passage: passage.poison,
    "Query overlap": lambda passage: passage.overlap,
    "Nearest neighbour": lambda passage: passage.neighbour,
    "Length": lambda passage: float(passage.words),
}


def detector_scores(trial: Trial) -> list[DetectorScores]:
    """Ragstone (1 - T of a sample, P of a passage) and the trivial detectors, which take a sample's greatest value."""
    records = [record for record in trial.records if record.trust is not None and record.passages]
    return [_detector(name, feature, records) for name, feature in _PASSAGE_FEATURES.items()] if records else []


def _detector(name: str, feature: Feature, records: Sequence[DetectionRecord]) -> DetectorScores:
    def of_sample(record: DetectionRecord) -> float:
        if name == "Ragstone":
            return 1.0 - (record.trust or 0.0)
        return max((value for p in record.passages if (value := feature(p)) is not None), default=0.0)

    values = np.array([of_sample(record) for record in records])
    poisoned = np.array([record.retrieved_poison for record in records], dtype=bool)
    clean = np.array([record.part is Part.CLEAN for record in records], dtype=bool)
    passages = [(v, p.strategy is not None) for r in records for p in r.passages if (v := feature(p)) is not None]
    flagged = values > _alarm_threshold(values[clean]) if clean.any() else np.zeros(len(values), dtype=bool)
    return DetectorScores(
        name,
        roc_auc=_metric("roc_auc_score", poisoned, values),
        average_precision=_metric("average_precision_score", poisoned, values),
        passage_roc_auc=_metric(
            "roc_auc_score", np.array([p for _, p in passages], dtype=bool), np.array([v for v, _ in passages])
        ),
        recall=share_of(bool(f) for f in flagged[poisoned]),
    )


def _alarm_threshold(clean: np.ndarray) -> float:
    """The least value that at most one in ten clean samples exceed."""
    ordered = np.sort(clean)[::-1]
    return float(ordered[int(FALSE_ALARMS * len(ordered))])


@dataclass(frozen=True, slots=True)
class ControlScores:
    """False alarms on benign edits: of all samples that retrieved an edited passage, and of the same questions without
    the edits; flags on edited passages, and on those left alone; false alarms by kind of edit."""

    edited: Share
    unedited: Share
    edited_passages: Share
    other_passages: Share
    by_kind: dict[str, Share]


def score_controls(run: StoredRun) -> ControlScores | None:
    """None when the run has no control."""
    control = run.arm(Part.CONTROL)
    if not control:
        return None
    clean = {record.index: record for record in run.arm(Part.CLEAN)}
    edited = [record for record in control if record.trust is not None and _kinds(record)]
    before = [clean[record.index] for record in edited if record.index in clean]
    passages = [passage for record in control for passage in record.passages]
    kinds = sorted({kind for record in edited for kind in _kinds(record)})
    return ControlScores(
        edited=share_of(_alarm(record, run.threshold) for record in edited),
        unedited=share_of(_alarm(record, run.threshold) for record in before if record.trust is not None),
        edited_passages=share_of(p.flagged for p in passages if p.edit is not None),
        other_passages=share_of(p.flagged for p in passages if p.edit is None),
        by_kind={kind: share_of(_alarm(r, run.threshold) for r in edited if kind in _kinds(r)) for kind in kinds},
    )


def _alarm(record: DetectionRecord, threshold: float) -> bool:
    return record.trust is not None and record.trust < threshold


def _kinds(record: DetectionRecord) -> set[str]:
    return {passage.edit for passage in record.passages if passage.edit is not None}


def _metric(name: str, truth: np.ndarray, values: np.ndarray) -> float | None:
    if truth.all() or not truth.any():
        return None
    metrics = optional_import("sklearn.metrics", extra="bench", purpose="ROC-AUC")
    return float(getattr(metrics, name)(truth, values))


def _confusion(flagged: list[bool], truth: list[bool]) -> Confusion:
    return Confusion.of(np.array(flagged, dtype=bool), np.array(truth, dtype=bool))
