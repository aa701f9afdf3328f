"""What every stage asks an NLI model through: long texts windowed, pairs deduplicated and cached.

A premise longer than the model reads is split into windows of whole sentences, and the window that speaks most
decisively to the hypothesis (largest entailment or contradiction) speaks for the premise. A hypothesis that is too
long is split too: it is entailed as far as its least entailed part, and contradicted as far as its most contradicted.
Of a premise with many windows only those nearest the hypothesis are judged, so that the work does not grow with the
product of two lengths; how many were left out is reported with each result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ragstone.backends.cache import ContentCache, content_key
from ragstone.backends.encoder import Encoder
from ragstone.backends.protocols import NLI
from ragstone.errors import BackendError, InputError
from ragstone.text.sentences import Span, windows

__all__ = ["MOST_WINDOWS", "Entailed", "Entailment"]

# What a pair has besides its texts: BERT puts in three special tokens, BART and RoBERTa four.
SPECIAL_TOKENS = 4
MINIMUM_PREMISE = 16  # tokens always left for a premise window
LEAST_TOKENS = SPECIAL_TOKENS + 2 * MINIMUM_PREMISE
# Room for a premise is rounded down to a multiple of it: hypotheses of like length then share its windows.
WINDOW_STEP = 8
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


@dataclass(frozen=True, slots=True)
class _Measured:
    """What is found out once about the texts of one call."""

    tokens: dict[str, int] = field(default_factory=dict)
    windows: dict[tuple[str, int], list[Span]] = field(default_factory=dict)


class Entailment:
    """An NLI model behind windows and a content cache. Safe to share between threads, as far as the model is."""

    def __init__(self, nli: NLI, *, encoder: Encoder | None = None, cache_pairs: int = CACHE_PAIRS) -> None:
        """Without ``encoder`` every window of a premise is judged, however many there are.

        Raises InputError for a model that reads fewer than 36 tokens.
        """
        if nli.max_tokens is not None and nli.max_tokens < LEAST_TOKENS:
            raise InputError(
                f"NLI model {nli.identity}: max_tokens is {nli.max_tokens}; a pair needs at least {LEAST_TOKENS}"
            )
        self._nli = nli
        self._encoder = encoder
        self._cache: ContentCache[bytes, Probabilities] = ContentCache(cache_pairs)

    @property
    def identity(self) -> str:
        return self._nli.identity

    @property
    def pairs_scored(self) -> int:
        """Pairs the model has run on; repeated pairs are answered from the cache."""
        return self._cache.misses

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """One result for each (premise, hypothesis), in order.

        Raises BackendError when the model fails, whatever it raises, and when it returns anything but probabilities.
        """
        measured = _Measured()
        split = [self._split(premise, hypothesis, measured) for premise, hypothesis in pairs]
        flat = [(window.text, part) for premises, parts, _ in split for window in premises for part in parts]
        keys = [content_key(*pair) for pair in flat]
        by_key = dict(zip(keys, flat, strict=True))
        scores = iter(self._cache.fetch(keys, lambda missing: self._score([by_key[key] for key in missing])))
        results = []
        for premises, parts, skipped in split:
            judged = [_whole(window, [next(scores) for _ in parts], skipped) for window in premises]
            results.append(max(judged, key=lambda e: e.decisiveness))
        return results

    def _score(self, pairs: list[tuple[str, str]]) -> list[Probabilities]:
        try:
            rows = np.asarray(self._nli.score(pairs), dtype=np.float64)
        except BackendError:
            raise
        except Exception as error:
            raise self._failed(error) from error
        valid = rows.shape == (len(pairs), 3) and bool((rows >= 0).all())
        if not valid or not np.allclose(rows.sum(axis=1), 1.0, rtol=0.0, atol=1e-3):
            raise BackendError(
                f"NLI model {self.identity} returned an array of shape {rows.shape} for {len(pairs)} pairs; "
                "expected rows of three probabilities that sum to 1"
            )
        return [(float(e), float(n), float(c)) for e, n, c in rows / rows.sum(axis=1, keepdims=True)]

    def _split(self, premise: str, hypothesis: str, measured: _Measured) -> tuple[list[Span], list[str], int]:
        """Windows of the premise, parts of the hypothesis, and how many windows were left out."""
        limit = self._nli.max_tokens
        whole = [Span(premise, 0, len(premise))]
        if limit is None:
            return whole, [hypothesis], 0
        room = limit - SPECIAL_TOKENS
        used = self._tokens(hypothesis, measured)
        parts = [hypothesis]
        if used > room // 2:
            parts = [w.text for w in self._windows(hypothesis, room // 2, measured)] or [hypothesis]
            used = max(self._tokens(part, measured) for part in parts)
        left = max(room - used, MINIMUM_PREMISE)
        if self._tokens(premise, measured) <= left:
            return whole, parts, 0
        found = self._windows(premise, left // WINDOW_STEP * WINDOW_STEP, measured) or whole
        nearest = self._nearest(found, hypothesis)
        return nearest, parts, len(found) - len(nearest)

    def _tokens(self, text: str, measured: _Measured) -> int:
        if text not in measured.tokens:
            measured.tokens[text] = self._count(text)
        return measured.tokens[text]

    def _windows(self, text: str, limit: int, measured: _Measured) -> list[Span]:
        key = text, limit
        if key not in measured.windows:
            measured.windows[key] = windows(text, self._count, limit)
        return measured.windows[key]

    def _count(self, text: str) -> int:
        try:
            return self._nli.count_tokens(text)
        except BackendError:
            raise
        except Exception as error:
            raise self._failed(error) from error

    def _nearest(self, found: list[Span], hypothesis: str) -> list[Span]:
        if self._encoder is None or len(found) <= MOST_WINDOWS:
            return found
        vectors = self._encoder.encode([w.text for w in found])
        similarity = vectors @ self._encoder.encode([hypothesis])[0]
        chosen = np.argsort(-similarity, kind="stable")[:MOST_WINDOWS]
        return [found[i] for i in sorted(chosen)]

    def _failed(self, error: Exception) -> BackendError:
        return BackendError(f"NLI model {self.identity} failed: {type(error).__name__}: {error}")


def _whole(window: Span, parts: list[Probabilities], skipped: int) -> Entailed:
    entailment = min(p[0] for p in parts)
    contradiction = max(p[2] for p in parts)
    if entailment + contradiction > 1.0:  # parts that disagree: the rest of the mass is shared in proportion
        total = entailment + contradiction
        entailment, contradiction = entailment / total, contradiction / total
    neutral = max(0.0, 1.0 - entailment - contradiction)
    return Entailed(entailment, neutral, contradiction, window.start, window.end, skipped)
