"""Replay of recorded runs: every table and number of paper 000 from stored signals, without any model.

    report = replay("path/to/trustworthyrag")
    print(report.summary)

Each recomputed value is compared with the printed one at the printed precision; what differs, or what the records
cannot give, is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ragstone.datasets.records import Run, load_records
from ragstone.errors import InputError
from ragstone.experiments.replay_arithmetic import Arithmetic, check_arithmetic
from ragstone.experiments.replay_findings import Observation, all_findings
from ragstone.experiments.replay_prose import Quantity, prose_quantities
from ragstone.experiments.replay_published import PUBLISHED, Published
from ragstone.experiments.replay_tables import all_tables
from ragstone.experiments.replay_unanswered import RunSummary, summarise_runs
from ragstone.experiments.tables import Table

__all__ = ["Comparison", "ReplayReport", "Status", "replay", "replay_runs"]


class Status(StrEnum):
    """Outcome of comparing one published value."""

    MATCH = "match"
    DIFFERS = "differs"
    NOT_RECORDED = "not recorded"
    NO_RUN = "no such run"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One published value beside the recomputed one; ``replayed`` is printed with as many decimals as published."""

    published: Published
    replayed: str | None
    value: float | None
    status: Status
    note: str


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a replay found. ``runs`` has the scores of every run, with and without unanswered samples."""

    tables: tuple[Table, ...]
    comparisons: tuple[Comparison, ...]
    findings: tuple[Observation, ...]
    runs: tuple[RunSummary, ...]
    arithmetic: Arithmetic

    def with_status(self, *statuses: Status) -> tuple[Comparison, ...]:
        return tuple(comparison for comparison in self.comparisons if comparison.status in statuses)

    @property
    def summary(self) -> str:
        counts = {status: len(self.with_status(status)) for status in Status}
        words = {Status.DIFFERS: "differ", Status.NOT_RECORDED: "not in the records", Status.NO_RUN: "without a run"}
        rest = ", ".join(f"{counts[status]} {word}" for status, word in words.items() if counts[status])
        text = f"{counts[Status.MATCH]} of {len(self.comparisons)} published values match to the digit"
        return f"{text}; {rest}" if rest else text


def replay(path: str | Path | None = None) -> ReplayReport:
    """Replay the records under ``path`` (see :func:`ragstone.datasets.records.find_records`).

    Without ``path``, those under the folder in ``RAGSTONE_DATA``. Raises :class:`ragstone.errors.InputError` when
    there are none or they cannot be read, :class:`ragstone.errors.MissingDependencyError` without the extra ``bench``.
    """
    return replay_runs(load_records(path))


def replay_runs(runs: Sequence[Run]) -> ReplayReport:
    """Replay runs already loaded; raises :class:`ragstone.errors.InputError` when there are none."""
    if not runs:
        raise InputError("there are no runs to replay: the list in runs.json is empty")
    tables = all_tables(runs)
    summaries = summarise_runs(runs)
    arithmetic = check_arithmetic(runs)
    return ReplayReport(
        tables=tables,
        comparisons=_compare(_table_quantities(tables) | prose_quantities(runs)),
        findings=all_findings(runs, summaries, arithmetic),
        runs=summaries,
        arithmetic=arithmetic,
    )


def _table_quantities(tables: Sequence[Table]) -> dict[tuple[str, str, str], Quantity]:
    return {
        (f"Table {table.number}", ", ".join(filter(None, row.labels.values())), column.key): Quantity(
            column.scaled(row.values()[column.key])
        )
        for table in tables
        for row in table.rows
        for column in table.columns
    }


def _compare(quantities: Mapping[tuple[str, str, str], Quantity]) -> tuple[Comparison, ...]:
    return tuple(
        _comparison(published, quantities.get((published.place, published.row, published.column)))
        for published in PUBLISHED
    )


def _comparison(published: Published, found: Quantity | None) -> Comparison:
    if found is None:
        return Comparison(published, None, None, Status.NO_RUN, "no recorded run has this configuration")
    if not found.recorded:
        return Comparison(published, None, None, Status.NOT_RECORDED, found.note)
    decimals = len(published.printed.partition(".")[2])
    printed = "n/a" if found.value is None else f"{found.value:.{decimals}f}"
    status = Status.MATCH if printed == published.printed else Status.DIFFERS
    return Comparison(published, printed, found.value, status, found.note)
