"""The HTML report: one file that needs nothing from outside, light and dark, for one run or several side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

from ragstone.report.cases import Case, Run, outcome
from ragstone.report.spans import Mark, Segment, excerpt, finding_marks, segments, visible
from ragstone.report.values import shown_trust
from ragstone.settings import TrustSettings
from ragstone.types import ClaimVerdict, Conflict, Finding, Judgement, Passage

__all__ = ["render_html"]

LONGEST = 2_000  # characters shown of one stretch of text
MOST_FINDINGS = 40


def render_html(cases: Iterable[Case], title: str, *, trust: TrustSettings | None = None) -> str:
    """A whole HTML document. ``trust`` are the settings the verdicts were made with, to show weights and threshold."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    source = files("ragstone").joinpath("data", "templates", "report.html.j2").read_text(encoding="utf-8")
    views = [_case(number, case, trust) for number, case in enumerate(cases, start=1)]
    labels = [run["label"] for run in views[0]["runs"]] if views else []
    return environment.from_string(source).render(
        title=visible(title),
        cases=views,
        labels=labels,
        known=any(run["known"] for view in views for run in view["runs"]),
        threshold=trust.threshold if trust else None,
    )


def _case(number: int, case: Case, trust: TrustSettings | None) -> dict[str, Any]:
    runs = [_run(f"c{number}r{index}", run, trust) for index, run in enumerate(case.runs, start=1)]
    return {"number": number, "question": visible(case.question), "runs": runs}


def _run(anchor: str, run: Run, trust: TrustSettings | None) -> dict[str, Any]:
    verdict = run.verdict
    verification, screening = verdict.verification, verdict.screening
    claims = verification.claims if verification else ()
    result = outcome(run)
    return {
        "anchor": anchor,
        "label": run.label,
        "trust": None if verdict.trust is None else shown_trust(verdict.trust),
        "share": verdict.trust or 0.0,
        "level": verdict.level.value if verdict.level else "UNSCORED",
        "tone": _tone(verdict.trust),
        "action": verdict.action.value,
        "reason": visible(verdict.unscored_reason or ""),
        "components": _components(run, trust),
        "answer": [_piece(part) | {"status": _status(part, claims)} for part in _answer_parts(run, claims)],
        "claims": [_claim(claim) for claim in claims],
        "passages": [_passage(anchor, index, p, run) for index, p in enumerate(run.passages, start=1)],
        "conflicts": [_conflict(c, run.passages) for c in (screening.conflicts if screening else ())],
        "warnings": [visible(w) for w in verdict.warnings],
        "recommendation": visible(verdict.recommendation),
        "fingerprint": verdict.fingerprint,
        "known": bool(run.poisoned),
        "strategies": sorted({run.poisoned[i].strategy.replace("_", " ") for i in result.retrieved}),
        "outcome": visible(result.summary),
        "detected": result.detected,
        "false_alarms": [visible(i) for i in result.false_alarms],
    }


def _tone(value: float | None) -> str:
    """The colour class of a value whose best is 1, by the bounds of the trust levels."""
    if value is None:
        return "none"
    if value >= 0.5:
        return "high" if value >= 0.8 else "medium"
    return "low" if value >= 0.3 else "verylow"


def _components(run: Run, trust: TrustSettings | None) -> list[dict[str, Any]]:
    parts = run.verdict.components
    weights = (trust.factuality_weight, trust.consistency_weight, trust.poison_weight) if trust else (None,) * 3
    values = (parts.factuality, parts.consistency, parts.poison)
    rows = zip(("Factuality", "Consistency", "Poison"), values, weights, strict=True)
    return [
        {
            "name": name,
            "value": None if value is None else f"{value:.2f}",
            "share": value or 0.0,
            "tone": _tone(1.0 - value if name == "Poison" and value is not None else value),
            "weight": None if weight is None else f"{weight:.2f}",
        }
        for name, value, weight in rows
    ]


def _answer_parts(run: Run, claims: Sequence[ClaimVerdict]) -> list[Segment]:
    marks = [Mark(c.claim.start, c.claim.end, 0.5, number) for number, c in enumerate(claims, start=1)]
    return excerpt(segments(run.answer, marks), LONGEST)


def _status(part: Segment, claims: Sequence[ClaimVerdict]) -> str | None:
    return claims[part.numbers[0] - 1].status.value if part.numbers else None


def _piece(part: Segment) -> dict[str, Any]:
    tone = None
    if part.weight is not None:
        tone = "s3" if part.weight > 0.7 else "s2" if part.weight > 0.4 else "s1"
    return {"text": part.text, "tone": tone, "numbers": part.numbers, "tampered": part.tampered}


def _passage(anchor: str, position: int, passage: Passage, run: Run) -> dict[str, Any]:
    screening, tampering = run.verdict.screening, run.poisoned.get(passage.id)
    findings = [f for f in screening.findings if f.passage_id == passage.id] if screening else []
    marks = finding_marks(findings, len(passage.text))
    marks += [Mark(start, end, None) for start, end in (tampering.spans if tampering else ())]
    poison = screening.poison_by_passage.get(passage.id) if screening else None
    return {
        "anchor": f"{anchor}p{position}",
        "id": visible(passage.id),
        "source": visible(passage.source or ""),
        "score": None if passage.score is None else f"{passage.score:.2f}",
        "poison": None if poison is None else f"{poison:.2f}",
        "tone": _tone(None if poison is None else 1.0 - poison),
        "flagged": screening is not None and passage.id in screening.flagged,
        "strategy": tampering.strategy.replace("_", " ") if tampering else None,
        "pieces": [_piece(part) for part in excerpt(segments(passage.text, marks), LONGEST)],
        "findings": [_finding(f) for f in findings[:MOST_FINDINGS]],
        "more": max(0, len(findings) - MOST_FINDINGS),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "signal": finding.signal.replace("_", " "),
        "rule": visible(finding.rule),
        "severity": f"{finding.severity:.2f}",
        "tone": "s3" if finding.severity > 0.7 else "s2" if finding.severity > 0.4 else "s1",
        "message": visible(finding.message),
    }


def _claim(verdict: ClaimVerdict) -> dict[str, Any]:
    return {
        "text": visible(verdict.claim.text),
        "status": verdict.status.value,
        "best": _side(verdict.best, verdict.best.entailment),
        "worst": _side(verdict.worst, verdict.worst.contradiction),
    }


def _side(judgement: Judgement, probability: float) -> dict[str, str]:
    return {"id": visible(judgement.passage_id), "probability": f"{probability:.2f}"}


def _conflict(conflict: Conflict, passages: Sequence[Passage]) -> dict[str, Any]:
    texts = {p.id: p.text for p in passages}

    def quoted(passage_id: str, start: int, end: int) -> str:
        return "".join(part.text for part in excerpt(segments(texts.get(passage_id, "")[start:end], []), LONGEST))

    return {
        "probability": f"{conflict.contradiction:.2f}",
        "first": visible(conflict.first_id),
        "first_text": quoted(conflict.first_id, conflict.first_start, conflict.first_end),
        "second": visible(conflict.second_id),
        "second_text": quoted(conflict.second_id, conflict.second_start, conflict.second_end),
    }
