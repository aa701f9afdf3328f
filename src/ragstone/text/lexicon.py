"""Word lists: small ones written in code, larger ones read from the package's ``data`` folder.

In a data file ``#`` starts a comment line, blank lines are skipped, and a tab separates the columns.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["read_rows", "words"]


def words(listed: str) -> tuple[str, ...]:
    """The words of a blank-separated list."""
    return tuple(listed.split())


@cache
def read_rows(path: str) -> tuple[tuple[str, ...], ...]:
    """The rows of ``data/<path>``, each a tuple of its tab-separated columns without outer blanks."""
    lines = files("ragstone").joinpath("data", path).read_text(encoding="utf-8").splitlines()
    kept = (line for line in lines if line.strip() and not line.startswith("#"))
    return tuple(tuple(column.strip() for column in line.split("\t")) for line in kept)
