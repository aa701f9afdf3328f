"""What the embedders share: checked unit vectors, and one vector for a text longer than a model's window."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ragstone.backends.protocols import Vectors
from ragstone.errors import BackendError, InputError

__all__ = ["checked_texts", "unit_rows", "weighted_unit_mean", "window_bounds"]


def checked_texts(texts: Sequence[str]) -> list[str]:
    """``texts`` as a list; raises InputError for a single string or anything that is not text."""
    if isinstance(texts, str):
        raise InputError("embed takes a list of texts, not a single one: write embed([text])")
    for position, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(f"text {position} to embed: expected a string, got {type(text).__name__}")
    return list(texts)


def unit_rows(rows: Any, *, count: int, dimensions: int | None, origin: str) -> Vectors:
    """``rows`` as float32 of shape (count, dimensions) with rows of norm 1; any width when ``dimensions`` is None.

    Raises BackendError, naming ``origin``, for another shape, for values that are not finite and for zero vectors.
    """
    try:
        matrix = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise BackendError(f"{origin} returned no rectangular array of numbers: {error}") from error
    if matrix.ndim != 2 or matrix.shape[0] != count or matrix.shape[1] == 0:
        raise BackendError(f"{origin} returned vectors of shape {matrix.shape}; expected ({count}, dimensions)")
    if dimensions is not None and matrix.shape[1] != dimensions:
        raise BackendError(
            f"{origin} returned vectors of {matrix.shape[1]} dimensions; expected {dimensions}. "
            "Is it still the same model?"
        )
    if not np.isfinite(matrix).all():
        raise BackendError(f"{origin} returned NaN or infinite values")
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not (norms > 0).all():
        raise BackendError(f"{origin} returned a zero vector, which has no direction")
    return np.asarray(matrix / norms, dtype=np.float32)


def window_bounds(tokens: int, size: int) -> list[tuple[int, int]]:
    """The fewest windows of at most ``size`` tokens over ``tokens``, their lengths differing by at most one.

    Equal lengths, since a last window of two or three words would give a vector of little meaning. No tokens: one
    empty window.
    """
    count = max(1, -(-tokens // size))
    cuts = [tokens * k // count for k in range(count + 1)]
    return list(pairwise(cuts))


def weighted_unit_mean(rows: Vectors, weights: Sequence[float]) -> Vectors:
    """The mean of unit ``rows`` of shape (n, dimensions) by ``weights``, scaled back to norm 1."""
    mean = np.average(rows.astype(np.float64), axis=0, weights=np.asarray(weights, dtype=np.float64))
    norm = float(np.linalg.norm(mean))
    if norm == 0.0:
        raise BackendError("the windows of a text have opposite vectors, so that their mean has no direction")
    return np.asarray(mean / norm, dtype=np.float32)
