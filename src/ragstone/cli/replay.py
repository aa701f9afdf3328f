"""``ragstone replay``: every table of paper 000 from its published records, without any model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragstone.cli.options import Debug, Json

__all__ = ["replay"]


def replay(
    records: Annotated[
        Path | None,
        typer.Argument(
            metavar="[RECORDS]",
            help="The records file, its folder, or a data folder that holds trustworthyrag/. Default: $RAGSTONE_DATA.",
        ),
    ] = None,
    json_output: Json = False,
    debug: Debug = False,
) -> None:
    """Recompute the tables of the Evaluation Agent paper from recorded signals and compare them digit by digit."""
    from ragstone.cli.output import print_json, stdout_console, working
    from ragstone.experiments.replay import replay as replay_records
    from ragstone.experiments.replay_render import print_report, to_json

    with working("Recomputing the tables"):
        report = replay_records(records)
    if json_output:
        print_json(to_json(report))
    else:
        print_report(report, stdout_console())
