"""A whole RAG pipeline around the guard: retrieve -> screen -> generate -> evaluate (paper 000, section III).

rag = Rag.from_corpus("docs/")
answer = rag.ask("Which TLS versions are allowed?")
answer.text, answer.verdict.trust, answer.verdict.warnings
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ragstone.errors import BackendError, InputError, ModelError, RagstoneError
from ragstone.settings import Settings
from ragstone.types import Passage, Screening, Verdict, readable

if TYPE_CHECKING:
    from ragstone.backends.protocols import Generator
    from ragstone.guard import Guard
    from ragstone.retrieval import Retriever

__all__ = ["Answer", "Rag"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question. ``text`` is empty when no answer was generated; the verdict says why."""

    question: str
    passages: tuple[Passage, ...]
    text: str
    verdict: Verdict
    screening: Screening | None
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Seconds by stage: retrieval, screening, generation, verification and total."""


class Rag:
    """Answers questions over an index and says how far each answer can be trusted.

    ``generator`` and ``guard`` default to those that ``settings`` name; the guard shares the retriever's embedder.
    """

    def __init__(
        self,
        retriever: Retriever,
        generator: Generator | None = None,
        guard: Guard | None = None,
        settings: Settings | None = None,
    ) -> None:
        from ragstone.backends import open_generator
        from ragstone.guard import Guard

        if settings is None:
            settings = Settings() if guard is None else guard.settings
        self.settings = settings
        self.retriever = retriever
        self.guard = Guard(settings, embedder=retriever.embedder) if guard is None else guard
        self.generator = open_generator(settings.models.generator, settings) if generator is None else generator

    @classmethod
    def from_corpus(
        cls, path: str | Path, settings: Settings | None = None, *, generator: Generator | None = None
    ) -> Rag:
        """Read and index a file or folder. Raises InputError when it holds nothing that can be read."""
        from ragstone.corpus import read_corpus
        from ragstone.retrieval import Retriever

        retriever = Retriever(settings=settings)
        retriever.index(read_corpus(path))
        return cls(retriever, generator, settings=settings)

    def ask(self, question: str, k: int | None = None) -> Answer:
        """Answer from the best ``k`` passages (default: the setting ``retrieval.top_k``).

        A model that fails gives a verdict with action ``unscored`` and the reason. When screening fails nothing is
        generated, since nobody could say what the answer rests on. Raises InputError for an unusable question.
        """
        if not isinstance(question, str) or not question.strip():
            raise InputError(f"question: expected a text that is not blank, got {question!r}")
        question = readable(question)
        clock = _Clock()
        passages: tuple[Passage, ...] = ()
        screening: Screening | None = None
        text = ""
        stage = "retrieval"
        try:
            passages = self._search(question, self.settings.retrieval.top_k if k is None else k)
            clock.lap(stage)
            stage = "screening"
            screening = self.guard.screen(question, passages)
            clock.lap(stage)
            if any(passage.text.strip() for passage in passages):
                stage = "generation"
                text = self._generate(question, passages)
                clock.lap(stage)
        except (BackendError, ModelError) as error:
            clock.lap(stage)
            verdict = self.guard.unscored(f"{stage} failed: {error}", screening=screening, timings=clock.timings())
        else:
            verdict = self.guard.evaluate(question, passages, text, screening=screening)
            clock.lap("verification")
        return Answer(question, passages, text, verdict, screening, clock.timings())

    def _search(self, question: str, k: int) -> tuple[Passage, ...]:
        try:
            return self.retriever.search(question, k)
        except RagstoneError:
            raise
        except Exception as error:  # an embedder, or a retriever, that is not of this package may raise anything
            raise BackendError(f"{type(error).__name__}: {error}") from error

    def _generate(self, question: str, passages: tuple[Passage, ...]) -> str:
        from ragstone.generation import answer

        return answer(question, passages, self.generator, self.settings).text


class _Clock:
    """Seconds by stage, and in total."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self._laps[stage] = now - self._last
        self._last = now

    def timings(self) -> dict[str, float]:
        return {**self._laps, "total": self._last - self._start}
