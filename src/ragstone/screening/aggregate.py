"""From findings to one poison probability (paper 000, section III-B, equation 1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ragstone.types import Passage

__all__ = ["batch_poison", "best_similarity", "passage_poison", "relevance_weights"]

EACH_FURTHER = 0.1  # what each further flagged passage adds once the top-ranked one is flagged


def passage_poison(severities: Sequence[float]) -> float:
    """P_i in [0, 1]: strongest first, each further finding counting half of the one before."""
    return min(1.0, math.fsum(math.ldexp(s, -i) for i, s in enumerate(sorted(severities, reverse=True))))


def relevance_weights(passages: Sequence[Passage]) -> list[float]:
    """w_i, summing to 1: the share of the positive similarities; equal when any is missing or none is positive."""
    if not passages:
        return []
    scores = [p.score for p in passages]
    known = [max(s, 0.0) for s in scores if s is not None]
    total = math.fsum(known)
    if len(known) < len(passages) or total <= 0.0:
        return [1.0 / len(passages)] * len(passages)
    return [s / total for s in known]


def best_similarity(scores: Sequence[float | None]) -> float | None:
    """The highest of the retriever's similarities; None when there is none or any is missing."""
    known = [score for score in scores if score is not None]
    return max(known) if known and len(known) == len(scores) else None


def batch_poison(passages: Sequence[Passage], poisons: Sequence[float], flag_threshold: float) -> float:
    """P in [0, 1]: the relevance-weighted mean, raised when the passage ranked first is itself flagged.

    Ranked first is the highest similarity. Where similarities are missing, nothing says which passage the reader
    trusts most, so the most poisoned one is taken as first; ties likewise. The order of ``passages`` has no effect.
    """
    if not passages:
        return 0.0
    mean = math.fsum(w * p for w, p in zip(relevance_weights(passages), poisons, strict=True))
    best = best_similarity([p.score for p in passages])
    top = max(p for passage, p in zip(passages, poisons, strict=True) if best is None or passage.score == best)
    if top <= flag_threshold:
        return min(1.0, mean)
    further = sum(p > flag_threshold for p in poisons) - 1
    return min(1.0, max(mean, top) + EACH_FURTHER * further)
