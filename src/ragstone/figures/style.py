"""How figures look, and how they become files.

Colours are those of Okabe and Ito (2008), which differ for every common form of colour blindness; whatever is told by
colour is also told by a marker, a line style or a hatch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

from ragstone.errors import optional_import

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "DASHES", "GREY", "HATCHES", "INK", "Drawing", "draw", "panels", "tidy"]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D")
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (1, 1)), (0, (8, 3)), "-")
HATCHES = ("", "////", "....", "\\\\\\\\", "xx", "--", "")
INK, GREY, LINE = "#1a2030", "#5a6478", "#c9cfda"
WIDTH = 7.6  # inches
_PNG_DPI = 160
_STYLE = {
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": LINE,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#e6e9f0",
    "grid.linewidth": 0.8,
    "text.color": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "hatch.linewidth": 0.7,
    "svg.fonttype": "none",
    "svg.hashsalt": "ragstone",
    "figure.facecolor": "white",
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as files. ``caption`` says what is seen; ``alt`` is for those who cannot see it."""

    name: str
    title: str
    caption: str
    alt: str
    svg: bytes
    png: bytes


def draw(
    name: str, title: str, caption: str, paint: Callable[[Figure], str], *, height: float, width: float = WIDTH
) -> Drawing:
    """Let ``paint`` fill a figure of ``width`` x ``height`` inches; it returns the text for those who cannot see it.

    The same figure gives the same bytes in every process. Raises MissingDependencyError without matplotlib.
    """
    with _styled() as figures:
        figure = figures.Figure(figsize=(width, height), layout="constrained")
        alt = paint(figure)
        svg, png = BytesIO(), BytesIO()
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", dpi=_PNG_DPI, metadata={"Software": None})
    return Drawing(name, title, caption, alt, svg.getvalue(), png.getvalue())


def panels(figure: Figure, count: int, *, across: int = 3, **options: Any) -> list[Axes]:
    """``count`` axes in rows of ``across``; what is left over of the last row stays empty."""
    across = min(across, count)
    grid = figure.subplots(-(-count // across), across, squeeze=False, **options).ravel()
    for unused in grid[count:]:
        unused.set_visible(False)
    return list(grid[:count])


def tidy(axes: Axes, *, grid: str = "y") -> None:
    """Grid lines along one axis only, no tick marks."""
    axes.grid(False)
    if grid:
        axes.grid(True, axis=grid)  # type: ignore[arg-type]
    axes.tick_params(length=0)


@contextmanager
def _styled() -> Iterator[Any]:
    matplotlib = optional_import("matplotlib", extra="bench", purpose="drawing figures")
    # The object-oriented interface needs no display and keeps no figure alive.
    figures = optional_import("matplotlib.figure", extra="bench", purpose="drawing figures")
    with matplotlib.rc_context(_STYLE):
        yield figures
