"""Figures 1 to 6 of the robustness sweep (paper 001, section III), readable without colour and by the colour-blind.

Colours are those of Okabe and Ito; strategies also differ in marker and line style, bars in hatching.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from typing import TYPE_CHECKING

from ragstone.experiments.sweep.breakdown import Breakdown
from ragstone.experiments.sweep.rates import GroupRates
from ragstone.experiments.sweep.tables import FRAGILE_SHOWN
from ragstone.experiments.value_rows import title_of
from ragstone.figures.style import Drawing, draw, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["SWEEP_FIGURES", "draw_sweep"]

Fill = Callable[["Figure", Breakdown], None]
Tell = Callable[[Breakdown], str]
BLACK, GREY = "#000000", "#767676"
_LINES = (
    ("#D55E00", "o", "-"),
    ("#0072B2", "s", "--"),
    ("#009E73", "^", "-."),
    ("#CC79A7", "D", ":"),
    ("#E69F00", "v", "-"),
    ("#56B4E9", "P", "--"),
    ("#000000", "X", "-."),
    ("#8C6D31", "<", ":"),
    ("#666666", ">", "-"),
)
CORRECT, ABSTAINED, FOOLED = ("#009E73", ""), ("#56B4E9", "//"), ("#D55E00", "xx")
_NUMBER_SWAP = "number_swap"


def draw_sweep(found: Breakdown) -> Iterator[Drawing]:
    """Every figure as PNG and SVG. Raises MissingDependencyError without matplotlib."""
    for name, (title, caption, fill, tell, size) in SWEEP_FIGURES.items():

        def paint(figure: Figure, fill: Fill = fill, tell: Tell = tell) -> str:
            fill(figure, found)
            return tell(found)

        yield draw(name, title, caption, paint, width=size[0], height=size[1])


def _accuracy(figure: Figure, found: Breakdown) -> None:
    left, right = figure.subplots(1, 2)
    _lines(left, found, "poisoned_accuracy")
    clean = [found.by_level[level].value("clean_accuracy") for level in found.levels]
    left.plot(found.levels, _percent(clean), color=BLACK, lw=2, label="Clean passages")
    _level_axis(left, found, "Accuracy, %", "(a) Accuracy by keyword")
    for (name, _), (colour, marker, line) in zip(_series(found), cycle(_LINES), strict=False):
        drops = [
            100.0 * ((rates.value("clean_accuracy") or 0.0) - (rates.value("poisoned_accuracy") or 0.0))
            for _, rates in _of(found, name)
        ]
        right.plot([level for level, _ in _of(found, name)], drops, color=colour, marker=marker, ls=line)
    right.axhline(0.0, color=GREY, lw=0.8)
    _level_axis(right, found, "Points below clean", "(b) Drop against clean passages", share=False)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=_columns(found), frameon=False)


def _heat_map(figure: Figure, found: Breakdown) -> None:
    axes = figure.subplots()
    values = [
        [_percent_of(found.grid[s, v]) if (s, v) in found.grid else float("nan") for v in found.levels]
        for s in found.strategies
    ]
    highest = max([40.0, *(value for row in values for value in row if value == value)])
    image = axes.imshow(values, cmap="cividis", vmin=0.0, vmax=highest, aspect="auto")
    for row, cells in enumerate(values):
        for column, value in enumerate(cells):
            if value == value:
                shade = BLACK if value > 0.55 * highest else "white"
                axes.text(column, row, f"{value:.1f}", ha="center", va="center", color=shade)
    axes.set_xticks(range(len(found.levels)), [found.level_name(level) for level in found.levels])
    axes.set_yticks(range(len(found.strategies)), [title_of(name) for name in found.strategies])
    axes.set_xlabel(_unit(found))
    axes.spines[:].set_visible(False)
    tidy(axes, grid="")
    figure.colorbar(image, ax=axes, label="Fooled, %")


def _fooled(figure: Figure, found: Breakdown) -> None:
    """Number swap in bold with its intervals; where it was not run, every strategy has them."""
    axes = figure.subplots()
    alone = _NUMBER_SWAP in found.strategies
    lines = list(zip(_series(found), cycle(_LINES), strict=False))
    for number, ((name, label), (colour, marker, line)) in enumerate(lines):
        points = _of(found, name)
        bold = name == _NUMBER_SWAP
        places = [level + 0.03 * (number - len(lines) / 2) for level, _ in points]
        axes.plot(
            places,
            _percent([rates.value("fooled") for _, rates in points]),
            color=colour,
            marker=marker,
            ls=line,
            lw=2.8 if bold else 1.4,
            label=label,
        )
        for place, (_, rates) in zip(places, points, strict=True):
            interval = rates["fooled"].interval
            if interval is not None and (bold or not alone):
                axes.vlines(place, 100.0 * interval.low, 100.0 * interval.high, color=colour, lw=1.2)
    _level_axis(axes, found, "Fooled, %", None, share=False)
    axes.set_ylim(bottom=0.0)
    figure.legend(loc="outside lower center", ncols=_columns(found), frameon=False)


def _failure(figure: Figure, found: Breakdown) -> None:
    left, right = figure.subplots(1, 2)
    _lines(left, found, "abstention")
    _level_axis(left, found, "Abstained, %", "(a) Abstention, poisoned passages")
    places = range(len(found.strategies))
    for shift, measure, label, colour, hatch in (
        (-0.2, "clean_unsupported", "Clean", "#BBBBBB", ""),
        (0.2, "unsupported", "Poisoned", "#E69F00", "//"),
    ):
        heights = _percent([found.by_strategy[name].value(measure) for name in found.strategies])
        bars = right.bar([p + shift for p in places], heights, 0.4, label=label, color=colour, hatch=hatch, ec=BLACK)
        right.bar_label(bars, fmt="%.0f", padding=2)
    right.set_xticks(places, [title_of(name).replace(" ", "\n") for name in found.strategies])
    tidy(right)
    right.set_ylabel("Overlap below 30 %, % of answers")
    right.set_title("(b) Unsupported, over all levels", fontsize=9)
    right.set_ylim(0.0, max(10.0, 1.3 * right.get_ylim()[1]))
    right.legend(frameon=False, ncols=2)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=_columns(found), frameon=False)


def _outcomes(figure: Figure, found: Breakdown) -> None:
    axes = figure.subplots()
    names: list[str] = []
    place = 0.0
    for strategy in found.strategies:
        first = place
        for level in found.levels:
            if (strategy, level) in found.decomposition:
                _stack(axes, place, found, strategy, level)
                names.append(f"{place:g}|{found.level_name(level)}")
                place += 1.0
        axes.text((first + place - 1.0) / 2, 103.0, title_of(strategy), ha="center")
        place += 0.6
    axes.set_xticks([float(n.split("|")[0]) for n in names], [n.split("|")[1] for n in names])
    axes.set_ylim(0.0, 112.0)
    axes.set_yticks(range(0, 101, 20))
    tidy(axes)
    axes.set_ylabel("% of answers correct on clean passages")
    axes.set_xlabel(_unit(found))
    handles = [
        axes.bar(0, 0, color=colour, hatch=hatch, ec=BLACK, label=label)
        for label, (colour, hatch) in (("Still correct", CORRECT), ("Abstained", ABSTAINED), ("Fooled", FOOLED))
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)


def _stack(axes: Axes, place: float, found: Breakdown, strategy: str, level: int) -> None:
    outcome = found.decomposition[strategy, level]
    bottom = 0.0
    parts = ((outcome.still_correct, CORRECT), (outcome.abstained, ABSTAINED), (outcome.fooled, FOOLED))
    for count, (colour, hatch) in parts:
        height = 100.0 * count / outcome.total if outcome.total else 0.0
        axes.bar(place, height, 0.85, bottom=bottom, color=colour, hatch=hatch, ec=BLACK, lw=0.6)
        bottom += height
    axes.text(place, 2.0, f"n = {outcome.total}", ha="center", fontsize=7, bbox={"fc": "white", "ec": "none", "pad": 1})


def _queries(figure: Figure, found: Breakdown) -> None:
    axes = figure.subplots()
    shown = [item for item in found.fragile if item.fooled][:FRAGILE_SHOWN][::-1]
    bars = axes.barh(range(len(shown)), [100.0 * item.rate for item in shown], color="#0072B2")
    axes.bar_label(bars, labels=[f"{item.fooled} of {item.cells}" for item in shown], padding=3, fontsize=8)
    axes.set_yticks(range(len(shown)), [_short(item.question) for item in shown])
    tidy(axes, grid="x")
    axes.set_xlabel("Fooled, % of all runs of the query")
    axes.margins(x=0.15)


def _lines(axes: Axes, found: Breakdown, measure: str) -> None:
    for (name, label), (colour, marker, line) in zip(_series(found), cycle(_LINES), strict=False):
        points = _of(found, name)
        values = _percent([rates.value(measure) for _, rates in points])
        axes.plot([level for level, _ in points], values, color=colour, marker=marker, ls=line, label=label)


def _level_axis(axes: Axes, found: Breakdown, label: str, title: str | None, *, share: bool = True) -> None:
    axes.set_xticks(found.levels, [found.level_name(level) for level in found.levels])
    axes.set_xlabel(_unit(found))
    axes.set_ylabel(label)
    tidy(axes)
    if share:
        axes.set_ylim(0.0, 102.0)
    if title is not None:
        axes.set_title(title, fontsize=9)


def _unit(found: Breakdown) -> str:
    return "Poisoned sources" if found.unit == "source" else "Poisoned passages"


def _series(found: Breakdown) -> list[tuple[str, str]]:
    return [(name, title_of(name)) for name in found.strategies]


def _of(found: Breakdown, strategy: str) -> list[tuple[int, GroupRates]]:
    return [(level, found.grid[strategy, level]) for level in found.levels if (strategy, level) in found.grid]


def _percent(values: list[float | None]) -> list[float]:
    return [float("nan") if value is None else 100.0 * value for value in values]


def _percent_of(rates: GroupRates) -> float:
    return _percent([rates.value("fooled")])[0]


def _columns(found: Breakdown) -> int:
    return min(4, len(found.strategies) + 1)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:58]}…"


def _told(measure: str) -> Tell:
    """The values of every line, for those who cannot see it."""

    def tell(found: Breakdown) -> str:
        lines = []
        for name, label in _series(found):
            points = [
                (found.level_name(level), _percent([rates.value(measure)])[0]) for level, rates in _of(found, name)
            ]
            lines.append(f"{label}: {', '.join(f'{value:.1f} % at {level}' for level, value in points)}")
        return "; ".join(lines)

    return tell


def _outcomes_told(found: Breakdown) -> str:
    parts = [
        f"{title_of(strategy)} at {found.level_name(level)}: {d.still_correct} still correct, {d.abstained} abstained, "
        f"{d.fooled} fooled"
        for (strategy, level), d in found.decomposition.items()
    ]
    return "; ".join(parts)


def _queries_told(found: Breakdown) -> str:
    shown = [item for item in found.fragile if item.fooled][:FRAGILE_SHOWN]
    return "; ".join(f"{item.question} {item.fooled} of {item.cells} runs" for item in shown) or "No query was fooled."


SWEEP_FIGURES: Mapping[str, tuple[str, str, Fill, Tell, tuple[float, float]]] = {
    "1-accuracy": (
        "Accuracy",
        "Accuracy by level and strategy, and the drop against clean passages.",
        _accuracy,
        _told("poisoned_accuracy"),
        (8.0, 3.6),
    ),
    "2-heat-map": (
        "Fooled, by strategy and level",
        "Fooled rate of every strategy and level.",
        _heat_map,
        _told("fooled"),
        (6.4, 3.0),
    ),
    "3-number-swap": (
        "Fooled, by level",
        "Fooled rate by level, with 95 % intervals over queries for number swap.",
        _fooled,
        _told("fooled"),
        (6.4, 3.8),
    ),
    "4-failure": (
        "How the generator fails",
        "Abstention by level, and unsupported answers on clean and poisoned passages.",
        _failure,
        _told("abstention"),
        (8.0, 3.8),
    ),
    "5-outcomes": (
        "What became of right answers",
        "Outcome of answers that were correct on clean passages.",
        _outcomes,
        _outcomes_told,
        (8.0, 4.0),
    ),
    "6-queries": (
        "Fragile queries",
        "The ten most fragile queries over all conditions.",
        _queries,
        _queries_told,
        (8.0, 3.8),
    ),
}
"""Name, title, caption, drawing, what it says in words, and size in inches of each figure."""
