"""``ragstone demo``: the same questions over clean and over poisoned rules, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragstone.cli.options import (
    Config,
    Debug,
    Embedder,
    Generator,
    Json,
    Nli,
    Preset,
    Set,
    TopK,
    effective_settings,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ragstone.report import Case
    from ragstone.settings import Settings

__all__ = ["demo"]

TOP_K = 3
MOST_TOKENS = 64  # of an answer; the small model says what it has to say in fewer


def demo(
    questions: Annotated[
        list[str] | None,
        typer.Option("--question", "-q", metavar="TEXT", help="Ask this instead of the demo's questions; repeatable."),
    ] = None,
    html: Annotated[Path, typer.Option("--html", metavar="FILE", help="Where the HTML report goes.")] = Path(
        "ragstone-demo.html"
    ),
    json_output: Json = False,
    top_k: TopK = None,
    config: Config = None,
    assignments: Set = None,
    preset: Preset = None,
    nli: Nli = None,
    embedder: Embedder = None,
    generator: Generator = None,
    debug: Debug = False,
) -> None:
    """Answer questions over 40 secure-coding rules, clean and partly poisoned, and compare the verdicts."""
    from ragstone.cli.demo_view import summary_table
    from ragstone.cli.output import note, print_json, stdout_console, write_text
    from ragstone.report import render_html

    settings = _with_defaults(
        effective_settings(
            config, assignments, preset=preset, nli=nli, embedder=embedder, generator=generator, top_k=top_k
        )
    )
    console = None if json_output else stdout_console()
    cases = _ask(settings, questions, console)
    if console is None:
        print_json([_values(case) for case in cases])
    else:
        console.print()
        console.print(summary_table(cases))
    write_text(html, render_html(cases, "Ragstone demo: clean and poisoned rules", trust=settings.trust))
    note(f"Report: {html.resolve()}")


def _with_defaults(settings: Settings) -> Settings:
    """What keeps the demo short, where the user set nothing else."""
    changes: dict[str, Any] = {}
    if "top_k" not in settings.retrieval.model_fields_set:
        changes["retrieval"] = settings.retrieval.model_copy(update={"top_k": TOP_K})
    if "max_tokens" not in settings.generation.model_fields_set:
        changes["generation"] = settings.generation.model_copy(update={"max_tokens": MOST_TOKENS})
    return settings.model_copy(update=changes)


def _ask(settings: Settings, questions: list[str] | None, console: Console | None) -> list[Case]:
    from ragstone.backends import open_generator
    from ragstone.cli.demo_cases import open_demo
    from ragstone.cli.demo_view import print_case, print_legend
    from ragstone.cli.output import working
    from ragstone.datasets.securecode import demo_questions

    with working("Loading the models and indexing two corpora"):
        model = open_generator(settings.models.generator, settings)
        prepared = open_demo(settings, model)
    if console is not None:
        print_legend(console)
    asked = questions or [item.question for item in demo_questions()]
    cases = []
    for number, question in enumerate(asked, start=1):
        with working(f"Question {number} of {len(asked)}: {question}"):
            case = prepared.ask(question)
        if console is not None:
            print_case(case, console)
        cases.append(case)
    return cases


def _values(case: Case) -> dict[str, Any]:
    from ragstone.report import outcome, to_dict

    runs = []
    for run in case.runs:
        result = outcome(run)
        runs.append(
            {
                "label": run.label,
                "answer": run.answer,
                "poisoned_retrieved": {i: run.poisoned[i].strategy for i in result.retrieved},
                "detected": result.detected,
                "outcome": result.summary,
                "false_alarms": list(result.false_alarms),
                "verdict": to_dict(run.verdict),
            }
        )
    return {"question": case.question, "runs": runs}
