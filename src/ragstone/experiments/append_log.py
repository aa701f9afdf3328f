"""JSON lines that survive a kill at any moment: one object appended at a time, a torn last line repaired on opening.

A process that is killed while it writes leaves a line without its end. Appending after it would join two records into
one that cannot be read, so what follows the last line break is cut off before anything is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from ragstone.errors import InputError

__all__ = ["AppendLog", "read_log"]


class AppendLog:
    """The log at ``path``, made when it is absent. Its user must be alone in writing to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream = path.open("ab+")
        self._cut_torn_line()

    def append(self, row: Mapping[str, Any]) -> None:
        """Write one object and wait until it is on disk. NaN and infinities are refused (ValueError)."""
        line = json.dumps(row, ensure_ascii=False, allow_nan=False).encode("utf-8", errors="replace") + b"\n"
        self._stream.write(line)
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> AppendLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _cut_torn_line(self) -> None:
        self._stream.seek(0)
        content = self._stream.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            self._stream.truncate(whole)
        self._stream.seek(0, os.SEEK_END)


def read_log(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(``file:line``, object) of each whole line; a torn last one is passed over, for its writer may be at work.

    An absent file is empty. Raises InputError naming file and line for a whole line that is no JSON object.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    for number, line in enumerate(content[: content.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}:{number}: not valid JSON ({error}); the file was changed by hand") from error
        if not isinstance(row, dict):
            raise InputError(f"{path}:{number}: expected a JSON object, got {type(row).__name__}")
        yield f"{path}:{number}", row
