"""Counts of right and wrong predictions and the proportions they give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragstone.errors import InputError, optional_import

__all__ = ["Confusion", "boolean_vector", "naive_baseline"]


@dataclass(frozen=True, slots=True)
class Confusion:
    """The four counts; *positive* means poisoned. A proportion of nothing is None, never 0."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @classmethod
    def of(cls, flagged: ArrayLike, poisoned: ArrayLike) -> Confusion:
        """Count predictions ``flagged`` against labels ``poisoned``: two boolean vectors of one length."""
        prediction, truth = boolean_vector(flagged, "flagged"), boolean_vector(poisoned, "poisoned")
        if len(prediction) != len(truth):
            raise InputError(f"{len(prediction)} predictions do not fit {len(truth)} labels")
        if not len(truth):
            return cls(0, 0, 0, 0)
        metrics = optional_import("sklearn.metrics", extra="bench", purpose="a confusion matrix")
        (tn, fp), (fn, tp) = metrics.confusion_matrix(truth, prediction, labels=[False, True]).tolist()
        return cls(tp, fp, fn, tn)

    @property
    def total(self) -> int:
        return self.true_positives + self.false_positives + self.false_negatives + self.true_negatives

    @property
    def flagged(self) -> int:
        return self.true_positives + self.false_positives

    @property
    def poisoned(self) -> int:
        return self.true_positives + self.false_negatives

    @property
    def correct(self) -> int:
        return self.true_positives + self.true_negatives

    @property
    def accuracy(self) -> float | None:
        return _share(self.correct, self.total)

    @property
    def precision(self) -> float | None:
        """None when nothing was flagged."""
        return _share(self.true_positives, self.flagged)

    @property
    def recall(self) -> float | None:
        """None when nothing was poisoned."""
        return _share(self.true_positives, self.poisoned)

    @property
    def f1(self) -> float | None:
        """2 TP / (2 TP + FP + FN); None when nothing was poisoned and nothing flagged."""
        return _share(2 * self.true_positives, self.flagged + self.poisoned)


def naive_baseline(poisoned: ArrayLike) -> Confusion:
    """What trusting every sample scores on labels ``poisoned`` (paper 000, section IV)."""
    truth = boolean_vector(poisoned, "poisoned")
    return Confusion.of(np.zeros(len(truth), dtype=bool), truth)


def boolean_vector(values: ArrayLike, name: str) -> NDArray[np.bool_]:
    """``values`` as a boolean vector; raises :class:`InputError` for another shape or anything but true and false."""
    array = np.asarray(values)
    if array.size == 0 and array.ndim == 1:
        return array.astype(bool)
    if array.ndim != 1 or array.dtype != np.bool_:
        raise InputError(f"{name} must be a flat list of true and false, got {array.dtype} of shape {array.shape}")
    return array


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
