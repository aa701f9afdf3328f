"""Figures of what stands behind a run's scores: confusion, signals, trivial detectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ragstone.experiments.detection_detectors import detector_scores, signal_scores
from ragstone.experiments.detection_scores import Share, TrialScores
from ragstone.experiments.stored_runs import Trial
from ragstone.experiments.value_rows import title_of
from ragstone.figures.style import COLOURS, Drawing, draw, panels, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["confusion_figure", "signal_figure", "trivial_figure", "wrapped"]

_DETECTORS = ("Ragstone", "Length", "Query overlap", "Nearest neighbour")
_MARKERS = ("o", "s", "^", "D")
_OFFSETS = (-0.24, -0.08, 0.08, 0.24)  # so that equal values do not cover each other


def confusion_figure(scores: Sequence[TrialScores]) -> Drawing:
    def paint(figure: Figure) -> str:
        grid = panels(figure, len(scores), across=min(5, len(scores)))
        for axes, found in zip(grid, scores, strict=True):
            confusion = found.retrieval.confusion
            counts = np.array(
                [
                    [confusion.true_negatives, confusion.false_positives],
                    [confusion.false_negatives, confusion.true_positives],
                ]
            )
            _heat(axes, counts / counts.sum(axis=1, keepdims=True).clip(min=1), counts.astype(str).tolist())
            axes.set_xticks((0, 1), ("trusted", "flagged"))
            axes.set_yticks((0, 1), ("clean", "poisoned") if axes in (grid[0], *grid[5::5]) else ("", ""))
            axes.set_title(wrapped(found.strategy), fontsize=9)
        return "; ".join(
            f"{title_of(s.strategy)}: {s.retrieval.confusion.true_positives} of {s.retrieval.confusion.poisoned} "
            f"poisoned flagged, {s.retrieval.confusion.false_positives} false alarms"
            for s in scores
        )

    caption = "Counts of samples against retrieval-grounded truth; the shade is the share of the row."
    rows = -(-len(scores) // 5)
    return draw("confusion", "Confusion by strategy", caption, paint, height=0.5 + 1.75 * rows)


def signal_figure(trials: Sequence[Trial], flag_threshold: float) -> Drawing:
    found = {trial.strategy: {s.signal: s for s in signal_scores(trial, flag_threshold)} for trial in trials}
    names = sorted({name for signals in found.values() for name in signals})

    def share(strategy: str, name: str, poisoned: bool) -> Share:
        signal = found[strategy].get(name)
        if signal is None:
            return Share(0, 1)
        counts = signal.found
        if poisoned:
            return Share(counts.true_positives, counts.poisoned)
        return Share(counts.false_positives, counts.total - counts.poisoned)

    def paint(figure: Figure) -> str:
        columns = [title_of(name) for name in names]
        both = figure.subplots(1, 2, sharey=True)
        said = []
        for axes, poisoned, title in ((both[0], True, "Poisoned passages"), (both[1], False, "Sound passages")):
            values = np.array([[share(s, n, poisoned).value or 0.0 for n in names] for s in found]).reshape(
                len(found), -1
            )
            _heat(axes, values, [[f"{100 * v:.0f}" for v in row] for row in values])
            axes.set_xticks(range(len(names)), columns, rotation=35, ha="right", rotation_mode="anchor")
            axes.set_yticks(range(len(found)), [title_of(strategy) for strategy in found])
            axes.set_title(title)
            said.append(f"{title}, at most {100 * values.max(initial=0.0):.0f} %")
        return "; ".join(said)

    caption = "Per cent of the retrieved passages on which a signal found anything."
    return draw("signals", "What each signal reacts to", caption, paint, height=1.6 + 0.34 * len(trials))


def trivial_figure(trials: Sequence[Trial]) -> Drawing:
    found = {trial.strategy: {d.name: d for d in detector_scores(trial)} for trial in trials}

    def paint(figure: Figure) -> str:
        both = figure.subplots(1, 2, sharey=True)
        for axes, key, title in ((both[0], "roc_auc", "Samples"), (both[1], "passage_roc_auc", "Passages")):
            for number, name in enumerate(_DETECTORS):
                points = [
                    (value, place + _OFFSETS[number])
                    for place, detectors in enumerate(found.values())
                    if name in detectors and (value := getattr(detectors[name], key)) is not None
                ]
                axes.plot(
                    [x for x, _ in points],
                    [y for _, y in points],
                    linestyle="none",
                    marker=_MARKERS[number],
                    markersize=7.5 if number == 0 else 6,
                    color=COLOURS[number],
                    markeredgecolor="white",
                    label=name,
                )
            axes.axvline(0.5, color="#c9cfda", linewidth=1.0)
            axes.set_xlim(0.0, 1.03)
            axes.set_ylim(len(found) - 0.5, -0.5)
            axes.set_yticks(range(len(found)), [title_of(strategy) for strategy in found])
            axes.set_title(title)
            axes.set_xlabel("ROC-AUC")
            tidy(axes, grid="x")
        figure.legend(*both[0].get_legend_handles_labels(), loc="outside upper left", ncols=4)
        return "; ".join(
            f"{title_of(s)}: " + ", ".join(f"{n} {d.roc_auc:.2f}" for n, d in ds.items() if d.roc_auc is not None)
            for s, ds in found.items()
        )

    caption = (
        "What could be told without reading: 0.5 is guessing. Longer and more repetitive count as more suspicious."
    )
    return draw("trivial", "Ragstone beside trivial detectors", caption, paint, height=1.5 + 0.42 * len(trials))


def _heat(axes: Axes, values: Any, texts: Sequence[Sequence[str]]) -> None:
    axes.imshow(values, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        colour = "white" if value > 0.55 else "#1a2030"
        axes.text(column, row, texts[row][column], ha="center", va="center", color=colour, fontsize=9)
    axes.grid(False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def wrapped(strategy: str) -> str:
    """The strategy's name on at most two lines."""
    return title_of(strategy).replace(" ", "\n", 1)
