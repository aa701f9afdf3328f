"""Answers from a recorded file, one JSON object a line, so that a run can be repeated without its model.

Each line has ``answer`` and either ``prompt_sha256`` (:func:`~ragstone.backends.generators.chat.prompt_sha256` of the
whole prompt, as :class:`RecordingGenerator` writes it) or ``question``, which then answers whatever the passages are.
The question of a prompt is its last user message, or what follows the last ``Question:`` that begins a line of it.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from pathlib import Path

from ragstone.backends.generators.chat import prompt_sha256
from ragstone.backends.protocols import Generation, Generator, Message
from ragstone.errors import BackendError, InputError
from ragstone.settings import Settings

__all__ = ["RecordingGenerator", "ReplayGenerator", "open_replay"]

_LABEL = "Question:"
_FORM = 'expected {"prompt_sha256": …, "answer": …} or {"question": …, "answer": …}'


class ReplayGenerator:
    """Looks each prompt up in the JSONL file ``path``; of two lines with the same key the later one holds."""

    def __init__(self, path: Path) -> None:
        try:
            content = path.read_bytes()
            lines = content.decode("utf-8").split("\n")
        except OSError as error:
            raise InputError(f"cannot read the recorded answers {path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise InputError(f"the recorded answers {path} are not UTF-8: {error}") from error
        self._path = path
        self._by_prompt: dict[str, str] = {}
        self._by_question: dict[str, str] = {}
        for number, line in enumerate(lines, start=1):
            if line.strip():
                self._add(line, number, torn=number == len(lines))
        self.identity = f"replay:{path.name}@{hashlib.sha256(content).hexdigest()[:12]}"

    def _add(self, line: str, number: int, *, torn: bool) -> None:
        try:
            record = json.loads(line)
        except ValueError as error:
            if torn:  # a recording that was interrupted ends in half a line
                return
            raise InputError(f"{self._path}, line {number}: not valid JSON ({error}); {_FORM}") from error
        match record:
            case {"prompt_sha256": str(prompt), "answer": str(answer)}:
                self._by_prompt[prompt] = answer
            case {"question": str(question), "answer": str(answer)}:
                self._by_question[_normalised(question)] = answer
            case _:
                raise InputError(f"{self._path}, line {number}: {_FORM}, got {line[:80]!r}")

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        """The recorded answer, whatever the sampling arguments. Raises BackendError for an unknown prompt."""
        key, question = prompt_sha256(messages), _question(messages)
        answer = self._by_prompt.get(key, self._by_question.get(_normalised(question)))
        if answer is None:
            raise BackendError(
                f"{self._path} holds no answer to {question[:80]!r} (prompt_sha256 {key}); record it with "
                "RecordingGenerator, or use the passages, settings and version of the recording"
            )
        return Generation(answer, finish_reason="replay")


class RecordingGenerator:
    """Passes prompts to ``inner`` and appends its answers, as they came, to the JSONL file ``path``."""

    def __init__(self, inner: Generator, path: Path) -> None:
        self._inner = inner
        self._path = path
        self._lock = threading.Lock()
        _repair(path)

    @property
    def identity(self) -> str:
        """That of the recorded generator."""
        return self._inner.identity

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        """What ``inner`` returns. Raises what ``inner`` raises, recording nothing, and InputError for a file that
        cannot be written."""
        generation = self._inner.generate(
            messages, temperature=temperature, max_tokens=max_tokens, seed=seed, stop=stop
        )
        record = {
            "prompt_sha256": prompt_sha256(messages),
            "question": _question(messages),
            "answer": generation.text,
            "generator": self.identity,
            "temperature": temperature,
            "max_tokens": max_tokens,
            "seed": seed,
            "stop": list(stop),
        }
        try:
            with self._lock, self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps(record) + "\n")
        except OSError as error:
            raise InputError(f"cannot write the recorded answers {self._path}: {error.strerror}") from error
        return generation


def open_replay(argument: str | None, settings: Settings) -> ReplayGenerator:
    """``replay:PATH``. Raises InputError for a file that cannot be read or used."""
    if argument is None:
        raise InputError("the generator 'replay' needs a file of recorded answers: replay:PATH")
    return ReplayGenerator(Path(argument).expanduser())


def _question(messages: Sequence[Message]) -> str:
    content = next((m.content for m in reversed(messages) if m.role == "user"), "")
    labelled = [line for line in content.split("\n") if line.startswith(_LABEL)]
    return labelled[-1].removeprefix(_LABEL).strip() if labelled else content.strip()


def _normalised(question: str) -> str:
    return " ".join(question.split())


def _repair(path: Path) -> None:
    """Make the folder; end the last line, or cut it off when it is half a line, which would spoil the next one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            file.seek(0)
            content = file.read()
            start = content.rfind(b"\n") + 1
            if start == len(content):
                return
            try:
                json.loads(content[start:])
            except ValueError:
                file.truncate(start)
            else:
                file.write(b"\n")
    except OSError as error:
        raise InputError(f"cannot write the recorded answers {path}: {error.strerror}") from error
