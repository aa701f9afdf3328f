"""Tables of results as CSV, Markdown and cells of a page."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.experiments.tables import Column, Row, Table

__all__ = ["Cell", "headings", "page_cells", "to_csv", "to_markdown"]

# Intervals are stored under the names that metrics have in the statistics.
_STORED_AS = {"delta": "separation"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A number as printed, and its 95 % interval, if it has one."""

    text: str
    interval: str | None = None


def headings(table: Table) -> list[str]:
    """The headings of the labels, in order."""
    return list(dict.fromkeys(heading for row in table.rows for heading in row.labels))


def page_cells(table: Table, row: Row) -> list[Cell]:
    """The numbers of one row."""
    return [_cell(row, column) for column in table.columns]


def to_markdown(table: Table) -> str:
    """The title, and a table with intervals in brackets."""
    labels = headings(table)
    lines = [
        f"**{table.title}**",
        "",
        "| " + " | ".join([*labels, *(column.heading for column in table.columns)]) + " |",
        "|" + "|".join([*(":--" for _ in labels), *("--:" for _ in table.columns)]) + "|",
    ]
    for row in table.rows:
        cells = [f"{c.text} ({c.interval})" if c.interval else c.text for c in page_cells(table, row)]
        names = [row.labels.get(label, "").replace("|", "\\|") for label in labels]
        lines.append("| " + " | ".join([*names, *cells]) + " |")
    return "\n".join(lines) + "\n"


def to_csv(table: Table) -> str:
    """Unrounded, in the printed unit; intervals in columns of their own; empty where a value is undefined."""
    labels = headings(table)
    bounded = [column for column in table.columns if any(_bounds(row, column) for row in table.rows)]
    stream = StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    further = [f"{column.heading}, {side}" for column in bounded for side in ("low", "high")]
    writer.writerow([*labels, *(column.heading for column in table.columns), *further])
    for row in table.rows:
        values = row.values()
        numbers = [_number(column.scaled(values.get(column.key))) for column in table.columns]
        limits = [text for column in bounded for text in _limits(row, column)]
        writer.writerow([*(row.labels.get(label, "") for label in labels), *numbers, *limits])
    return stream.getvalue()


def _cell(row: Row, column: Column) -> Cell:
    bounds = _bounds(row, column)
    interval = None if bounds is None else f"{column.text(bounds[0])} to {column.text(bounds[1])}"
    return Cell(column.text(row.values().get(column.key)), interval)


def _bounds(row: Row, column: Column) -> tuple[float, float] | None:
    intervals: dict[str, Any] = row.details().get("intervals", {})
    found = intervals.get(column.key, intervals.get(_STORED_AS.get(column.key, "")))
    return None if found is None else (float(found[0]), float(found[1]))


def _limits(row: Row, column: Column) -> Iterator[str]:
    bounds = _bounds(row, column)
    for bound in bounds or (None, None):
        yield _number(column.scaled(bound))


def _number(value: float | None) -> str:
    return "" if value is None else repr(round(value, 10))
