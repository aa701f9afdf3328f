"""One process at a time in a run folder.

The lock is the operating system's, on a file that also holds its owner's process id for people to read. It goes when
its owner ends, however that ends, so no lock is ever stale.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ragstone.errors import InputError

__all__ = ["hold_lock"]


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Hold the lock file at ``path``; raises InputError naming the process that has it."""
    with path.open("a+", encoding="ascii") as stream:
        try:
            _acquire(stream)
        except OSError as error:
            stream.seek(0)
            owner = stream.read().strip() or "unknown"
            raise InputError(
                f"{path.parent} is in use by process {owner}; wait until it has ended, or give another folder"
            ) from error
        _write(stream, str(os.getpid()))
        try:
            yield
        finally:
            _write(stream, "")


def _write(stream: IO[str], text: str) -> None:
    stream.seek(0)
    stream.truncate()
    stream.write(text)
    stream.flush()


def _acquire(stream: IO[str]) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        stream.seek(_PAST_THE_PID)
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


# Windows locks bytes, which others then cannot read: one that holds no part of the process id.
_PAST_THE_PID = 1_000
