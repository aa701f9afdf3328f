"""What the signals of one screening share: passages, their statements, their vectors, the NLI model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ragstone.backends.cache import ContentCache
from ragstone.backends.entailment import Entailment
from ragstone.backends.protocols import Embedder, Vectors
from ragstone.settings import ScreeningSettings
from ragstone.text.sentences import Span, is_question, sentences
from ragstone.types import Passage

__all__ = ["Batch", "Encoder"]

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


@dataclass(frozen=True)
class Batch:
    """The passages of one question that have any text. Vectors are computed when first needed."""

    passages: tuple[Passage, ...]
    encoder: Encoder
    entailment: Entailment
    settings: ScreeningSettings

    @cached_property
    def statements(self) -> list[list[Span]]:
        """The sentences of each passage, questions left out unless there is nothing else."""
        split = [sentences(p.text) for p in self.passages]
        return [[s for s in spans if not is_question(s.text)] or spans for spans in split]

    @cached_property
    def vectors(self) -> Vectors:
        """Of shape (passages, dimensions)."""
        return self.encoder.encode([p.text for p in self.passages])

    @cached_property
    def statement_vectors(self) -> list[Vectors]:
        """For each passage, of shape (its statements, dimensions)."""
        flat = self.encoder.encode([s.text for spans in self.statements for s in spans])
        bounds = np.cumsum([len(spans) for spans in self.statements])[:-1]
        return list(np.split(flat, bounds))
