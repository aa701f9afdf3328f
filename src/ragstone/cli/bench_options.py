"""Options of ``ragstone bench detect``, some of them also of other commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "DEFAULT_N",
    "AnswersFrom",
    "Controls",
    "Data",
    "DatasetName",
    "Out",
    "Questions",
    "Repeats",
    "Run",
    "Seed",
    "ShareOption",
    "Split",
    "Strategies",
]

DEFAULT_N = 50

Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="The run's folder; an unfinished run is resumed.")]
DatasetName = Annotated[str, typer.Option("--dataset", metavar="NAME", help="A data set; an unknown name lists them.")]
Split = Annotated[str, typer.Option("--split", metavar="NAME", help="paper, tune, report or all.")]
Strategies = Annotated[str, typer.Option("--strategy", metavar="NAMES", help="One, several with commas, or all.")]
Questions = Annotated[
    int | None, typer.Option("--n", min=1, help=f"Questions. Default: {DEFAULT_N}, or as many as there are.")
]
ShareOption = Annotated[float, typer.Option("--share", min=0.01, max=1.0, help="Part of the documents to poison.")]
Seed = Annotated[int, typer.Option("--seed", help="Of the choice of documents, the edits and the generation.")]
Repeats = Annotated[int, typer.Option("--repeats", min=1, help="Independent generations.")]
Controls = Annotated[bool, typer.Option("--controls/--no-controls", help="Also run benign edits.")]
AnswersFrom = Annotated[
    str | None,
    typer.Option(
        "--generator",
        metavar="NAME",
        help="Language model; expected: the data set's own answers; none: screening alone.",
    ),
]
Data = Annotated[
    str | None, typer.Option("--data", metavar="PATH", help="Where the data is; samples: tiny invented ones.")
]
