"""Accuracy by dev set and label, and calibration error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from data import LABELS

TWO_CLASS = {"fever_symmetric"}  # no neutral pair: judged between entailment and contradiction
BINS = 15


def softmax(values: np.ndarray) -> np.ndarray:
    e = np.exp(values - values.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def calibration_error(probabilities: np.ndarray, labels: np.ndarray) -> float:
    """Expected calibration error of the top label: 15 bins of equal width, weighted by their size."""
    confidence, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == labels
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return float(sum(abs(confidence[bins == b].sum() - right[bins == b].sum()) for b in range(BINS)) / len(labels))


@dataclass(frozen=True)
class Scores:
    """``accuracy`` and ``recall`` (by label) of each set, and calibration error, overall and by set."""

    accuracy: dict[str, float]
    recall: dict[str, dict[str, float]]
    pairs: dict[str, int]
    calibration: dict[str, float]
    calibration_overall: float

    @classmethod
    def of(cls, logits: np.ndarray, rows: list[dict[str, str]]) -> Scores:
        labels = np.array([LABELS.index(r["label"]) for r in rows])
        sources = np.array([r["source"] for r in rows])
        probabilities = softmax(logits)
        accuracy, recall, pairs, calibration = {}, {}, {}, {}
        for source in dict.fromkeys(sources):
            mine = sources == source
            p, y = probabilities[mine], labels[mine]
            if source in TWO_CLASS:
                p = p * np.array([1.0, 0.0, 1.0])
                p = p / p.sum(axis=1, keepdims=True)
            right = p.argmax(axis=1) == y
            accuracy[source] = float(right.mean())
            recall[source] = {n: float(right[y == i].mean()) for i, n in enumerate(LABELS) if (y == i).any()}
            pairs[source] = int(mine.sum())
            calibration[source] = calibration_error(p, y)
        return cls(accuracy, recall, pairs, calibration, calibration_error(probabilities, labels))

    def summary(self) -> dict[str, object]:
        rounded = {k: round(v, 4) for k, v in self.accuracy.items()}
        return {"accuracy": rounded, "calibration_error": round(self.calibration_overall, 4)}


def table(scores: dict[str, Scores]) -> str:
    """A Markdown table, a row a dev set."""
    full, small = scores["float"], scores["int8"]
    head = "| dev set | pairs | float | int8 | entailment | neutral | contradiction | calibration error |"
    lines = [head, "|---|---|---|---|---|---|---|---|"]
    for source in full.accuracy:
        labels = " | ".join(
            f"{100 * r:.1f}" if (r := small.recall[source].get(n)) is not None else "n/a" for n in LABELS
        )
        lines.append(
            f"| {source} | {full.pairs[source]} | {100 * full.accuracy[source]:.1f} "
            f"| {100 * small.accuracy[source]:.1f} | {labels} | {small.calibration[source]:.3f} |"
        )
    lines.append(f"\nCalibration error over all sets: {small.calibration_overall:.3f} (int8).")
    return "\n".join(lines)
