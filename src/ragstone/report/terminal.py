"""A verdict in the terminal: Trust Index, answer and passages with coloured spans, findings, claims, warnings."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ragstone.report.spans import Mark, Segment, excerpt, finding_marks, segments, visible
from ragstone.settings import TrustSettings
from ragstone.types import (
    ClaimStatus,
    ClaimVerdict,
    Conflict,
    Finding,
    Judgement,
    Level,
    Passage,
    Verdict,
    Verification,
)

__all__ = ["LEVEL_STYLES", "render_terminal", "trust_text"]

LEVEL_STYLES = {Level.HIGH: "green", Level.MEDIUM: "yellow", Level.LOW: "dark_orange", Level.VERY_LOW: "red"}
STATUS_STYLES = {
    ClaimStatus.SUPPORTED: "green",
    ClaimStatus.UNSUPPORTED: "yellow",
    ClaimStatus.CONTRADICTED: "red",
}
UNSCORED_STYLE = "bright_black"
FINDINGS_SHOWN = 8
BAR_WIDTH = 24
CLEAN_LIMIT, MARKED_LIMIT = 320, 900  # characters shown of a passage without and with findings


def render_terminal(
    verdict: Verdict, passages: Sequence[Passage], console: Console, trust: TrustSettings | None = None
) -> None:
    """Print the verdict. ``trust`` are the settings it was made with, to show weights and threshold."""
    console.print(_index_panel(verdict, trust))
    if verdict.verification is not None:
        console.print(_answer_panel(verdict.verification))
    for passage in passages:
        console.print(_passage_panel(passage, verdict))
    if verdict.screening is not None and verdict.screening.conflicts:
        console.print(_conflict_table(verdict.screening.conflicts, passages))
    if verdict.verification is not None:
        console.print(_claim_table(verdict.verification.claims))
    console.print(_closing(verdict))


def trust_text(verdict: Verdict) -> Text:
    """Trust Index and level in the level's colour, e.g. ``0.83 HIGH``; ``unscored`` when there is none."""
    if verdict.trust is None or verdict.level is None:
        return Text("unscored", style=UNSCORED_STYLE)
    return Text(f"{verdict.trust:.2f} {verdict.level.value}", style=f"bold {LEVEL_STYLES[verdict.level]}")


def _index_panel(verdict: Verdict, trust: TrustSettings | None) -> Panel:
    style = LEVEL_STYLES[verdict.level] if verdict.level else UNSCORED_STYLE
    grid = Table.grid(padding=(0, 2))
    grid.add_column(width=25)
    grid.add_column(width=BAR_WIDTH)
    grid.add_column()
    lines: list[RenderableType] = [grid]
    if verdict.trust is None:
        lines = [Text(f"Not scored: {visible(verdict.unscored_reason or '')}", style="bold"), Text(), grid]
    else:
        action = Text(verdict.action.value.upper(), style=f"bold {style}")
        if trust:
            action.append(f"   threshold {trust.threshold:.2f}", style="not bold dim")
        grid.add_row(trust_text(verdict), _bar(verdict.trust, style), action)
        grid.add_row()
    for row in _component_rows(verdict, trust):
        grid.add_row(*row)
    return Panel(Group(*lines), title="[bold]Trust Index[/bold]", title_align="left", border_style=style, box=ROUNDED)


def _component_rows(
    verdict: Verdict, trust: TrustSettings | None
) -> list[tuple[RenderableType, RenderableType, RenderableType]]:
    parts = verdict.components
    weights = (trust.factuality_weight, trust.consistency_weight, trust.poison_weight) if trust else (None,) * 3
    rows: list[tuple[RenderableType, RenderableType, RenderableType]] = []
    for name, value, weight in zip(
        ("Factuality", "Consistency", "Poison"),
        (parts.factuality, parts.consistency, parts.poison),
        weights,
        strict=True,
    ):
        good = value if value is None or name != "Poison" else 1.0 - value
        share = "" if weight is None else f"weight {weight:.2f}"
        if name == "Poison" and share:
            share += " on 1 - P"
        shown = Text(f"{name:<12} ")
        shown.append("not measured" if value is None else f"{value:.2f}", style="dim" if value is None else "bold")
        rows.append((shown, Text() if good is None else _bar(value or 0.0, _health(good)), Text(share, style="dim")))
    return rows


def _health(good: float) -> str:
    """A style for a value whose best is 1, by the bounds of the trust levels."""
    if good >= 0.5:
        return "green" if good >= 0.8 else "yellow"
    return "dark_orange" if good >= 0.3 else "red"


def _bar(value: float, style: str) -> ProgressBar:
    return ProgressBar(total=1.0, completed=value, width=BAR_WIDTH, complete_style=style, finished_style=style)


def _answer_panel(verification: Verification) -> Panel:
    marks = [Mark(c.claim.start, c.claim.end, 0.5, number) for number, c in enumerate(verification.claims, start=1)]
    text = Text()
    for part in segments(verification.answer, marks):
        statuses = [verification.claims[n - 1].status for n in part.numbers]
        text.append(part.text, style=STATUS_STYLES[statuses[0]] if statuses else "")
    return Panel(text, title="[bold]Answer[/bold]", title_align="left", border_style="bright_black", box=ROUNDED)


def _passage_panel(passage: Passage, verdict: Verdict) -> Panel:
    screening = verdict.screening
    findings = [f for f in screening.findings if f.passage_id == passage.id] if screening else []
    flagged = screening is not None and passage.id in screening.flagged
    poison = screening.poison_by_passage.get(passage.id) if screening else None
    title = Text(visible(passage.id).replace("\n", " "), style="bold")
    if poison is not None:
        title.append(f"  P {poison:.2f}", style=_health(1.0 - poison) if findings else "dim")
    if passage.score is not None:
        title.append(f"  similarity {passage.score:.2f}", style="dim")
    if flagged:
        title.append("  FLAGGED", style="bold red")
    limit = MARKED_LIMIT if findings else CLEAN_LIMIT
    parts = excerpt(segments(passage.text, finding_marks(findings, len(passage.text))), limit)
    body: list[RenderableType] = [_highlighted(parts, dim=not findings)]
    if findings:
        body += [Text(), _finding_list(findings)]
    return Panel(
        Group(*body),
        title=title,
        title_align="left",
        subtitle=Text(visible(passage.source).replace("\n", " "), style="dim") if passage.source else None,
        subtitle_align="right",
        border_style="red" if flagged else "bright_black",
        box=ROUNDED,
    )


def _highlighted(parts: Sequence[Segment], *, dim: bool) -> Text:
    text = Text(style="dim" if dim else "")
    for part in parts:
        text.append(part.text, style="" if part.weight is None else _severity_style(part.weight))
    return text


def _severity_style(severity: float) -> str:
    if severity > 0.7:
        return "bold white on red"
    return "black on dark_orange" if severity > 0.4 else "black on yellow"


def _finding_list(findings: Sequence[Finding]) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right")
    table.add_column(no_wrap=True)
    table.add_column()
    for finding in findings[:FINDINGS_SHOWN]:
        table.add_row(
            Text(f"{finding.severity:.2f}", style=_severity_style(finding.severity)),
            Text(f"{finding.signal}/{visible(finding.rule)}", style="cyan"),
            Text(visible(finding.message)),
        )
    if len(findings) > FINDINGS_SHOWN:
        table.add_row(
            "", Text(f"and {len(findings) - FINDINGS_SHOWN} more", style="dim"), Text("--json lists all", "dim")
        )
    return table


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
    return Text.assemble((f"{visible(passage_id)}  ", "bold"), shown)


def _claim_table(claims: Sequence[ClaimVerdict]) -> RenderableType:
    table = Table(box=SIMPLE_HEAD, title="Claims of the answer", title_justify="left", title_style="bold")
    table.add_column("Status", no_wrap=True)
    table.add_column("Claim", ratio=1)
    table.add_column("Best support", no_wrap=True)
    table.add_column("Most against", no_wrap=True)
    for c in claims:
        table.add_row(
            Text(c.status.value, style=STATUS_STYLES[c.status]),
            Text(visible(c.claim.text)),
            _side(c.best, c.best.entailment, "E"),
            _side(c.worst, c.worst.contradiction, "K"),
        )
    return table


def _side(judgement: Judgement, probability: float, letter: str) -> Text:
    shown = visible(judgement.passage_id).replace("\n", " ")
    return Text(f"{letter} {probability:.2f}  {shown if len(shown) <= 24 else shown[:23] + '…'}")


def _closing(verdict: Verdict) -> RenderableType:
    lines: list[RenderableType] = []
    if verdict.warnings:
        lines.append(Text("Warnings", style="bold"))
        grid = Table.grid(padding=(0, 1))
        for warning in verdict.warnings:
            grid.add_row(Text("-", style="yellow"), Text(visible(warning)))
        lines += [grid, Text()]
    lines.append(Text.assemble(("Recommendation  ", "bold"), visible(verdict.recommendation)))
    lines.append(Text(f"fingerprint {verdict.fingerprint}", style="dim"))
    return Padding(Group(*lines), (0, 1))
