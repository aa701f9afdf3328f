"""Tables of results on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from ragstone.experiments.tables import Column, Row, Table

__all__ = ["rich_table", "table_values"]


# What of the widest tables fits on a terminal of 80 columns; all of it is in --json and in the report.
_NARROW = {
    "retrieval": ("poisoned", "accuracy", "precision", "recall", "f1", "delta", "roc_auc"),
    "document": ("poisoned", "accuracy", "precision", "recall", "f1", "delta", "roc_auc"),
    "paper": ("precision", "precision_paper", "recall", "recall_paper", "f1", "f1_paper", "delta", "delta_paper"),
    "overhead": ("mean", "median", "sum"),
}

_LONGEST_LABEL = 40


def rich_table(table: Table) -> RichTable:
    """The table with its main columns; n/a where a value is undefined."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable

    shown = RichTable(
        title=table.title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for heading in dict.fromkeys(heading for row in table.rows for heading in row.labels):
        longest = max(len(row.labels.get(heading, "")) for row in table.rows)
        shown.add_column(heading, overflow="fold", no_wrap=longest <= _LONGEST_LABEL)
    kept = _NARROW.get(table.number)
    columns = [column for column in table.columns if kept is None or column.key in kept]
    for column in columns:
        shown.add_column(column.heading, justify="right")
    for row in table.rows:
        shown.add_row(*row.labels.values(), *(_cell(row, column) for column in columns))
    return shown


def table_values(tables: tuple[Table, ...]) -> dict[str, Any]:
    """Tables by name as JSON values: proportions in per cent as printed, details and intervals unrounded."""
    return {table.number: table.as_json() for table in tables}


def _cell(row: Row, column: Column) -> str:
    return column.text(row.values().get(column.key))
