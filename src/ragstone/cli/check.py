"""``ragstone screen`` and ``ragstone evaluate``: the two stages on passages that are already there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragstone.cli.options import (
    Config,
    Debug,
    Embedder,
    FailUnder,
    Html,
    Json,
    Nli,
    Preset,
    Set,
    effective_settings,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ragstone.guard import Guard
    from ragstone.settings import Settings
    from ragstone.types import Verdict

__all__ = ["evaluate", "screen"]

Question = Annotated[str | None, typer.Option("--question", "-q", metavar="TEXT", help="The question.")]
Passages = Annotated[
    str | None,
    typer.Option(
        "--passages",
        "-p",
        metavar="FILE",
        help="JSONL, a line a passage: 'text' and optional 'id', 'score', 'source'; or a JSON array. -: from stdin.",
    ),
]
Batch = Annotated[
    str | None,
    typer.Option(
        "--batch",
        metavar="FILE",
        help="JSONL, a line a case: 'id', 'question', 'passages', optional 'answer'. Prints a JSON verdict a line.",
    ),
]


def screen(
    question: Question = None,
    passages: Passages = None,
    batch: Batch = None,
    json_output: Json = False,
    config: Config = None,
    assignments: Set = None,
    preset: Preset = None,
    nli: Nli = None,
    embedder: Embedder = None,
    debug: Debug = False,
) -> None:
    """Screen passages before an answer is generated from them: poison signals and consistency."""
    settings = effective_settings(config, assignments, preset=preset, nli=nli, embedder=embedder)
    if batch is not None:
        _batch(batch, settings, answers=False, fail_under=None, given=(question, passages))
        return
    _single(question, passages, None, settings, json_output)


def evaluate(
    question: Question = None,
    passages: Passages = None,
    answer: Annotated[str | None, typer.Option("--answer", "-a", metavar="TEXT", help="The answer.")] = None,
    answer_file: Annotated[
        str | None, typer.Option("--answer-file", metavar="FILE", help="A file that holds the answer.")
    ] = None,
    batch: Batch = None,
    json_output: Json = False,
    html: Html = None,
    fail_under: FailUnder = None,
    config: Config = None,
    assignments: Set = None,
    preset: Preset = None,
    nli: Nli = None,
    embedder: Embedder = None,
    debug: Debug = False,
) -> None:
    """Evaluate an answer against its passages: screening, verification and the Trust Index."""
    from ragstone.errors import InputError

    settings = effective_settings(config, assignments, preset=preset, nli=nli, embedder=embedder)
    if batch is not None:
        if html is not None:
            raise InputError("--html shows one case; it cannot go with --batch")
        _batch(batch, settings, answers=True, fail_under=fail_under, given=(question, passages, answer, answer_file))
        return
    text = _answer(answer, answer_file, passages)
    verdict = _single(question, passages, text, settings, json_output)
    if html is not None:
        _write_html(verdict, question or "", text, settings, html)
    if fail_under is not None and (verdict.trust is None or verdict.trust < fail_under):
        raise typer.Exit(1)


def _answer(answer: str | None, answer_file: str | None, passages: str | None) -> str:
    from ragstone.cli.inputs import STDIN, decoded, read_bytes
    from ragstone.errors import InputError

    if (answer is None) == (answer_file is None):
        raise InputError("give the answer with either --answer or --answer-file")
    if answer_file is None:
        return answer or ""
    if answer_file == passages == STDIN:
        raise InputError("standard input cannot hold both the passages and the answer")
    return decoded(read_bytes(answer_file))[0]


def _single(
    question: str | None, passages: str | None, answer: str | None, settings: Settings, json_output: bool
) -> Verdict:
    from ragstone.cli.batch import judge
    from ragstone.cli.inputs import read_passages
    from ragstone.cli.output import print_json, stdout_console, working
    from ragstone.errors import InputError
    from ragstone.report import render_terminal, to_dict

    if question is None or passages is None:
        raise InputError("--question and --passages are needed, unless --batch is given")
    items = read_passages(passages)
    with working("Judging"):
        verdict = judge(_guard(settings), question, items, answer)
    if json_output:
        print_json(to_dict(verdict))
    else:
        shown = verdict.screening.passages if verdict.screening else ()
        render_terminal(verdict, shown, stdout_console(), settings.trust, answer=answer)
    return verdict


def _batch(
    source: str, settings: Settings, *, answers: bool, fail_under: float | None, given: tuple[str | None, ...]
) -> None:
    from ragstone.cli.batch import run_batch
    from ragstone.cli.output import counting, note, print_json_line
    from ragstone.errors import InputError

    if any(value is not None for value in given):
        raise InputError("--batch takes questions, passages and answers from its file; give it alone")
    guard = _guard(settings)
    with counting("Judging") as advance:

        def write(value: dict[str, Any]) -> None:
            print_json_line(value)
            advance()

        tally = run_batch(source, guard, write, answers=answers, fail_under=fail_under)
    note(f"{tally.cases} cases, {tally.unscored} not scored, {tally.unusable} of these for lines that cannot be used")
    if fail_under is not None and tally.below:
        note(f"{tally.below} below {fail_under} or not scored")
        raise typer.Exit(1)


def _guard(settings: Settings) -> Guard:
    from ragstone.guard import Guard

    return Guard(settings)


def _write_html(verdict: Verdict, question: str, answer: str, settings: Settings, path: Path) -> None:
    from ragstone.cli.output import note, write_text
    from ragstone.report import Case, Run, render_html

    shown = verdict.screening.passages if verdict.screening else ()
    case = Case(question, (Run("Evaluation", verdict, shown, answer),))
    write_text(path, render_html([case], "Ragstone evaluation", trust=settings.trust))
    note(f"Report: {path}")
