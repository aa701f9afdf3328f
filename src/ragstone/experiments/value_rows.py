"""Rows of the benchmark's tables, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragstone.experiments.detection_scores import Share
from ragstone.experiments.tables import ACCURACY, DELTA, F1, PRECISION, RECALL, ROC_AUC, Column, describe_scores
from ragstone.stats import Confusion, DetectionScores, Interval, wilson_interval

__all__ = [
    "AVERAGE_PRECISION",
    "POISONED",
    "SAMPLES",
    "SCORES",
    "ValueRow",
    "confusion_row",
    "detection_row",
    "share_row",
    "title_of",
]

AVERAGE_PRECISION = Column("average_precision", "AP", 3, percent=False)
POISONED = Column("poisoned", "Poisoned", 0, percent=False)
SAMPLES = Column("samples", "Samples", 0, percent=False)
UNSCORED = Column("unscored", "Unscored", 0, percent=False)
NAIVE = Column("naive", "Always trust, acc. %", 1)
SCORES = (SAMPLES, POISONED, UNSCORED, ACCURACY, PRECISION, RECALL, F1, DELTA, ROC_AUC, AVERAGE_PRECISION, NAIVE)


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A row with its intervals; both by column key, proportions in [0, 1]."""

    labels: Mapping[str, str]
    cells: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None] = field(default_factory=dict)
    further: Mapping[str, Any] = field(default_factory=dict)

    def values(self) -> dict[str, float | None]:
        return dict(self.cells)

    def details(self) -> dict[str, Any]:
        bounds = {key: [i.low, i.high] for key, i in self.intervals.items() if i is not None}
        return {**self.further, **({"intervals": bounds} if bounds else {})}


def title_of(strategy: str) -> str:
    """ "Instruction injection" for ``instruction_injection`` and for ``secure_instruction_injection``."""
    name = strategy.removeprefix("secure_").replace("_", " ")
    return name[:1].upper() + name[1:]


def detection_row(labels: Mapping[str, str], scores: DetectionScores) -> ValueRow:
    """The metrics of one strategy or configuration with their intervals."""
    estimates = {
        "accuracy": scores.accuracy,
        "precision": scores.precision,
        "recall": scores.recall,
        "f1": scores.f1,
        "delta": scores.separation,
        "roc_auc": scores.roc_auc,
        "average_precision": scores.average_precision,
    }
    cells = {
        "samples": float(scores.samples),
        "unscored": float(scores.unscored),
        "poisoned": float(scores.confusion.poisoned + scores.unscored_poisoned),
        "naive": scores.naive_accuracy,
        **{key: estimate.value for key, estimate in estimates.items()},
    }
    intervals = {key: estimate.interval for key, estimate in estimates.items()}
    return ValueRow(labels, cells, intervals, describe_scores(scores))


def confusion_row(labels: Mapping[str, str], confusion: Confusion) -> ValueRow:
    """Precision, recall and F1 of counts, with Wilson intervals."""
    cells: dict[str, float | None] = {
        "flagged": float(confusion.flagged),
        "poisoned": float(confusion.poisoned),
        "samples": float(confusion.total),
        "precision": confusion.precision,
        "recall": confusion.recall,
        "f1": confusion.f1,
    }
    intervals = {
        "precision": wilson_interval(confusion.true_positives, confusion.flagged),
        "recall": wilson_interval(confusion.true_positives, confusion.poisoned),
    }
    return ValueRow(labels, cells, intervals)


def share_row(labels: Mapping[str, str], shares: Mapping[str, Share]) -> ValueRow:
    """Shares by column key, with Wilson intervals."""
    return ValueRow(
        labels,
        {key: share.value for key, share in shares.items()},
        {key: share.interval for key, share in shares.items()},
    )
