"""A small detection run on stand-in models; also a program, so that a test can kill it."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fakes import TableNLI, WordEmbedder
from ragstone.backends.protocols import Generation, Message
from ragstone.datasets import load_dataset
from ragstone.errors import BackendError
from ragstone.experiments.answers import AnswerSource, ExpectedAnswers, GeneratedAnswers
from ragstone.experiments.detection import DetectionSetup, Models, Progress, run_detection
from ragstone.settings import Settings, load_settings

NEGATIONS = (" not ", "n't ", "no ", "never ", "false", "wrong", "contrary")


def by_negation(premise: str, hypothesis: str) -> tuple[float, float, float]:
    """Contradiction when only one of the two denies something, entailment when they share most words."""
    denied = [any(mark in f" {text.lower()} " for mark in NEGATIONS) for text in (premise, hypothesis)]
    first, second = (set(text.lower().strip(".").split()) for text in (premise, hypothesis))
    shared = len(first & second) / max(1, len(second))
    if shared > 0.5 and denied[0] != denied[1]:
        return 0.05, 0.05, 0.9
    return (0.9, 0.08, 0.02) if shared > 0.7 else (0.1, 0.85, 0.05)


@dataclass
class Parrot:
    """Repeats the first passage, in words that depend on the seed; counts what it was asked.

    ``delay`` is in seconds; the endpoint is gone after ``lasts`` calls; ``silent`` returns no text.
    """

    delay: float = 0.0
    lasts: int | None = None
    silent: bool = False
    calls: int = 0
    identity: str = "parrot"

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        if self.calls == self.lasts:
            raise BackendError("the endpoint is gone")
        self.calls += 1
        time.sleep(self.delay)
        if self.silent:
            return Generation("")
        first = messages[-1].content.splitlines()[0].partition(": ")[2]
        return Generation(first if (seed or 0) % 2 else f"It is known that {first}")


def setup_of(
    *strategies: str, n: int = 8, repeats: int = 1, settings: Settings | None = None, dataset: str = "truthfulqa"
) -> DetectionSetup:
    chosen = load_dataset(dataset, data="samples")
    chosen = replace(chosen, samples=chosen.samples[:n])
    settings = settings or load_settings(environment={}, overrides={"retrieval.top_k": 3})
    return DetectionSetup(chosen, strategies or ("mixed",), settings, repeats=repeats)


def run_small(
    folder: Path,
    *strategies: str,
    answers: AnswerSource | None = None,
    setup: DetectionSetup | None = None,
    progress: Progress | None = None,
) -> None:
    models = Models(WordEmbedder(), TableNLI(by_negation), answers or ExpectedAnswers())
    run_detection(setup or setup_of(*strategies), models, folder, progress=progress)


def generated_run(folder: Path, *, delay: float = 0.0) -> Parrot:
    """Two repeats with answers from a :class:`Parrot`."""
    setup = setup_of("mixed", n=6, repeats=2)
    parrot = Parrot(delay)
    run_small(folder, answers=GeneratedAnswers(parrot, setup.settings), setup=setup)
    return parrot


if __name__ == "__main__":
    generated_run(Path(sys.argv[1]), delay=0.02)
