"""A verdict as JSON-ready values: only dicts, lists, strings, finite numbers rounded to 4 digits, booleans and None."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

from ragstone.types import (
    ClaimStatus,
    ClaimVerdict,
    Conflict,
    Finding,
    Judgement,
    Passage,
    Screening,
    Verdict,
    readable,
)

__all__ = ["DIGITS", "answer_flagged", "flagged_indices", "passage_values", "rounded", "shown_trust", "to_dict"]

DIGITS = 4


def to_dict(verdict: Verdict) -> dict[str, Any]:
    """The verdict; ``flagged`` holds the positions (from 0) of the flagged passages among those given."""
    screening, verification = verdict.screening, verdict.verification
    parts = verdict.components
    return {
        "trust": rounded(verdict.trust),
        "level": None if verdict.level is None else verdict.level.value,
        "trustworthy": verdict.trustworthy,
        "action": verdict.action.value,
        "unscored_reason": verdict.unscored_reason,
        "components": {
            "factuality": rounded(parts.factuality),
            "consistency": rounded(parts.consistency),
            "poison": rounded(parts.poison),
        },
        "flagged": flagged_indices(verdict),
        "answer_flagged": answer_flagged(verdict),
        "findings": [_finding(f) for f in screening.findings] if screening else [],
        "conflicts": [_conflict(c) for c in screening.conflicts] if screening else [],
        "claims": [_claim(c) for c in verification.claims] if verification else [],
        "passages": passage_values(screening.passages, screening) if screening else [],
        "warnings": list(verdict.warnings),
        "recommendation": verdict.recommendation,
        "fingerprint": verdict.fingerprint,
        "timings": {stage: rounded(seconds) for stage, seconds in verdict.timings.items()},
    }


def flagged_indices(verdict: Verdict) -> list[int]:
    """Positions, from 0 and rising, of the flagged passages; empty when screening did not end."""
    if verdict.screening is None:
        return []
    flagged = set(verdict.screening.flagged)
    return [i for i, passage in enumerate(verdict.screening.passages) if passage.id in flagged]


def answer_flagged(verdict: Verdict) -> bool:
    """Whether the answer was scored and a claim of it is contradicted, or none is supported."""
    if verdict.verification is None:
        return False
    statuses = [claim.status for claim in verdict.verification.claims]
    return ClaimStatus.CONTRADICTED in statuses or (
        bool(statuses) and all(status is ClaimStatus.UNSUPPORTED for status in statuses)
    )


def rounded(value: float | None) -> float | None:
    """``value`` to 4 digits; None for None and for what JSON has no number for."""
    return None if value is None or not math.isfinite(value) else round(float(value), DIGITS)


def shown_trust(trust: float) -> str:
    """Two digits, rounded down: what is shown never reaches a level or a threshold that the value did not."""
    return f"{math.floor(trust * 100 + 1e-9) / 100:.2f}"


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "passage_id": finding.passage_id,
        "signal": finding.signal,
        "rule": finding.rule,
        "severity": rounded(finding.severity),
        "start": finding.start,
        "end": finding.end,
        "message": finding.message,
        "evidence": _plain(finding.evidence),
    }


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "first_id": conflict.first_id,
        "first_start": conflict.first_start,
        "first_end": conflict.first_end,
        "second_id": conflict.second_id,
        "second_start": conflict.second_start,
        "second_end": conflict.second_end,
        "contradiction": rounded(conflict.contradiction),
        "kind": conflict.kind,
    }


def _claim(verdict: ClaimVerdict) -> dict[str, Any]:
    return {
        "text": verdict.claim.text,
        "start": verdict.claim.start,
        "end": verdict.claim.end,
        "status": verdict.status.value,
        "factuality": rounded(verdict.factuality),
        "best": _judgement(verdict.best),
        "worst": _judgement(verdict.worst),
    }


def _judgement(judgement: Judgement) -> dict[str, Any]:
    return {
        "passage_id": judgement.passage_id,
        "entailment": rounded(judgement.entailment),
        "neutral": rounded(judgement.neutral),
        "contradiction": rounded(judgement.contradiction),
        "start": judgement.start,
        "end": judgement.end,
    }


def passage_values(
    passages: Sequence[Passage], screening: Screening | None, *, texts: bool = False
) -> list[dict[str, Any]]:
    """One dict a passage; ``poison`` is None without a screening."""
    poison = screening.poison_by_passage if screening else {}
    flagged = set(screening.flagged) if screening else set()
    return [
        {
            "id": passage.id,
            "poison": rounded(poison.get(passage.id)),
            "flagged": passage.id in flagged,
            "score": rounded(passage.score),
            "source": passage.source,
        }
        | ({"text": passage.text} if texts else {})
        for passage in passages
    ]


def _plain(value: Any) -> Any:
    """Evidence is free-form: what JSON does not know is given as text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return rounded(float(value))
    if isinstance(value, Mapping):
        return {readable(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(item) for item in value]
    return readable(str(value))
