"""What every stage asks an NLI model through: long texts windowed, pairs deduplicated and cached.

A premise longer than the model reads is split into windows of whole sentences, and the window that speaks most
decisively to the hypothesis (largest entailment or contradiction) speaks for the premise. A hypothesis that is too
long is split too: it is entailed as far as its least entailed part, and contradicted as far as its most contradicted.
Of a premise with many windows only those nearest the hypothesis are judged, so that the work does not grow with the
product of two lengths; how many were left out is reported with each result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.backends.cache import ContentCache
from ragstone.backends.encoder import Encoder
from ragstone.backends.protocols import NLI
from ragstone.errors import BackendError
from ragstone.text.sentences import Span, windows

__all__ = ["Entailed", "Entailment"]

SPECIAL_TOKENS = 3
MINIMUM_PREMISE = 16  # tokens always left for a premise window
CACHE_PAIRS = 50_000
MOST_WINDOWS = 4  # of one premise, judged for one hypothesis

Probabilities = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Entailed:
    """Probabilities that sum to 1, and the span of the premise that decided."""

    entailment: float
    neutral: float
    contradiction: float
    start: int
    end: int
    skipped: int = 0
    """Windows of the premise that were not judged, being further from the hypothesis than those that were."""

    @property
    def decisiveness(self) -> float:
        return max(self.entailment, self.contradiction)


class Entailment:
    """An NLI model behind windows and a content cache. Safe to share between threads."""

    def __init__(self, nli: NLI, *, encoder: Encoder | None = None, cache_pairs: int = CACHE_PAIRS) -> None:
        """Without ``encoder`` every window of a premise is judged, however many there are."""
        self._nli = nli
        self._encoder = encoder
        self._cache: ContentCache[tuple[str, str], Probabilities] = ContentCache(cache_pairs)

    @property
    def identity(self) -> str:
        return self._nli.identity

    @property
    def pairs_scored(self) -> int:
        """Pairs the model has run on; repeated pairs are answered from the cache."""
        return self._cache.misses

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """One result for each (premise, hypothesis), in order. Raises BackendError when the model fails."""
        split = [self._split(premise, hypothesis) for premise, hypothesis in pairs]
        flat = [(window.text, part) for premises, parts, _ in split for window in premises for part in parts]
        scores = iter(self._cache.fetch(flat, self._score))
        results = []
        for premises, parts, skipped in split:
            judged = [_whole(window, [next(scores) for _ in parts], skipped) for window in premises]
            results.append(max(judged, key=lambda e: e.decisiveness))
        return results

    def _score(self, pairs: list[tuple[str, str]]) -> list[Probabilities]:
        rows = np.asarray(self._nli.score(pairs), dtype=np.float64)
        if rows.shape != (len(pairs), 3) or not np.isfinite(rows).all() or (rows < 0).any():
            raise BackendError(
                f"NLI model {self._nli.identity} returned an array of shape {rows.shape} for {len(pairs)} pairs; "
                "expected finite probabilities of shape (pairs, 3)"
            )
        return [(float(e), float(n), float(c)) for e, n, c in rows]

    def _split(self, premise: str, hypothesis: str) -> tuple[list[Span], list[str], int]:
        """Windows of the premise, parts of the hypothesis, and how many windows were left out."""
        limit = self._nli.max_tokens
        whole = [Span(premise, 0, len(premise))]
        if limit is None:
            return whole, [hypothesis], 0
        room = limit - SPECIAL_TOKENS
        used = self._nli.count_tokens(hypothesis)
        parts = [hypothesis]
        if used > room // 2:
            parts = [w.text for w in windows(hypothesis, self._nli.count_tokens, room // 2)] or [hypothesis]
            used = max(self._nli.count_tokens(part) for part in parts)
        left = max(room - used, MINIMUM_PREMISE)
        if self._nli.count_tokens(premise) <= left:
            return whole, parts, 0
        found = windows(premise, self._nli.count_tokens, left) or whole
        nearest = self._nearest(found, hypothesis)
        return nearest, parts, len(found) - len(nearest)

    def _nearest(self, found: list[Span], hypothesis: str) -> list[Span]:
        if self._encoder is None or len(found) <= MOST_WINDOWS:
            return found
        vectors = self._encoder.encode([w.text for w in found])
        similarity = vectors @ self._encoder.encode([hypothesis])[0]
        chosen = np.argsort(-similarity, kind="stable")[:MOST_WINDOWS]
        return [found[i] for i in sorted(chosen)]


def _whole(window: Span, parts: list[Probabilities], skipped: int) -> Entailed:
    entailment = min(p[0] for p in parts)
    contradiction = max(p[2] for p in parts)
    if entailment + contradiction > 1.0:  # parts that disagree: the rest of the mass is shared in proportion
        total = entailment + contradiction
        entailment, contradiction = entailment / total, contradiction / total
    return Entailed(entailment, 1.0 - entailment - contradiction, contradiction, window.start, window.end, skipped)
