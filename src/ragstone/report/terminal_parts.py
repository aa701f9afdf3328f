"""Pieces of a verdict for the terminal, from which the views of one verdict and of the demo are put together."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ragstone.report.spans import Mark, Segment, excerpt, finding_marks, segments, visible
from ragstone.report.values import shown_trust
from ragstone.settings import TrustSettings
from ragstone.types import ClaimStatus, Finding, Level, Passage, Screening, Verdict, Verification

__all__ = [
    "STATUS_STYLES",
    "answer_text",
    "component_grid",
    "level_style",
    "one_line",
    "passage_body",
    "passage_title",
    "trust_text",
]

LEVEL_STYLES = {Level.HIGH: "green", Level.MEDIUM: "yellow", Level.LOW: "dark_orange", Level.VERY_LOW: "red"}
STATUS_STYLES = {
    ClaimStatus.SUPPORTED: "green",
    ClaimStatus.UNSUPPORTED: "yellow",
    ClaimStatus.CONTRADICTED: "red",
}
UNSCORED_STYLE = "bright_black"


def level_style(verdict: Verdict) -> str:
    return LEVEL_STYLES[verdict.level] if verdict.level else UNSCORED_STYLE


def one_line(text: str) -> str:
    """Untrusted ``text`` made visible, without line breaks."""
    return " ".join(visible(text).split())


def trust_text(verdict: Verdict) -> Text:
    """Trust Index and level in the level's colour, e.g. ``0.83 HIGH``; ``unscored`` when there is none."""
    if verdict.trust is None or verdict.level is None:
        return Text("unscored", style=UNSCORED_STYLE)
    return Text(f"{shown_trust(verdict.trust)} {verdict.level.value}", style=f"bold {level_style(verdict)}")


def component_grid(verdict: Verdict, trust: TrustSettings | None, bar_width: int) -> Table:
    """The Trust Index with its action, and the three components, each with a bar."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(width=25)
    grid.add_column(width=bar_width)
    grid.add_column()
    if verdict.trust is not None:
        action = Text(verdict.action.value.upper(), style=f"bold {level_style(verdict)}")
        if trust:
            action.append(f"   threshold {trust.threshold:.2f}", style="not bold dim")
        grid.add_row(trust_text(verdict), _bar(verdict.trust, level_style(verdict), bar_width), action)
        grid.add_row()
    parts = verdict.components
    weights = (trust.factuality_weight, trust.consistency_weight, trust.poison_weight) if trust else (None,) * 3
    values = (parts.factuality, parts.consistency, parts.poison)
    for name, value, weight in zip(("Factuality", "Consistency", "Poison"), values, weights, strict=True):
        good = value if value is None or name != "Poison" else 1.0 - value
        share = "" if weight is None else f"weight {weight:.2f}{' on 1 - P' if name == 'Poison' else ''}"
        shown = Text(f"{name:<12} ")
        shown.append("not measured" if value is None else f"{value:.2f}", style="dim" if value is None else "bold")
        bar = Text() if good is None else _bar(value or 0.0, _health(good), bar_width)
        grid.add_row(shown, bar, Text(share, style="dim"))
    return grid


def _health(good: float) -> str:
    """A style for a value whose best is 1, by the bounds of the trust levels."""
    if good >= 0.5:
        return "green" if good >= 0.8 else "yellow"
    return "dark_orange" if good >= 0.3 else "red"


def _bar(value: float, style: str, width: int) -> ProgressBar:
    return ProgressBar(total=1.0, completed=value, width=width, complete_style=style, finished_style=style)


def answer_text(answer: str, verification: Verification | None) -> Text:
    """The answer, each claim in the colour of its status."""
    claims = verification.claims if verification else ()
    marks = [Mark(c.claim.start, c.claim.end, 0.5, number) for number, c in enumerate(claims, start=1)]
    text = Text()
    for part in segments(answer, marks):
        text.append(part.text, style=STATUS_STYLES[claims[part.numbers[0] - 1].status] if part.numbers else "")
    return text


def passage_title(passage: Passage, screening: Screening | None) -> Text:
    """Id, poison probability, similarity and whether it is flagged."""
    title = Text(one_line(passage.id), style="bold")
    poison = screening.poison_by_passage.get(passage.id) if screening else None
    if poison is not None:
        title.append(f"  P {poison:.2f}", style=_health(1.0 - poison))
    if passage.score is not None:
        title.append(f"  similarity {passage.score:.2f}", style="dim")
    if screening is not None and passage.id in screening.flagged:
        title.append("  FLAGGED", style="bold red")
    return title


def passage_body(
    passage: Passage,
    screening: Screening | None,
    *,
    limit: int,
    findings_shown: int,
    tampered: Sequence[tuple[int, int]] = (),
) -> Group:
    """The text with its findings coloured, and the findings; ``limit`` characters of each stretch are shown.

    ``tampered`` are spans known to be an attacker's; they are underlined.
    """
    findings = [f for f in screening.findings if f.passage_id == passage.id] if screening else []
    marks = finding_marks(findings, len(passage.text)) + [Mark(start, end, None) for start, end in tampered]
    parts = excerpt(segments(passage.text, marks), limit)
    body: list[RenderableType] = [_highlighted(parts, dim=not findings)]
    if findings:
        body += [Text(), _finding_list(findings, findings_shown)]
    return Group(*body)


def _highlighted(parts: Sequence[Segment], *, dim: bool) -> Text:
    text = Text(style="dim" if dim else "")
    for part in parts:
        style = "" if part.weight is None else _severity_style(part.weight)
        text.append(part.text, style=f"{style} underline" if part.tampered else style)
    return text


def _severity_style(severity: float) -> str:
    if severity > 0.7:
        return "bold white on red"
    return "black on dark_orange" if severity > 0.4 else "black on yellow"


def _finding_list(findings: Sequence[Finding], shown: int) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    for finding in findings[:shown]:
        table.add_row(
            Text(f"{finding.severity:.2f}", style=_severity_style(finding.severity)),
            Text.assemble(
                one_line(finding.message), (f"  {finding.signal}/{one_line(finding.rule)}", "not bold dim cyan")
            ),
        )
    if len(findings) > shown:
        table.add_row("", Text(f"and {len(findings) - shown} more; --json lists all", style="dim"))
    return table
