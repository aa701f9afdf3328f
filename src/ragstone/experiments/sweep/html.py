"""The sweep's HTML report: one file that needs nothing from outside, with figures and tables."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from ragstone.errors import InputError
from ragstone.experiments.sweep.findings import examples, findings
from ragstone.experiments.sweep.report import ConfigurationReport, SweepReport
from ragstone.experiments.tables import Table
from ragstone.figures.sweep import draw_sweep
from ragstone.report.spans import visible

__all__ = ["render_sweep_html", "write_figures"]

_MOST_CHANGES = 6


def render_sweep_html(report: SweepReport) -> str:
    """A whole HTML document. Raises MissingDependencyError without matplotlib."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    source = files("ragstone").joinpath("data", "templates", "sweep.html.j2").read_text(encoding="utf-8")
    meta, share = report.run.meta, report.unanswerable
    facts = {
        "Generator": meta["generator"],
        "Embedder": meta["embedder"],
        "Corpus": f"{meta['corpus']['name']}, {meta['corpus']['documents']:,} documents ({meta['corpus']['origin']})",
        "Runs": f"{len(report.run.cells):,} of {report.run.expected:,}",
        "Answers": f"{report.answers:,} ({report.empty:,} empty), {report.seconds / 60:.0f} minutes of generation",
        "Temperature": f"{report.run.design.temperature:g}",
        "Judge": report.judge or "none",
    }
    if share is not None:
        facts["Unanswerable questions"] = f"abstained on {share.successes} of {share.total}"
    return environment.from_string(source).render(
        title=visible(report.title),
        facts={name: visible(str(value)) for name, value in facts.items()},
        complete=report.complete,
        configurations=[_configuration(item) for item in report.configurations],
        comparison=None if report.comparison is None else _table(report.comparison),
    )


def write_figures(report: SweepReport, folder: Path) -> list[Path]:
    """Every figure as PNG and SVG, named by configuration and number. Raises InputError when it cannot."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for item in report.configurations:
            for drawing in draw_sweep(item.breakdown):
                for ending, content in (("png", drawing.png), ("svg", drawing.svg)):
                    path = folder / f"{item.name}-figure-{drawing.name}.{ending}"
                    path.write_bytes(content)
                    written.append(path)
    except OSError as error:
        raise InputError(f"cannot write figures to {folder}: {error.strerror}") from error
    return written


def _configuration(item: ConfigurationReport) -> dict[str, Any]:
    found = item.breakdown
    return {
        "name": item.name,
        "findings": findings(found),
        "figures": list(_figures(item)),
        "tables": [_table(table) for table in item.tables],
        "examples": [
            {
                "strategy": example.strategy,
                "level": example.level,
                "question": visible(example.question),
                "changes": [(visible(a), visible(b)) for a, b in example.changes[:_MOST_CHANGES]],
                "more": max(0, len(example.changes) - _MOST_CHANGES),
                "clean": visible(example.clean_answer),
                "poisoned": visible(example.poisoned_answer),
            }
            for example in examples(found)
        ],
    }


def _figures(item: ConfigurationReport) -> Iterator[dict[str, str]]:
    for drawing in draw_sweep(item.breakdown):
        data = base64.b64encode(drawing.svg).decode("ascii")
        number = drawing.name.partition("-")[0]
        yield {"number": number, "caption": drawing.caption, "alt": visible(drawing.alt), "data": data}


def _table(table: Table) -> dict[str, Any]:
    rows = []
    for row in table.rows:
        values, details = row.values(), row.details()
        paper = details.get("paper", {})
        cells = [
            {"text": column.text(values.get(column.key)), "paper": paper.get(column.key)} for column in table.columns
        ]
        rows.append(([visible(text) for text in row.labels.values()], cells))
    return {
        "number": table.number if table.number.isupper() else "",
        "title": table.title,
        "labels": list(table.rows[0].labels) if table.rows else [],
        "headings": [column.heading for column in table.columns],
        "rows": [{"labels": labels, "cells": cells} for labels, cells in rows],
        "paper": any(cell["paper"] is not None for _, cells in rows for cell in cells),
    }
