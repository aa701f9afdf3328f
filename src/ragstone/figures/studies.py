"""Figures of the studies of one run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ragstone.experiments.scarce_labels import POLICIES, TARGET, DriftStep, ScarceLabels, drift, scarce_labels
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.tables import Table
from ragstone.figures.style import COLOURS, DASHES, GREY, HATCHES, Drawing, draw, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["study_figures"]

_MARKERS = ("o", "s", "^")


def study_figures(run: StoredRun, tables: Sequence[Table]) -> tuple[Drawing, ...]:
    """Ablation (of the tables of :func:`ragstone.experiments.study_tables.study_tables`), scarce labels and drift."""
    by_number = {table.number: table for table in tables}
    drawings = []
    if "ablation-retrieval" in by_number:
        drawings.append(_ablation(by_number["ablation-retrieval"], by_number["ablation-document"]))
    if scarce := scarce_labels(run):
        drawings.append(_scarce(scarce))
    if steps := drift(run):
        drawings.append(_drift(steps))
    return tuple(drawings)


def _ablation(retrieval: Table, document: Table) -> Drawing:
    metrics = (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1"))

    def paint(figure: Figure) -> str:
        both = figure.subplots(1, 2, sharey=True)
        said = []
        for axes, table, title in (
            (both[0], retrieval, "Poison retrieved"),
            (both[1], document, "Own document poisoned"),
        ):
            names = [next(iter(row.labels.values())) for row in table.rows]
            for number, (key, label) in enumerate(metrics):
                values = [100.0 * (row.values()[key] or 0.0) for row in table.rows]
                places = np.arange(len(names)) + (number - 1) * 0.26
                look = {"color": COLOURS[number], "hatch": HATCHES[number], "edgecolor": "white"}
                axes.barh(places, values, 0.24, label=label, **look)
            axes.set_yticks(range(len(names)), names)
            axes.set_ylim(len(names) - 0.5, -0.5)
            axes.set_xlim(0, 102)
            axes.set_xlabel("%")
            axes.set_title(title)
            tidy(axes, grid="x")
            f1 = [row.values()["f1"] for row in table.rows]
            said.append(
                ", ".join(f"{n} F1 {0 if v is None else 100 * v:.0f} %" for n, v in zip(names, f1, strict=True))
            )
        figure.legend(*both[0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
        return "; ".join(said)

    caption = "The Trust Index recomputed from stored signals; undefined precision is drawn as 0."
    return draw("ablation", "Component ablation", caption, paint, height=3.6)


def _scarce(rows: Sequence[ScarceLabels]) -> Drawing:
    methods = list(dict.fromkeys(row.method for row in rows))
    sizes = sorted({row.labels for row in rows})

    def paint(figure: Figure) -> str:
        left, right = figure.subplots(1, 2)
        for number, method in enumerate(methods):
            found = [row for row in rows if row.method == method]
            places = np.array([sizes.index(row.labels) for row in found]) + (number - 1) * 0.18
            left.vlines(
                places,
                [100 * r.low for r in found],
                [100 * r.high for r in found],
                color=COLOURS[number],
                linewidth=2.0,
            )
            left.plot(
                places, [100 * r.mean for r in found], linestyle="none", marker=_MARKERS[number], color=COLOURS[number]
            )
            right.plot(
                range(len(found)),
                [100 * r.broken for r in found],
                marker=_MARKERS[number],
                color=COLOURS[number],
                linestyle=DASHES[number],
                label=method,
            )
        left.axhline(100 * TARGET, color=GREY, linewidth=1.0)
        left.set_title("False alarms, mean and 5th to 95th pct.")
        right.set_title("Draws with more than 10 % false alarms")
        for axes in (left, right):
            axes.set_xticks(range(len(sizes)), [str(size) for size in sizes])
            axes.set_xlabel("Clean samples labelled")
            axes.set_ylabel("%")
            axes.set_ylim(bottom=-1)
            tidy(axes)
        figure.legend(*right.get_legend_handles_labels(), loc="outside upper left", ncols=3)
        return "; ".join(f"{r.method} on {r.labels}: {100 * r.broken:.0f} % of draws above the target" for r in rows)

    caption = (
        "Thresholds fitted on few clean samples and judged on the others, 500 draws. The conformal bound may fail in "
        "one draw of ten; where labels are too few for it, its threshold is 0 and nothing is flagged."
    )
    return draw("scarce-labels", "Calibration with few labels", caption, paint, height=3.4)


def _drift(steps: Sequence[DriftStep]) -> Drawing:
    def paint(figure: Figure) -> str:
        both = figure.subplots(1, 2, sharex=True)
        for axes, key, title in ((both[0], "false_alarms", "False alarms"), (both[1], "recall", "Recall")):
            for number, policy in enumerate(POLICIES):
                points = [
                    (100 * step.share, 100 * value)
                    for step in steps
                    if step.policy == policy and (value := getattr(step, key)) is not None
                ]
                axes.plot(
                    [x for x, _ in points],
                    [y for _, y in points],
                    label=policy,
                    marker=_MARKERS[number],
                    color=COLOURS[number],
                    linestyle=DASHES[number],
                )
            axes.set_title(title)
            axes.set_xlabel("Questions that meet the poisoned corpus, %")
            axes.set_ylabel("%")
            axes.set_ylim(0, None)
            tidy(axes)
        figure.legend(*both[0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
        last = [step for step in steps if step.share == 1.0]
        return "; ".join(
            f"{s.policy}: false alarms {_percent(s.false_alarms)}, recall {_percent(s.recall)} at the end" for s in last
        )

    caption = (
        "A threshold refitted without labels takes whatever it saw last for clean; 300 random orders of questions."
    )
    return draw("drift", "A corpus that is poisoned more and more", caption, paint, height=3.2)


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.0f} %"
