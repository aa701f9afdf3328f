"""The demo in the terminal: two runs side by side, and one table at the end."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import ROUNDED
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ragstone.report import Case, Run, outcome
from ragstone.report.spans import visible
from ragstone.report.terminal_parts import (
    answer_text,
    component_grid,
    level_style,
    one_line,
    passage_body,
    passage_title,
    trust_text,
)

__all__ = ["print_case", "print_legend", "summary_table"]

SIDE_BY_SIDE = 100  # columns from which two runs fit beside each other
BAR_WIDTH = 12
ANSWER_LIMIT, PASSAGE_LIMIT = 600, 200
FINDINGS_SHOWN = 4


def print_legend(console: Console) -> None:
    """How to read the passages."""
    console.print(
        Text.assemble(
            "40 secure-coding rules, clean and with some poisoned. ",
            ("Coloured", "black on yellow"),
            ": what the guard found. ",
            ("Underlined", "underline"),
            ": what an attacker wrote, known from labels that the guard never sees.",
        )
    )


def print_case(case: Case, console: Console) -> None:
    """The question, and its runs beside each other where there is room."""
    console.print()
    console.print(Rule(Text(one_line(case.question), style="bold"), align="left", style="bright_black"))
    panels = [_run_panel(run) for run in case.runs]
    if console.width < SIDE_BY_SIDE:
        for panel in panels:
            console.print(panel)
        return
    grid = Table.grid(expand=True, padding=(0, 1))
    for _ in panels:
        grid.add_column(ratio=1)
    grid.add_row(*panels)
    console.print(grid)


def _run_panel(run: Run) -> Panel:
    verdict = run.verdict
    body: list[RenderableType] = [component_grid(verdict, None, BAR_WIDTH)]
    if verdict.unscored_reason is not None:
        body.append(Text(f"Not scored: {one_line(verdict.unscored_reason)}"))
    if run.answer.strip():
        shown = answer_text(run.answer, verdict.verification)
        shown.truncate(ANSWER_LIMIT, overflow="ellipsis")
        body += [Text(), Text("Answer", style="bold"), shown]
    body += _passages(run)
    style = level_style(verdict)
    return Panel(Group(*body), title=Text(run.label, style="bold"), title_align="left", border_style=style, box=ROUNDED)


def _passages(run: Run) -> list[RenderableType]:
    """What was found in the passages, and those known to be poisoned; the others are only counted."""
    screening = run.verdict.screening
    found = {f.passage_id for f in screening.findings} if screening else set()
    shown = [p for p in run.passages if p.id in found or p.id in run.poisoned]
    lines: list[RenderableType] = []
    for passage in shown:
        title = passage_title(passage, screening)
        tampering = run.poisoned.get(passage.id)
        if tampering is not None:
            title.append(f"  (label: {tampering.strategy.replace('_', ' ')})", style="magenta")
        body = passage_body(
            passage,
            screening,
            limit=PASSAGE_LIMIT,
            findings_shown=FINDINGS_SHOWN,
            tampered=tampering.spans if tampering else (),
        )
        lines += [Text(), title, body]
    for conflict in screening.conflicts if screening else ():
        pair = f"{visible(conflict.first_id)} and {visible(conflict.second_id)}"
        lines.append(Text(f"Conflict between {pair} (contradiction {conflict.contradiction:.2f})", style="yellow"))
    rest = len(run.passages) - len(shown)
    if rest:
        noun = "passage" if rest == 1 else "passages"
        lines += [Text(), Text(f"{rest} {'other ' if shown else ''}{noun} without a finding", style="dim")]
    return lines


def summary_table(cases: Sequence[Case]) -> Table:
    """A row a question: each run's Trust Index and action, how the corpus was poisoned, and what came of it."""
    table = Table(box=ROUNDED, title="Summary", title_style="bold", title_justify="left", border_style="bright_black")
    table.expand = True
    table.add_column("Question", ratio=3)
    for run in cases[0].runs:
        table.add_column(run.label, ratio=2)
    table.add_column("Poisoned by", ratio=2)
    table.add_column("Result", ratio=3)
    for case in cases:
        last = case.runs[-1]
        result = outcome(last)
        strategies = sorted({last.poisoned[i].strategy.replace("_", " ") for i in result.retrieved})
        style = {True: "green", False: "bold red", None: "dim"}[result.detected]
        table.add_row(
            Text(one_line(case.question)),
            *(_index(run) for run in case.runs),
            Text(", ".join(strategies) or "-"),
            Text(one_line(result.summary), style=style),
        )
    return table


def _index(run: Run) -> Text:
    text = trust_text(run.verdict)
    text.append(f"\n{run.verdict.action.value}", style="not bold dim")
    return text
