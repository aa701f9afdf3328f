"""``ragstone ask``: the whole way from a corpus to an answer and its Trust Index."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragstone.cli.options import (
    Config,
    Debug,
    Embedder,
    FailUnder,
    Generator,
    Html,
    Json,
    Nli,
    Preset,
    Set,
    TopK,
    effective_settings,
)

if TYPE_CHECKING:
    from ragstone.rag import Answer
    from ragstone.retrieval import Retriever
    from ragstone.settings import Settings

__all__ = ["answer_to_dict", "ask"]


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    corpus: Annotated[
        Path | None, typer.Option("--corpus", metavar="PATH", help="A file, or a folder of files, to answer from.")
    ] = None,
    index: Annotated[
        Path | None,
        typer.Option("--index", metavar="DIR", help="An index to answer from; made from --corpus if it is not there."),
    ] = None,
    json_output: Json = False,
    html: Html = None,
    fail_under: FailUnder = None,
    top_k: TopK = None,
    config: Config = None,
    assignments: Set = None,
    preset: Preset = None,
    nli: Nli = None,
    embedder: Embedder = None,
    generator: Generator = None,
    debug: Debug = False,
) -> None:
    """Answer a question from a corpus and say how far the answer can be trusted."""
    from ragstone.backends import open_generator
    from ragstone.cli.output import note, print_json, stdout_console, working, write_text
    from ragstone.rag import Rag
    from ragstone.report import Case, Run, render_html, render_terminal

    settings = effective_settings(
        config, assignments, preset=preset, nli=nli, embedder=embedder, generator=generator, top_k=top_k
    )
    with working("Loading the models"):
        model = open_generator(settings.models.generator, settings)
    rag = Rag(_retriever(corpus, index, settings), model, settings=settings)
    with working("Answering"):
        answer = rag.ask(question)
    if json_output:
        print_json(answer_to_dict(answer))
    else:
        render_terminal(answer.verdict, answer.passages, stdout_console(), settings.trust, answer=answer.text)
    if html is not None:
        case = Case(question, (Run("Answer", answer.verdict, answer.passages, answer.text),))
        write_text(html, render_html([case], "Ragstone answer", trust=settings.trust))
        note(f"Report: {html}")
    trust = answer.verdict.trust
    if fail_under is not None and (trust is None or trust < fail_under):
        raise typer.Exit(1)


def answer_to_dict(answer: Answer) -> dict[str, Any]:
    """The verdict's values, with the question, the answer and the passages' texts."""
    from ragstone.report import to_dict
    from ragstone.report.values import passage_values, rounded

    values = to_dict(answer.verdict)
    values["passages"] = passage_values(answer.passages, answer.screening, texts=True)
    values["timings"] = {stage: rounded(seconds) for stage, seconds in answer.timings.items()}
    return {"question": answer.question, "answer": answer.text} | values


def _retriever(corpus: Path | None, index: Path | None, settings: Settings) -> Retriever:
    from ragstone.cli.output import embedding, note, working
    from ragstone.corpus import read_corpus
    from ragstone.errors import InputError
    from ragstone.retrieval import Retriever

    if index is not None and index.exists():
        if corpus is not None:
            note(f"Answering from the index in {index}; `ragstone index build` makes it anew from {corpus}")
        return Retriever.load(index, settings=settings)
    if corpus is None:
        raise InputError("give --corpus, or --index with a folder that holds an index")
    with working(f"Reading {corpus}"):
        documents = read_corpus(corpus)
    retriever = Retriever(settings=settings)
    with embedding("Embedding") as progress:
        retriever.index(documents, on_progress=progress)
    if index is not None:
        retriever.save(index)
    return retriever
