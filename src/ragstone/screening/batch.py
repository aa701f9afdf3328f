"""What the signals of one screening share: passages, their statements, their vectors, the NLI model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailed, Entailment
from ragstone.backends.protocols import Vectors
from ragstone.settings import ScreeningSettings
from ragstone.text.sentences import Span, is_question, sentences
from ragstone.types import Passage

__all__ = ["Batch", "canonical_order"]


def canonical_order(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Best similarity first, as a retriever ranks them; where one is missing, by text. Ties by text, then id.

    Signals read the passages in this order, so that the order in which they were given changes no value: neither
    through the direction in which a pair is judged, nor through ties, nor through the rounding of a sum.
    """
    given = tuple(passages)
    ranked = all(p.score is not None for p in given)
    return tuple(sorted(given, key=lambda p: (-(p.score or 0.0) if ranked else 0.0, p.text, p.id)))


@dataclass(frozen=True)
class Batch:
    """The passages of one question that have any text. Vectors are computed when first needed."""

    passages: tuple[Passage, ...]
    encoder: Encoder
    entailment: Entailment
    settings: ScreeningSettings
    _skipped: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """:meth:`Entailment.judge`, with what was left out of long texts added to :attr:`windows_skipped`."""
        judged = self.entailment.judge(pairs)
        self._skipped.extend(result.skipped for result in judged)
        return judged

    @property
    def windows_skipped(self) -> int:
        """Windows of long texts that were not judged so far."""
        return sum(self._skipped)

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
