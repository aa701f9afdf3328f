"""The demo's cases: each question asked over the clean and over the poisoned secure-coding rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.backends.protocols import Generator
from ragstone.corpus import Document
from ragstone.datasets.securecode import load_poison_labels, load_poisoned, load_rules
from ragstone.guard import Guard
from ragstone.rag import Answer, Rag
from ragstone.report import Case, Run, Tampering
from ragstone.retrieval import Retriever
from ragstone.settings import Settings

__all__ = ["CLEAN", "POISONED", "Demo", "open_demo"]

CLEAN, POISONED = "Clean rules", "Poisoned rules"


@dataclass(frozen=True)
class Demo:
    """Two pipelines that differ in their corpus only, and what is known of the poisoned one."""

    clean: Rag
    poisoned: Rag
    known: dict[str, Tampering]

    def ask(self, question: str) -> Case:
        clean, poisoned = self.clean.ask(question), self.poisoned.ask(question)
        return Case(question, (_run(CLEAN, clean, {}), _run(POISONED, poisoned, self.known)))


def open_demo(settings: Settings, generator: Generator) -> Demo:
    """Index both corpora with one embedder, and put one guard and one generator behind both."""
    clean = Retriever(settings=settings)
    poisoned = Retriever(clean.embedder, settings=settings)
    guard = Guard(settings, embedder=clean.embedder)
    known = {
        label.id: Tampering(label.strategy.value, tuple((edit.start, edit.end) for edit in label.edits))
        for label in load_poison_labels()
    }
    return Demo(
        _pipeline(clean, load_rules(), generator, guard),
        _pipeline(poisoned, load_poisoned(), generator, guard),
        known,
    )


def _pipeline(retriever: Retriever, documents: Sequence[Document], generator: Generator, guard: Guard) -> Rag:
    retriever.index(documents)
    return Rag(retriever, generator, guard)


def _run(label: str, answer: Answer, known: dict[str, Tampering]) -> Run:
    return Run(label, answer.verdict, answer.passages, answer.text, known)
