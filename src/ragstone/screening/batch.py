"""What the signals of one screening share: passages, their statements, their vectors, the NLI model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.backends.protocols import Vectors
from ragstone.settings import ScreeningSettings
from ragstone.text.sentences import Span, is_question, sentences
from ragstone.types import Passage

__all__ = ["Batch"]


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
        ends = np.cumsum([len(spans) for spans in self.statements], dtype=int)
        return [flat[end - len(spans) : end] for end, spans in zip(ends, self.statements, strict=True)]
