"""What a model must offer to be used here. Any object of this shape will do; none needs to inherit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["NLI", "Embedder", "Generation", "Generator", "Message", "StreamingGenerator"]

Vectors = NDArray[np.float32]


@runtime_checkable
class Embedder(Protocol):
    """Texts to unit vectors.

    ``identity`` names model and version: two embedders with the same identity give the same vectors.
    ``embed`` returns float32 of shape (len(texts), dimensions), rows of norm 1; a text's vector never depends on
    the other texts. Raises :class:`ragstone.errors.BackendError`.
    """

    @property
    def identity(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> Vectors: ...


@runtime_checkable
class NLI(Protocol):
    """(premise, hypothesis) pairs to probabilities.

    ``score`` returns float32 of shape (len(pairs), 3): entailment, neutral, contradiction, rows summing to 1; a
    pair's row never depends on the other pairs. ``max_tokens`` is the longest pair the model reads whole, or None
    when there is no limit; ``count_tokens`` measures a text in the same tokens, special tokens not counted.
    """

    @property
    def identity(self) -> str: ...
    @property
    def max_tokens(self) -> int | None: ...
    def count_tokens(self, text: str) -> int: ...
    def score(self, pairs: Sequence[tuple[str, str]]) -> Vectors: ...


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat. ``role`` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Generation:
    """What a generator wrote; counts are None when the backend does not tell."""

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish_reason: str | None = None


@runtime_checkable
class Generator(Protocol):
    """Chat messages to text. Raises BackendError when it fails and EmptyAnswerError when nothing readable came."""

    @property
    def identity(self) -> str: ...
    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation: ...


@runtime_checkable
class StreamingGenerator(Generator, Protocol):
    """A generator that can also give its text piece by piece."""

    def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Iterator[str]: ...
