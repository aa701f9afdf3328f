"""Passages, answers and cases from files or standard input. Whatever they hold, the worst is an InputError."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragstone.errors import InputError

__all__ = ["STDIN", "decoded", "parsed", "read_bytes", "read_lines", "read_passages"]

STDIN = "-"


def read_bytes(source: str) -> bytes:
    """All of a file, or of standard input for ``-``."""
    if source == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(_unreadable(source, error)) from error


def read_lines(source: str) -> Iterator[tuple[int, bytes]]:
    """(line number from 1, line) of what is not blank, as it comes."""
    if source == STDIN:
        yield from _not_blank(sys.stdin.buffer)
        return
    try:
        with Path(source).open("rb") as stream:
            yield from _not_blank(stream)
    except (OSError, ValueError) as error:
        raise InputError(_unreadable(source, error)) from error


def _not_blank(stream: Any) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(stream, start=1):
        content = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if content.strip():
            yield number, content


def _unreadable(source: str, error: Exception) -> str:
    return f"cannot read {source}: {(error.strerror if isinstance(error, OSError) else None) or error}"


def decoded(data: bytes) -> tuple[str, bool]:
    """The text, and whether it was valid UTF-8; each invalid byte is read as U+FFFD."""
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        return data.decode("utf-8", errors="replace"), False


def parsed(text: str) -> Any:
    """JSON, raw control characters within strings allowed; NaN and infinities are not JSON."""
    try:
        return json.loads(text, strict=False, parse_constant=_no_constant)
    except RecursionError as error:
        raise InputError("JSON nested too deeply") from error
    except ValueError as error:
        raise InputError(f"not valid JSON: {error}") from error


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def read_passages(source: str) -> list[Any]:
    """Passages of a JSONL file (one object with ``text``, or one string, a line) or of one JSON array."""
    text, _ = decoded(read_bytes(source).removeprefix(b"\xef\xbb\xbf"))
    if text.lstrip().startswith("["):
        try:
            value = parsed(text)
        except InputError as error:
            raise InputError(f"{source}: {error}") from error
        return list(value)
    passages = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            passages.append(parsed(line))
        except InputError as error:
            hint = "expected on each line a string or an object with 'text', or one JSON array for all"
            raise InputError(f"{source}, line {number}: {error}; {hint}") from error
    return passages
