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
    from ragstone.cli.output import working
    from ragstone.corpus import read_corpus
    from ragstone.retrieval import Retriever

    settings = effective_settings(config, assignments, embedder=embedder)
    with working(f"Indexing {corpus}"):
        retriever = Retriever(settings=settings)
        retriever.index(read_corpus(corpus))
        retriever.save(out)
    _show(retriever, out, json_output)


@app.command("info")
def info(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of an index.")],
    json_output: Json = False,
    debug: Debug = False,
) -> None:
    """Say what an index holds and which embedder built it."""
