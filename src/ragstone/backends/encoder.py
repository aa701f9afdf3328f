"""Vectors of texts, each text embedded once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragstone.backends.cache import ContentCache, content_key
from ragstone.backends.embedders.vectors import unit_rows
from ragstone.backends.protocols import Embedder, Vectors
from ragstone.errors import BackendError

__all__ = ["Encoder"]

CACHE_TEXTS = 20_000


class Encoder:
    """An embedder behind a content cache. Safe to share between threads, as far as the embedder is."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._cache: ContentCache[bytes, Vectors] = ContentCache(CACHE_TEXTS)
        self._dimensions: int | None = None

    @property
    def identity(self) -> str:
        return self._embedder.identity

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, float32 of shape (len(texts), dimensions).

        Raises BackendError when the embedder fails, whatever it raises, and when what it returns is not one finite
        row, not zero, of the same width for each text: a NaN would pass every later comparison as "not similar".
        """
        if not texts:
            return np.zeros((0, self._width()), dtype=np.float32)
        keys = [content_key(text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        return np.stack(self._cache.fetch(keys, lambda missing: self._embed([by_key[key] for key in missing])))

    def _embed(self, texts: list[str]) -> list[Vectors]:
        try:
            rows = self._embedder.embed(texts)
        except BackendError:
            raise
        except Exception as error:
            raise self._failed(error) from error
        origin = f"the embedder {self.identity}"
        matrix = unit_rows(rows, count=len(texts), dimensions=self._dimensions, origin=origin)
        self._dimensions = matrix.shape[1]
        # Copies: a view of one row would keep the whole matrix in memory as long as it is cached.
        return [row.copy() for row in matrix]

    def _width(self) -> int:
        if self._dimensions is not None:
            return self._dimensions
        try:
            return int(self._embedder.dimensions)
        except BackendError:
            raise
        except Exception as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> BackendError:
        return BackendError(f"the embedder {self.identity} failed: {type(error).__name__}: {error}")
