"""Any function of texts as an embedder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ragstone.backends.embedders.vectors import checked_texts, unit_rows
from ragstone.backends.protocols import Vectors
from ragstone.errors import BackendError, InputError

__all__ = ["CallableEmbedder"]


class CallableEmbedder:
    """Wraps ``function``, which takes a list of texts and returns one row of numbers for each.

    Rows are scaled to norm 1. ``identity`` must change whenever the vectors would, since an index is only used with
    the embedder that made it. That a text's vector does not depend on the other texts is up to ``function``.

    >>> letters = CallableEmbedder(lambda texts: [[t.count("a"), 1 + t.count("b")] for t in texts], "letters-1")
    >>> letters.embed(["aab"]).shape
    (1, 2)
    """

    def __init__(self, function: Callable[[list[str]], Any], identity: str, dimensions: int | None = None) -> None:
        if not callable(function):
            raise InputError(f"function: expected a callable from texts to rows, got {type(function).__name__}")
        if not identity or not isinstance(identity, str):
            raise InputError(f"identity: expected a name for the model and its version, got {identity!r}")
        self._function = function
        self._dimensions = dimensions
        self.identity = f"callable:{identity}"

    @property
    def dimensions(self) -> int:
        """As given, else known from the first call, which is made when there was none yet."""
        if self._dimensions is None:
            self.embed(["dimensions"])
        assert self._dimensions is not None
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 of shape (len(texts), dimensions), rows of norm 1. Raises BackendError when the function fails or
        returns other than one finite row, not zero, of the same width for each text."""
        given = checked_texts(texts)
        if not given:
            return np.empty((0, self.dimensions), dtype=np.float32)
        try:
            rows = self._function(given)
        except Exception as error:
            raise BackendError(f"the embedder {self.identity} failed: {type(error).__name__}: {error}") from error
        matrix = unit_rows(rows, count=len(given), dimensions=self._dimensions, origin=self.identity)
        self._dimensions = matrix.shape[1]
        return matrix
