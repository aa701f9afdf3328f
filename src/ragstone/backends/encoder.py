"""Vectors of texts, each text embedded once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragstone.backends.cache import ContentCache
from ragstone.backends.protocols import Embedder, Vectors

__all__ = ["Encoder"]

CACHE_TEXTS = 20_000


class Encoder:
    """An embedder behind a content cache."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._cache: ContentCache[str, Vectors] = ContentCache(CACHE_TEXTS)

    @property
    def identity(self) -> str:
        return self._embedder.identity

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, float32 of shape (len(texts), dimensions)."""
        if not texts:
            return np.zeros((0, self._embedder.dimensions), dtype=np.float32)
        return np.stack(self._cache.fetch(texts, lambda missing: list(self._embedder.embed(missing))))
