"""Progress of a long run on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_of"]

_SECONDS_BETWEEN_LINES = 30.0


@contextmanager
def progress_of(title: str) -> Iterator[Callable[[int, int, str], None]]:
    """Gives a function of (done, total, what is at work)."""
    if not sys.stderr.isatty():
        yield _Lines(title)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total, label: bar.update(task, completed=done, total=total, description=f"{title}: {label}")


class _Lines:
    def __init__(self, title: str) -> None:
        self._title = title
        self._last = self._start = time.monotonic()

    def __call__(self, done: int, total: int, label: str) -> None:
        now = time.monotonic()
        if done == total or now - self._last >= _SECONDS_BETWEEN_LINES:
            self._last = now
            sys.stderr.write(f"{self._title}: {done}/{total} samples, {now - self._start:.0f} s ({label})\n")
            sys.stderr.flush()
