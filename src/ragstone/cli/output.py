"""Standard output for data, standard error for progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "counting",
    "embedding",
    "note",
    "print_json",
    "print_json_line",
    "stdout_console",
    "working",
    "write_text",
]


def print_json(value: Any) -> None:
    """Indented. ASCII only, so that nothing in an untrusted text reaches the terminal as it is."""
    sys.stdout.write(json.dumps(value, indent=2, allow_nan=False) + "\n")


def print_json_line(value: Any) -> None:
    """One line, flushed at once."""
    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")
    sys.stdout.flush()


def stdout_console() -> Console:
    from rich.console import Console

    console = Console(highlight=False)
    if console.width > 120:
        console.width = 120
    return console


def note(message: str) -> None:
    """A line on standard error."""
    from rich.console import Console
    from rich.text import Text

    from ragstone.report.spans import visible

    Console(stderr=True, soft_wrap=True).print(Text(visible(message)))


@contextmanager
def working(message: str) -> Iterator[None]:
    """A spinner on standard error, when that is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(message):
        yield


@contextmanager
def counting(message: str) -> Iterator[Callable[[], None]]:
    """A count on standard error; gives a function that adds one. Silent while the terminal shows the data itself."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed:.0f}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(message, total=None)
        yield lambda: progress.advance(task)


@contextmanager
def embedding(message: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, when that is a terminal; gives a function of (done, total)."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(message, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def write_text(path: Path, text: str) -> None:
    """Raises InputError when the file cannot be written."""
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
