"""A verdict in the terminal: Trust Index, answer and passages with coloured spans, findings, claims, warnings."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ragstone.report.spans import excerpt, segments
from ragstone.report.terminal_parts import (
    STATUS_STYLES,
    answer_text,
    component_grid,
    level_style,
    one_line,
    passage_body,
    passage_title,
)
from ragstone.settings import TrustSettings
from ragstone.types import ClaimVerdict, Conflict, Judgement, Passage, Verdict

__all__ = ["render_terminal"]

FINDINGS_SHOWN = 8
BAR_WIDTH = 24
CLEAN_LIMIT, MARKED_LIMIT = 320, 900  # characters shown of a plain stretch, without and with findings
LONGEST_ID = 24


def render_terminal(
    verdict: Verdict,
    passages: Sequence[Passage],
    console: Console,
    trust: TrustSettings | None = None,
    *,
    answer: str | None = None,
) -> None:
    """Print the verdict.

    ``trust`` are the settings it was made with, to show weights and threshold. ``answer`` is shown when the verdict
    holds none, because it could not be scored.
    """
    console.print(_index_panel(verdict, trust))
    text = verdict.verification.answer if verdict.verification else answer
    if text is not None:
        body = answer_text(text, verdict.verification) if text.strip() else Text("(empty)", style="dim")
        console.print(_panel(body, Text("Answer", style="bold"), "bright_black"))
    for passage in passages:
        console.print(_passage_panel(passage, verdict))
    if verdict.screening is not None and verdict.screening.conflicts:
        console.print(_conflict_table(verdict.screening.conflicts, passages))
    if verdict.verification is not None:
        console.print(_claim_table(verdict.verification.claims))
    console.print(_closing(verdict))


def _index_panel(verdict: Verdict, trust: TrustSettings | None) -> Panel:
    grid = component_grid(verdict, trust, BAR_WIDTH)
    reason = Text(f"Not scored: {one_line(verdict.unscored_reason or '')}", style="bold")
    body = Group(reason, Text(), grid) if verdict.trust is None else Group(grid)
    return _panel(body, Text("Trust Index", style="bold"), level_style(verdict))


def _panel(body: RenderableType, title: Text, style: str, subtitle: Text | None = None) -> Panel:
    return Panel(
        body,
        title=title,
        title_align="left",
        subtitle=subtitle,
        subtitle_align="right",
        border_style=style,
        box=ROUNDED,
    )


def _passage_panel(passage: Passage, verdict: Verdict) -> Panel:
    screening = verdict.screening
    found = screening is not None and any(f.passage_id == passage.id for f in screening.findings)
    limit = MARKED_LIMIT if found else CLEAN_LIMIT
    return _panel(
        passage_body(passage, screening, limit=limit, findings_shown=FINDINGS_SHOWN),
        passage_title(passage, screening),
        "red" if screening is not None and passage.id in screening.flagged else "bright_black",
        Text(one_line(passage.source), style="dim") if passage.source else None,
    )


def _conflict_table(conflicts: Sequence[Conflict], passages: Sequence[Passage]) -> RenderableType:
    texts = {p.id: p.text for p in passages}
    table = Table(box=SIMPLE_HEAD, title="Conflicts between passages", title_justify="left", title_style="bold")
    table.add_column("K", justify="right")
    table.add_column("One passage", ratio=1)
    table.add_column("Another", ratio=1)
    for c in conflicts:
        table.add_row(
            Text(f"{c.contradiction:.2f}", style="red"),
            _quoted(c.first_id, texts.get(c.first_id, "")[c.first_start : c.first_end]),
            _quoted(c.second_id, texts.get(c.second_id, "")[c.second_start : c.second_end]),
        )
    return table


def _quoted(passage_id: str, text: str) -> Text:
    shown = "".join(part.text for part in excerpt(segments(text, []), CLEAN_LIMIT))
    return Text.assemble((f"{one_line(passage_id)}  ", "bold"), shown)


def _claim_table(claims: Sequence[ClaimVerdict]) -> RenderableType:
    table = Table(box=SIMPLE_HEAD, title="Claims of the answer", title_justify="left", title_style="bold")
    table.add_column("Status", no_wrap=True)
    table.add_column("Claim", ratio=1)
    table.add_column("Best support", no_wrap=True)
    table.add_column("Most against", no_wrap=True)
    for c in claims:
        table.add_row(
            Text(c.status.value, style=STATUS_STYLES[c.status]),
            Text(one_line(c.claim.text)),
            _side(c.best, c.best.entailment, "E"),
            _side(c.worst, c.worst.contradiction, "K"),
        )
    return table


def _side(judgement: Judgement, probability: float, letter: str) -> Text:
    shown = one_line(judgement.passage_id)
    if len(shown) > LONGEST_ID:
        shown = shown[: LONGEST_ID - 1] + "…"
    return Text(f"{letter} {probability:.2f}  {shown}")


def _closing(verdict: Verdict) -> RenderableType:
    lines: list[RenderableType] = []
    if verdict.warnings:
        lines.append(Text("Warnings", style="bold"))
        grid = Table.grid(padding=(0, 1))
        for warning in verdict.warnings:
            grid.add_row(Text("-", style="yellow"), Text(one_line(warning)))
        lines += [grid, Text()]
    lines.append(Text.assemble(("Recommendation  ", "bold"), one_line(verdict.recommendation)))
    lines.append(Text(f"fingerprint {verdict.fingerprint}", style="dim"))
    return Padding(Group(*lines), (0, 1))
