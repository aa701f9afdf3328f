"""``ragstone index``: make an index once, ask it often."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragstone.cli.options import Config, Debug, Embedder, Json, Set, effective_settings

__all__ = ["app"]

app = typer.Typer(help="Build and inspect an index of a corpus.", no_args_is_help=True)


@app.command("build")
def build(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A file, or a folder of files.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the index goes.")],
    json_output: Json = False,
    config: Config = None,
    assignments: Set = None,
    embedder: Embedder = None,
    debug: Debug = False,
) -> None:
    """Read a corpus, cut it into chunks, embed them and save the index."""
    from ragstone.cli.output import embedding, working
    from ragstone.corpus import read_corpus
    from ragstone.retrieval import Retriever

    settings = effective_settings(config, assignments, embedder=embedder)
    with working(f"Reading {corpus}"):
        documents = read_corpus(corpus)
    retriever = Retriever(settings=settings)
    with embedding("Embedding") as progress:
        retriever.index(documents, on_progress=progress)
    retriever.save(out)
    _show(out, json_output)


@app.command("info")
def info(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of an index.")],
    json_output: Json = False,
    debug: Debug = False,
) -> None:
    """Say what an index holds and which embedder built it."""
    _show(folder, json_output)


def _show(folder: Path, json_output: bool) -> None:
    from ragstone.backends.index.storage import read_info
    from ragstone.cli.output import print_json, stdout_console

    values = {"folder": str(folder)} | read_info(folder).model_dump()
    if json_output:
        print_json(values)
        return
    from rich.table import Table
    from rich.text import Text

    from ragstone.report.spans import visible

    grid = Table.grid(padding=(0, 2))
    for key, value in values.items():
        shown = f"{value:,}" if isinstance(value, int) else visible(value)
        grid.add_row(Text(key.replace("_", " "), style="dim"), Text(shown, overflow="fold"))
    stdout_console().print(grid)
