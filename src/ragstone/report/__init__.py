"""Verdicts for people and programs: JSON values, a terminal view and a self-contained HTML page.

Numbers are rounded here and nowhere else. Text of passages and answers is untrusted: whatever is shown of it has its
control and invisible characters spelled out, and is never read as markup.
"""

from __future__ import annotations

from ragstone.report.cases import Case, Outcome, Run, Tampering, outcome
from ragstone.report.html import render_html
from ragstone.report.terminal import render_terminal
from ragstone.report.values import answer_flagged, flagged_indices, to_dict

__all__ = [
    "Case",
    "Outcome",
    "Run",
    "Tampering",
    "answer_flagged",
    "flagged_indices",
    "outcome",
    "render_html",
    "render_terminal",
    "to_dict",
]
