"""Any function of chat messages as a generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragstone.backends.generators.chat import as_chat
from ragstone.backends.protocols import Generation, Message
from ragstone.errors import BackendError, InputError, RagstoneError

__all__ = ["CallableGenerator"]


class CallableGenerator:
    """Wraps ``function``, which takes a list of messages and returns the answer's text.

    Temperature, length, seed and stop strings are not handed on: what they would be is up to ``function``, and so is
    whether an answer can be repeated. ``identity`` names the model and its version.

    >>> from ragstone.backends.protocols import Message
    >>> echo = CallableGenerator(lambda messages: messages[-1].content, "echo-1")
    >>> echo.generate([Message("user", "Hello")], temperature=0.0, max_tokens=10).text
    'Hello'
    """

    def __init__(self, function: Callable[[list[Message]], str], identity: str) -> None:
        if not callable(function):
            raise InputError(f"function: expected a callable from messages to text, got {type(function).__name__}")
        if not isinstance(identity, str) or not identity:
            raise InputError(f"identity: expected a name for the model and its version, got {identity!r}")
        self._function = function
        self.identity = f"callable:{identity}"

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        """Raises BackendError when the function fails or returns something other than text."""
        as_chat(messages)
        try:
            text = self._function(list(messages))
        except RagstoneError:
            raise
        except Exception as error:
            raise BackendError(f"the generator {self.identity} failed: {type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise BackendError(f"the generator {self.identity} returned {type(text).__name__}, expected a string")
        return Generation(text)
