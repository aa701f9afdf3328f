"""What trivial detectors look at: how much of the question a passage repeats, its nearest neighbour, its length.

Attacks that append or craft text can often be told by these alone; a detector's figures mean little without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.attacks.passages import content_words
from ragstone.backends.cache import ContentCache
from ragstone.backends.protocols import Embedder, Vectors
from ragstone.types import Passage

__all__ = ["CachedEmbedder", "TrivialFeatures", "trivial_features"]

_CACHED_TEXTS = 50_000


class CachedEmbedder:
    """An embedder that computes each text once: the corpora of a run share most of their documents."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._cache: ContentCache[str, Vectors] = ContentCache(_CACHED_TEXTS)
        self.identity = embedder.identity
        self.dimensions = embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack(self._cache.fetch(texts, lambda missing: list(self._embedder.embed(missing))))


@dataclass(frozen=True, slots=True)
class TrivialFeatures:
    """See :class:`ragstone.experiments.detection_record.RetrievedPassage`."""

    words: int
    overlap: float
    neighbour: float | None


def trivial_features(question: str, passages: Sequence[Passage], embedder: Embedder) -> list[TrivialFeatures]:
    """One for each passage, in order."""
    asked = content_words(question)
    vectors = embedder.embed([passage.text for passage in passages])
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    return [
        TrivialFeatures(
            words=len(passage.text.split()),
            overlap=len(asked & content_words(passage.text)) / len(asked) if asked else 0.0,
            neighbour=float(np.clip(similarity[i].max(), -1.0, 1.0)) if len(passages) > 1 else None,
        )
        for i, passage in enumerate(passages)
    ]
