"""The report of a detection run: one page that needs nothing from outside, with figures and tables as files beside it.

write_benchmark_report(load_run("runs/truthfulqa"), Path("docs/benchmarks/truthfulqa"))
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from ragstone.errors import InputError
from ragstone.experiments.detection_tables import detection_tables
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.study_tables import study_tables
from ragstone.experiments.tables import Table
from ragstone.figures import Drawing, detection_figures, study_figures
from ragstone.report.benchmark_facts import command_of, facts_of, notices_of, tiles_of
from ragstone.report.benchmark_tables import headings, page_cells, to_csv, to_markdown
from ragstone.stats import Resampling

__all__ = ["BenchmarkReport", "benchmark_report", "write_benchmark_report"]

PAGE = "index.html"
# Which tables and figures stand together, in order; what is not named comes at the end.
_SECTIONS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("detection", "Detection by strategy", ("strategies", "roc", "confusion"), ("retrieval", "document", "paper")),
    ("corpus", "What was retrieved", (), ("exposure", "mixture", "passages")),
    ("trust", "Trust", ("trust", "reliability"), ()),
    (
        "signals",
        "Signals, trivial detectors and benign edits",
        ("signals", "trivial"),
        ("signals", "trivial", "controls"),
    ),
    (
        "parts",
        "What each part contributes",
        ("ablation",),
        ("ablation-retrieval", "ablation-document", "leave-one-out", "sensitivity"),
    ),
    ("threshold", "Threshold", ("scarce-labels", "drift"), ("threshold", "scarce-labels", "drift")),
    ("cost", "Time, repeats and what was not scored", (), ("overhead", "variance", "baseline", "unscored")),
)


@dataclass(frozen=True)
class BenchmarkReport:
    """All that is shown of a run."""

    run: StoredRun
    tables: tuple[Table, ...]
    drawings: tuple[Drawing, ...]

    def html(self) -> str:
        """The whole page; figures are embedded."""
        from jinja2 import Environment, StrictUndefined

        environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        source = files("ragstone").joinpath("data", "templates", "benchmark.html.j2").read_text(encoding="utf-8")
        return environment.from_string(source).render(
            title=f"Detection benchmark: {self.run.meta['dataset']}, split {self.run.meta['split']}",
            facts=facts_of(self.run),
            command=command_of(self.run),
            notices=notices_of(self.run),
            tiles=tiles_of(self.run),
            sections=_sections(self.tables, self.drawings),
        )


def benchmark_report(run: StoredRun, *, resamples: int = 20_000) -> BenchmarkReport:
    """Score, study and draw ``run``. Studies are left out where the run has no answers to study."""
    resampling = Resampling(resamples=resamples)
    tables = detection_tables(run, resampling=resampling)
    try:
        studies = study_tables(run, resampling=resampling)
    except InputError:
        studies = ()
    drawings = (*detection_figures(run), *(study_figures(run, studies) if studies else ()))
    return BenchmarkReport(run, (*tables, *studies), drawings)


def write_benchmark_report(run: StoredRun, folder: Path, *, resamples: int = 20_000) -> Path:
    """Write the page, ``figures/*.svg`` and ``.png``, ``tables/*.csv`` and ``.md``; returns the path of the page."""
    report = benchmark_report(run, resamples=resamples)
    try:
        for name in ("figures", "tables"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        for drawing in report.drawings:
            (folder / "figures" / f"{drawing.name}.svg").write_bytes(drawing.svg)
            (folder / "figures" / f"{drawing.name}.png").write_bytes(drawing.png)
        for table in report.tables:
            (folder / "tables" / f"{table.number}.csv").write_text(to_csv(table), encoding="utf-8")
            (folder / "tables" / f"{table.number}.md").write_text(to_markdown(table), encoding="utf-8")
        (folder / PAGE).write_text(report.html(), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write the report to {folder}: {error.strerror}") from error
    return folder / PAGE


def _sections(tables: Sequence[Table], drawings: Sequence[Drawing]) -> list[dict[str, Any]]:
    left_tables = {table.number: table for table in tables}
    left_drawings = {drawing.name: drawing for drawing in drawings}
    sections = []
    for anchor, title, figure_names, table_names in (
        *_SECTIONS,
        ("more", "More", tuple(left_drawings), tuple(left_tables)),
    ):
        figures = [left_drawings.pop(name) for name in figure_names if name in left_drawings]
        shown = [left_tables.pop(name) for name in table_names if name in left_tables]
        if figures or shown:
            sections.append(
                {
                    "anchor": anchor,
                    "title": title,
                    "figures": [_figure(figure) for figure in figures],
                    "tables": [_table(table) for table in shown],
                }
            )
    return sections


def _figure(drawing: Drawing) -> dict[str, str]:
    data = base64.b64encode(drawing.svg).decode("ascii")
    return {
        "name": drawing.name,
        "title": drawing.title,
        "caption": drawing.caption,
        "alt": drawing.alt,
        "source": f"data:image/svg+xml;base64,{data}",
    }


def _table(table: Table) -> dict[str, Any]:
    labels = headings(table)
    return {
        "number": table.number,
        "title": table.title,
        "labels": labels,
        "columns": [column.heading for column in table.columns],
        "rows": [
            {"labels": [row.labels.get(label, "") for label in labels], "cells": page_cells(table, row)}
            for row in table.rows
        ],
    }
