"""What a report is made of: a question and what came of it in one or more runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragstone.types import Passage, Verdict

__all__ = ["Case", "Outcome", "Run", "Tampering", "outcome"]


@dataclass(frozen=True, slots=True)
class Tampering:
    """How a passage is known to have been poisoned, and which spans of its text were written by the attacker."""

    strategy: str
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One pass over a question. ``poisoned`` holds passages known to be poisoned, by id; only reports see it."""

    label: str
    verdict: Verdict
    passages: tuple[Passage, ...]
    answer: str
    poisoned: Mapping[str, Tampering] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """A question and its runs, e.g. over a clean and over a poisoned corpus."""

    question: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to the poisoned passages of a run. ``detected`` is None when none of them was retrieved."""

    retrieved: tuple[str, ...]
    flagged: tuple[str, ...]
    false_alarms: tuple[str, ...]
    in_conflict: tuple[str, ...]
    detected: bool | None
    summary: str


def outcome(run: Run) -> Outcome:
    """Compare what was flagged in ``run`` with what is known to be poisoned; a miss is called one.

    A poisoned passage is detected when it is flagged, or when the answer is rejected.
    """
    screening = run.verdict.screening
    flagged = screening.flagged if screening else ()
    retrieved = tuple(p.id for p in run.passages if p.id in run.poisoned)
    caught = tuple(i for i in flagged if i in run.poisoned)
    false_alarms = tuple(i for i in flagged if i not in run.poisoned)
    conflicts = screening.conflicts if screening else ()
    at_odds = {i for c in conflicts for i in (c.first_id, c.second_id)}
    in_conflict = tuple(i for i in retrieved if i in at_odds)
    rejected = run.verdict.trustworthy is False
    detected = bool(caught) or rejected if retrieved else None
    return Outcome(
        retrieved, caught, false_alarms, in_conflict, detected, _summary(run, retrieved, caught, in_conflict)
    )


def _summary(run: Run, retrieved: tuple[str, ...], caught: tuple[str, ...], in_conflict: tuple[str, ...]) -> str:
    if run.verdict.unscored_reason is not None and not caught:
        return f"not scored: {run.verdict.unscored_reason}"
    if not retrieved:
        return "no poisoned passage was retrieved"
    parts = [f"flagged {', '.join(caught)}"] if caught else []
    if run.verdict.trustworthy is False:
        parts.append("answer rejected")
    elif in_conflict and not caught:
        parts.append(f"conflict reported for {', '.join(in_conflict)}, but no culprit named")
    if not parts:
        return "not detected"
    return "; ".join(parts)
