"""Tables of results: typed rows that keep full precision, and how a column is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ragstone.stats import Confusion, DetectionScores, Estimate, MeanDeviation

__all__ = [
    "BaselineRow",
    "Column",
    "DetectionRow",
    "Row",
    "Table",
    "ThresholdRow",
    "VarianceRow",
]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the key of its value, its heading, and how many decimals are printed, per cent or plain."""

    key: str
    heading: str
    decimals: int
    percent: bool = True

    def scaled(self, value: float | None) -> float | None:
        """``value`` in the printed unit, not rounded."""
        return 100.0 * value if value is not None and self.percent else value

    def text(self, value: float | None) -> str:
        """As printed; ``n/a`` for an undefined value."""
        scaled = self.scaled(value)
        return "n/a" if scaled is None else f"{scaled:.{self.decimals}f}"

    def rounded(self, value: float | None) -> float | None:
        return None if value is None else float(self.text(value))


ACCURACY = Column("accuracy", "Acc. %", 1)
PRECISION = Column("precision", "Prec. %", 1)
RECALL = Column("recall", "Rec. %", 1)
F1 = Column("f1", "F1 %", 1)
DELTA = Column("delta", "Δ", 3, percent=False)
ROC_AUC = Column("roc_auc", "ROC-AUC", 3, percent=False)
THRESHOLD = Column("threshold", "τ", 2, percent=False)
DETECTION = (ACCURACY, PRECISION, RECALL, F1)


class Row(Protocol):
    """What a table is made of."""

    @property
    def labels(self) -> Mapping[str, str]:
        """What the row is about: heading to text, in order."""

    def values(self) -> dict[str, float | None]:
        """Unrounded values by column key; proportions in [0, 1], None where undefined."""

    def details(self) -> dict[str, Any]:
        """What stands behind the row: runs, counts, intervals (proportions in [0, 1])."""


@dataclass(frozen=True, slots=True)
class DetectionRow:
    """Detection scores of one run or configuration."""

    labels: Mapping[str, str]
    runs: tuple[str, ...]
    scores: DetectionScores

    def values(self) -> dict[str, float | None]:
        scores = self.scores
        return {
            "accuracy": scores.accuracy.value,
            "precision": scores.precision.value,
            "recall": scores.recall.value,
            "f1": scores.f1.value,
            "delta": scores.separation.value,
        }

    def details(self) -> dict[str, Any]:
        return {"runs": list(self.runs), **describe_scores(self.scores)}


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """Always trust: it flags nothing, so only its accuracy says something."""

    labels: Mapping[str, str]
    accuracy: float | None

    def values(self) -> dict[str, float | None]:
        return {"accuracy": self.accuracy, "precision": None, "recall": None, "f1": None, "delta": None}

    def details(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """One threshold of one generator, on held-out samples; ``roc_auc`` is over all of the generator's samples."""

    labels: Mapping[str, str]
    runs: tuple[str, ...]
    scores: DetectionScores
    roc_auc: float | None

    def values(self) -> dict[str, float | None]:
        scores = self.scores
        return {
            "threshold": scores.threshold,
            "accuracy": scores.accuracy.value,
            "precision": scores.precision.value,
            "recall": scores.recall.value,
            "f1": scores.f1.value,
            "roc_auc": self.roc_auc,
        }

    def details(self) -> dict[str, Any]:
        return {"runs": list(self.runs), **describe_scores(self.scores)}


@dataclass(frozen=True, slots=True)
class VarianceRow:
    """Mean and population deviation of accuracy, recall and F1 over repeated runs."""

    labels: Mapping[str, str]
    runs: tuple[str, ...]
    accuracy: MeanDeviation | None
    recall: MeanDeviation | None
    f1: MeanDeviation | None

    def values(self) -> dict[str, float | None]:
        found: dict[str, float | None] = {"repeats": float(len(self.runs))}
        for key, summary in (("accuracy", self.accuracy), ("recall", self.recall), ("f1", self.f1)):
            found[key] = summary.mean if summary else None
            found[f"{key}_sd"] = summary.deviation if summary else None
        return found

    def details(self) -> dict[str, Any]:
        return {"runs": list(self.runs)}


@dataclass(frozen=True, slots=True)
class Table:
    """A numbered table of the paper."""

    number: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def as_json(self) -> list[dict[str, Any]]:
        """Rows as printed: proportions in per cent, rounded; None where undefined; ``details`` are not rounded."""
        return [
            {
                **{heading.lower(): text for heading, text in row.labels.items()},
                **{column.key: column.rounded(row.values()[column.key]) for column in self.columns},
                "details": row.details(),
            }
            for row in self.rows
        ]


def describe_scores(scores: DetectionScores) -> dict[str, Any]:
    """Counts, scores that no column shows, and intervals as ``[low, high]``."""
    return {
        "samples": scores.samples,
        "unscored": scores.unscored,
        "counts": describe_counts(scores.confusion),
        "roc_auc": scores.roc_auc.value,
        "average_precision": scores.average_precision.value,
        "naive_accuracy": scores.naive_accuracy,
        "intervals": {
            name: bounds
            for name in ("accuracy", "precision", "recall", "f1", "separation", "roc_auc", "average_precision")
            if (bounds := _bounds(getattr(scores, name)))
        },
    }


def describe_counts(confusion: Confusion) -> dict[str, int]:
    return {
        "true_positives": confusion.true_positives,
        "false_positives": confusion.false_positives,
        "false_negatives": confusion.false_negatives,
        "true_negatives": confusion.true_negatives,
    }


def _bounds(estimate: Estimate) -> list[float] | None:
    return [estimate.interval.low, estimate.interval.high] if estimate.interval else None
