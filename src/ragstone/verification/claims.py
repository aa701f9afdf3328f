"""Preset ``full``: factuality claim by claim, the best support minus what contradicts it.

A claim nobody speaks to stands on the inconclusive baseline of 0.5, as in the paper. Contradiction counts with the
relevance of the passage it comes from, so one passage among five that contradicts a well-supported claim lowers it
by a fifth, and a claim that only meets contradiction falls to 0. A passage of no relevance contradicts nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ragstone.settings import VerificationSettings
from ragstone.types import Claim, ClaimStatus, ClaimVerdict, Judgement

__all__ = ["BASELINE", "judge_claims"]

BASELINE = 0.5


def judge_claims(
    claims: Sequence[Claim],
    judgements: Sequence[Judgement],
    weights: Sequence[float],
    settings: VerificationSettings,
) -> list[ClaimVerdict]:
    """One verdict a claim. ``judgements`` hold, for each claim in order, one row per passage, like ``weights``."""
    n = len(weights)
    return [_verdict(c, judgements[i * n : (i + 1) * n], weights, settings) for i, c in enumerate(claims)]


def _verdict(
    claim: Claim, rows: Sequence[Judgement], weights: Sequence[float], settings: VerificationSettings
) -> ClaimVerdict:
    best = max(rows, key=lambda j: j.entailment)
    worst = max(rows, key=lambda j: j.contradiction)
    against = math.fsum(
        w * j.contradiction for w, j in zip(weights, rows, strict=True) if j.contradiction > settings.contradicted
    )
    support = math.fsum(
        w * j.entailment for w, j in zip(weights, rows, strict=True) if j.entailment > settings.supported
    )
    if best.entailment <= settings.meaningful and against == 0.0:
        return ClaimVerdict(claim, ClaimStatus.UNSUPPORTED, BASELINE, best, worst, on_baseline=True)
    if against > support:
        status = ClaimStatus.CONTRADICTED
    else:
        status = ClaimStatus.SUPPORTED if best.entailment > settings.supported else ClaimStatus.UNSUPPORTED
    return ClaimVerdict(claim, status, max(0.0, best.entailment - against), best, worst)
