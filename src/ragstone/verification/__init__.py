"""Stage 2, after generation: do the passages entail the answer? (paper 000, section III-A)"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ragstone.backends.entailment import Entailment
from ragstone.screening.aggregate import relevance_weights
from ragstone.settings import Settings
from ragstone.text.claims import contextual_claim
from ragstone.types import Claim, Judgement, Passage, Screening, Verification
from ragstone.verification.claims import judge_claims
from ragstone.verification.paper import consistency_after, factuality_of_answer

__all__ = ["verify"]


def verify(
    question: str,
    passages: tuple[Passage, ...],
    answer: str,
    claims: Sequence[Claim],
    *,
    entailment: Entailment,
    settings: Settings,
    screening: Screening | None = None,
) -> Verification:
    """Judge the ``claims`` of the answer against each passage that has text. Needs at least one of each.

    Preset ``full`` scores claim by claim, a fragment ("In 1880.") read with its question; ``paper`` scores the whole
    answer as it stands and, given the screening, recomputes consistency after the answer. Both report each claim's
    best and worst passage. Raises BackendError when the model fails.
    """
    readable = [p for p in passages if p.text.strip()]
    hypotheses = [contextual_claim(question, claim.text) for claim in claims]
    judgements, skipped = _judge(hypotheses, readable, entailment)
    verdicts = judge_claims(claims, judgements, relevance_weights(readable), settings.verification)
    consistency: float | None = None
    if settings.preset == "paper":
        whole, skipped = _judge([answer], readable, entailment)
        factuality, on_baseline = factuality_of_answer(whole, settings.verification)
        words = sum(len(p.text.split()) for p in readable) / len(readable)
        pairwise = screening.consistency if screening is not None else None
        consistency = consistency_after(whole, pairwise, words, settings.verification)
    else:
        factuality = math.fsum(v.factuality for v in verdicts) / len(verdicts)
        on_baseline = all(v.on_baseline for v in verdicts)
    return Verification(answer, tuple(verdicts), tuple(judgements), factuality, on_baseline, consistency, skipped)


def _judge(
    hypotheses: Sequence[str], passages: Sequence[Passage], entailment: Entailment
) -> tuple[list[Judgement], int]:
    """Every hypothesis against every passage, one by one; and how many windows of long passages were left out."""
    pairs = [(i, p) for i in range(len(hypotheses)) for p in passages]
    results = entailment.judge([(p.text, hypotheses[i]) for i, p in pairs])
    rows = [
        Judgement(i, p.id, r.entailment, r.neutral, r.contradiction, r.start, r.end)
        for (i, p), r in zip(pairs, results, strict=True)
    ]
    return rows, sum(r.skipped for r in results)
