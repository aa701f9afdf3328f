"""Where the answers of a detection run come from: a generator behind a cache on disk, the data set, or nowhere."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ragstone.backends.generators.chat import prompt_sha256
from ragstone.backends.protocols import Generator, Message
from ragstone.errors import EmptyAnswerError, InputError
from ragstone.experiments.protocol import Task
from ragstone.experiments.runs import RunFolder
from ragstone.generation import build_messages, generate_answer
from ragstone.settings import Settings
from ragstone.types import Passage

__all__ = ["EXPECTED", "NONE", "AnswerSource", "Answered", "ExpectedAnswers", "GeneratedAnswers", "NoAnswers"]

EXPECTED, NONE = "expected", "none"


@dataclass(frozen=True, slots=True)
class Answered:
    """``text`` is None when there is no answer, for ``reason``; ``seconds`` is what generating it took, when it did."""

    text: str | None
    reason: str | None = None
    seconds: float = 0.0
    reused: bool = False


class AnswerSource(Protocol):
    """One of the arms below. ``identity`` goes into the run's settings."""

    @property
    def identity(self) -> str: ...
    def answer(self, task: Task, passages: Sequence[Passage], folder: RunFolder) -> Answered: ...


@dataclass(frozen=True, slots=True)
class ExpectedAnswers:
    """The data set's expected answer, as a generator that is never misled would give it. No model, and fast."""

    identity: str = EXPECTED

    def answer(self, task: Task, passages: Sequence[Passage], folder: RunFolder) -> Answered:
        return Answered(task.sample.expected)


@dataclass(frozen=True, slots=True)
class NoAnswers:
    """Screening alone: trust is made of consistency and poison, the weight of factuality shared between them."""

    identity: str = NONE

    def answer(self, task: Task, passages: Sequence[Passage], folder: RunFolder) -> Answered:
        return Answered(None)


class GeneratedAnswers:
    """Answers of ``generator`` at temperature and length of ``settings.generation``.

    The seed of a sample depends on the run's seed, its index and the repeat, not on the part or strategy: where the
    same passages were retrieved the prompt is the same and its answer is taken from the folder. Each prompt and seed is
    generated once.
    """

    def __init__(self, generator: Generator, settings: Settings) -> None:
        self._generator = generator
        self._settings = settings
        self._stored: dict[str, dict[str, Any]] | None = None

    @property
    def identity(self) -> str:
        return self._generator.identity

    def answer(self, task: Task, passages: Sequence[Passage], folder: RunFolder) -> Answered:
        """Raises BackendError when the generator fails; that no answer came of a prompt is stored like an answer."""
        if not any(passage.text.strip() for passage in passages):
            return Answered("")
        if self._stored is None:
            self._stored = folder.generated()
        messages = build_messages(task.sample.question, passages)
        settings = self._seeded(task)
        key = self._key(prompt_sha256(messages), settings)
        reused = key in self._stored
        if not reused:
            row = {"key": key, **_generate(messages, self._generator, settings)}
            folder.generations.append(row)
            self._stored[key] = row
        row = self._stored[key]
        return Answered(row["text"], row["reason"], row["seconds"], reused)

    def _seeded(self, task: Task) -> Settings:
        generation = self._settings.generation
        digest = hashlib.sha256(f"{generation.seed}:{task.index}:{task.repeat}".encode()).digest()
        seed = int.from_bytes(digest[:4], "big") & 0x7FFFFFFF
        return self._settings.model_copy(update={"generation": generation.model_copy(update={"seed": seed})})

    def _key(self, prompt: str, settings: Settings) -> str:
        sampling = settings.generation
        parts = [self.identity, prompt, sampling.temperature, sampling.max_tokens, sampling.seed]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _generate(messages: Sequence[Message], generator: Generator, settings: Settings) -> dict[str, Any]:
    start = time.perf_counter()
    text, reason = "", None
    try:
        text = generate_answer(messages, generator, settings).text
    except (EmptyAnswerError, InputError) as error:  # no text, or a prompt longer than the model reads
        reason = str(error)
    return {"text": text, "reason": reason, "seconds": round(time.perf_counter() - start, 6)}
