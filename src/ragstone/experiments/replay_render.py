"""A replay report as JSON and as text for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ragstone.experiments.replay import Comparison, ReplayReport, Status
from ragstone.experiments.replay_unanswered import RunSummary
from ragstone.experiments.tables import DELTA, DETECTION, describe_counts

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from ragstone.experiments.tables import Table
    from ragstone.stats import DetectionScores

__all__ = ["print_report", "to_json", "to_json_text"]


def to_json(report: ReplayReport) -> dict[str, Any]:
    """``tables`` by number, ``findings``, ``comparison``, ``runs`` and ``arithmetic``.

    Rows of ``tables`` and ``comparison`` are as printed (proportions in per cent); evidence, details and scores of
    runs are unrounded proportions.
    """
    return {
        "summary": report.summary,
        "tables": {table.number: table.as_json() for table in report.tables},
        "findings": [asdict(finding) for finding in report.findings],
        "comparison": [_comparison_json(comparison) for comparison in report.comparisons],
        "runs": [_run_json(run) for run in report.runs],
        "arithmetic": asdict(report.arithmetic),
    }


def to_json_text(report: ReplayReport) -> str:
    return json.dumps(to_json(report), indent=2, ensure_ascii=False, allow_nan=False)


def _comparison_json(comparison: Comparison) -> dict[str, Any]:
    return {
        **asdict(comparison.published),
        "replayed": comparison.replayed,
        "value": comparison.value,
        "status": str(comparison.status),
        "note": comparison.note,
    }


def _run_json(run: RunSummary) -> dict[str, Any]:
    plain = {
        name: getattr(run, name)
        for name in ("name", "dataset", "llm", "embedding", "k", "strategy", "ablation", "samples", "empty", "failed")
    }
    return {
        **plain,
        "f_on_baseline": run.on_baseline,
        "false_positives_unanswered": run.false_positives_unanswered,
        "true_positives_unanswered": run.true_positives_unanswered,
        "as_published": _scores_json(run.as_published),
        "answered_only": _scores_json(run.answered_only),
    }


def _scores_json(scores: DetectionScores) -> dict[str, Any]:
    metrics = ("accuracy", "precision", "recall", "f1", "separation", "roc_auc", "average_precision")
    return {
        **{name: getattr(scores, name).value for name in metrics},
        "unscored": scores.unscored,
        "unscored_poisoned": scores.unscored_poisoned,
        "counts": describe_counts(scores.confusion),
    }


def print_report(report: ReplayReport, console: Console) -> None:
    """Tables I to VI, what does not match, runs with unanswered samples, and the findings."""
    from rich.text import Text

    matching = {
        (c.published.place, c.published.row, c.published.column): c.status is Status.MATCH for c in report.comparisons
    }
    for table in report.tables:
        console.print(_rich_table(table, matching), "")
    console.print("Values that differ from the printed one are marked *.", "")
    console.print(f"[bold]{report.summary}[/bold]", "")
    for comparison in report.with_status(Status.DIFFERS, Status.NOT_RECORDED, Status.NO_RUN):
        console.print(_difference_line(comparison), markup=False, highlight=False)
    console.print("", _unanswered_table(report.runs), "")
    for finding in report.findings:
        topic = finding.topic[:1].upper() + finding.topic[1:]
        console.print(Text.assemble((f"{topic}. ", "bold"), finding.statement), "", highlight=False)


def _rich_table(table: Table, matching: dict[tuple[str, str, str], bool]) -> RichTable:
    from rich.table import Table as RichTable

    shown = RichTable(title=f"Table {table.number}. {table.title}", title_justify="left", title_style="bold")
    for heading in dict.fromkeys(heading for row in table.rows for heading in row.labels):
        shown.add_column(heading)
    for column in table.columns:
        shown.add_column(column.heading, justify="right")
    for row in table.rows:
        name = ", ".join(filter(None, row.labels.values()))
        cells = []
        for column in table.columns:
            match = matching.get((f"Table {table.number}", name, column.key), True)
            cells.append(column.text(row.values()[column.key]) + ("" if match else "*"))
        shown.add_row(*row.labels.values(), *cells)
    return shown


def _difference_line(comparison: Comparison) -> str:
    published = comparison.published
    place = f"{published.place}, {published.row}, {published.column}: printed {published.printed}"
    found = f"replayed {comparison.replayed}" if comparison.replayed is not None else str(comparison.status)
    return f"  {place}, {found}" + (f" ({comparison.note})" if comparison.note else "")


def _unanswered_table(runs: tuple[RunSummary, ...]) -> RichTable:
    from rich.table import Table as RichTable

    shown = RichTable(
        title="Runs with samples that have no answer: scores as published, then over the answered samples",
        title_justify="left",
        title_style="bold",
    )
    for heading in ("Run", "Empty", "Failed", "Scores of", "Poisoned"):
        shown.add_column(heading, overflow="fold", justify="left" if heading in ("Run", "Scores of") else "right")
    for column in (*DETECTION, DELTA):
        shown.add_column(column.heading, justify="right")
    for run in runs:
        if run.unanswered:
            for number, line in enumerate(_score_lines(run)):
                name = (run.name, str(run.empty), str(run.failed)) if number == 0 else ("", "", "")
                shown.add_row(*name, *line)
    return shown


def _score_lines(run: RunSummary) -> Iterator[list[str]]:
    for label, scores in (("all", run.as_published), ("answered", run.answered_only)):
        values = (scores.accuracy, scores.precision, scores.recall, scores.f1, scores.separation)
        cells = [column.text(value.value) for column, value in zip((*DETECTION, DELTA), values, strict=True)]
        yield [label, str(scores.confusion.poisoned), *cells]
