"""From a question and passages to an answer: the prompt, and what is done with what a model writes.

The rule is that of paper 001 (section III-A): answer only from the given context, else reply "Not enough information".
It is given without examples, which the small embedded model would copy. Of eleven wordings and layouts this one served
that model best: of 24 short questions over three clean passages it answered 20, the others 13 to 18 (the same questions
chose it, so expect less of it on others). It abstained on none of 4 questions that the passages leave open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ragstone.backends.protocols import Generation, Generator, Message, StreamingGenerator
from ragstone.errors import BackendError, EmptyAnswerError, InputError, RagstoneError
from ragstone.settings import Settings
from ragstone.text.reasoning import settled_prefix, strip_reasoning
from ragstone.types import Passage, readable

__all__ = ["answer", "build_messages", "generate_answer", "stream_answer"]

_SYSTEM = "You answer questions from the given passages in one short sentence."
_TASK = (
    'Using only these passages, answer in one short sentence; if they do not answer it, reply "Not enough information".'
)
# What chat templates mark turns with; models read these marks wherever they stand, also inside a passage.
_CONTROL = re.compile(
    r"<[|｜][^<>|｜\n]{1,40}[|｜]?>|<[^<>|｜\n]{1,40}[|｜]>|</?s>|</?(?:start|end)_of_turn>|<(?:bos|eos|pad|unk)>"
    r"|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK)\]",
    re.IGNORECASE,
)
_INERT = str.maketrans("<>[]", "‹›()")


def build_messages(question: str, passages: Sequence[Passage]) -> list[Message]:
    """The prompt, a system and a user message; raises InputError without a question or without any passage text.

    Each passage is one line that begins with its number among ``passages``; blank ones are left out. Line breaks in a
    passage become blanks, so no passage can pose as another one or as the question, and the control tokens of chat
    templates (``<|im_end|>``, ``[/INST]``, …) are written with other brackets, so none can pose as a turn.
    """
    asked = _one_line(question)
    lines = [f"Passage {n}: {text}" for n, p in enumerate(passages, start=1) if (text := _one_line(p.text))]
    if not asked:
        raise InputError("question: expected some text, got none")
    if not lines:
        raise InputError("passages: expected at least one with text, got none; there is nothing to answer from")
    user = "\n".join([*lines, "", _TASK, f"Question: {asked}"])
    return [Message("system", _SYSTEM), Message("user", user)]


def answer(question: str, passages: Sequence[Passage], generator: Generator, settings: Settings) -> Generation:
    """What ``generator`` answers from ``passages``, by :func:`build_messages` and :func:`generate_answer`."""
    return generate_answer(build_messages(question, passages), generator, settings)


def stream_answer(
    question: str, passages: Sequence[Passage], generator: Generator, settings: Settings
) -> Iterator[str]:
    """The answer's text piece by piece, without reasoning; in one piece when ``generator`` cannot stream.

    Raises as :func:`generate_answer`, an EmptyAnswerError when all is over.
    """
    messages = build_messages(question, passages)
    if not isinstance(generator, StreamingGenerator):
        yield generate_answer(messages, generator, settings).text
        return
    written = shown = ""
    for piece in _pieces(messages, generator, settings):
        written += readable(piece)
        visible = strip_reasoning(settled_prefix(written))
        if new := _unseen(visible, shown):
            shown = visible
            yield new
    if rest := _unseen(_answer_in(written, generator, None), shown):
        yield rest


def generate_answer(messages: Sequence[Message], generator: Generator, settings: Settings) -> Generation:
    """What ``generator`` answers, with temperature, length and seed of ``settings.generation`` and without reasoning.

    Every generator's text comes through here, so that reasoning is never verified as if it were the answer. Raises
    EmptyAnswerError when nothing is left and BackendError when the generator fails.
    """
    sampling = settings.generation
    try:
        generation = generator.generate(
            messages, temperature=sampling.temperature, max_tokens=sampling.max_tokens, seed=sampling.seed
        )
    except RagstoneError:
        raise
    except Exception as error:
        raise _failed(generator, error) from error
    return replace(generation, text=_answer_in(generation.text, generator, generation.finish_reason))


def _pieces(messages: Sequence[Message], generator: StreamingGenerator, settings: Settings) -> Iterator[str]:
    sampling = settings.generation
    try:
        yield from generator.stream(
            messages, temperature=sampling.temperature, max_tokens=sampling.max_tokens, seed=sampling.seed
        )
    except RagstoneError:
        raise
    except Exception as error:
        raise _failed(generator, error) from error


def _answer_in(text: str, generator: Generator, finish_reason: str | None) -> str:
    if answer := strip_reasoning(readable(text)):
        return answer
    state = f"finish reason {finish_reason!r}" if finish_reason else "no finish reason given"
    what = "only its reasoning" if text.strip() else "no text"
    raise EmptyAnswerError(
        f"the generator {generator.identity} returned {what} ({state}). "
        "A reasoning model may need a higher generation.max_tokens to come to its answer"
    )


def _failed(generator: Generator, error: Exception) -> BackendError:
    return BackendError(f"the generator {generator.identity} failed: {type(error).__name__}: {error}")


def _unseen(visible: str, shown: str) -> str:
    """What of ``visible`` is still to be shown: all of it, on a new line, if what was shown proved to be reasoning."""
    if visible.startswith(shown):
        return visible[len(shown) :]
    return "" if shown.startswith(visible) else f"\n{visible}"


def _one_line(text: str) -> str:
    return _CONTROL.sub(lambda token: token.group().translate(_INERT), " ".join(readable(text).split()))
