"""Collision: words put before a passage so that a retriever's embedder takes it for an answer to the query.

The collision-style attack that paper 000 (section VI) names as future work, after Zhong et al. 2023 (adversarial
passages by token search) and Zou et al. 2025. Deviation: no gradients (HotFlip); the embedder is a black box that is
only asked for vectors, within a budget, and each position of the prefix is searched in turn (greedy coordinate
ascent), adding a word or replacing one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ragstone.attacks.base import Attack, Edit, Poisoned, apply_edits, changed, unchanged
from ragstone.attacks.passages import passage_parts
from ragstone.backends.protocols import Embedder
from ragstone.errors import InputError
from ragstone.text.lexicon import words

__all__ = ["Collision", "CollisionResult", "search_collision"]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_GENERAL = words(
    "about answer explained definition meaning facts history overview guide question summary information details "
    "reason cause origin list example main known first largest often when where who what why how"
)


@dataclass(frozen=True, slots=True)
class CollisionResult:
    """``before`` and ``after`` are cosine similarities to the query in [-1, 1]; ``calls`` counts the texts embedded."""

    text: str
    prefix: str
    before: float
    after: float
    calls: int


class _Meter:
    """Similarities to one query, counting the texts that the embedder is asked for."""

    def __init__(self, embedder: Embedder, query: str, budget: int) -> None:
        self._embedder, self._budget = embedder, budget
        self._query = embedder.embed([query])[0]
        self.calls = 1

    @property
    def left(self) -> int:
        return self._budget - self.calls

    def similarities(self, texts: Sequence[str]) -> list[float]:
        self.calls += len(texts)
        return [float(value) for value in self._embedder.embed(list(texts)) @ self._query]


def search_collision(
    passage: str,
    query: str,
    embedder: Embedder,
    *,
    rng: random.Random,
    budget: int = 200,
    most_words: int = 12,
    batch: int = 16,
    vocabulary: Sequence[str] = (),
) -> CollisionResult:
    """Search for words before ``passage`` that raise its similarity to ``query``.

    ``budget`` bounds the texts embedded (2 of them for the start), ``most_words`` the length of the prefix. Candidates
    are the words of the query, those of ``vocabulary`` and general words. The similarity never falls: without an
    improvement the passage comes back as it was. Raises InputError for a budget below 3 or a blank query.
    """
    if budget < 3 or not query.strip():
        raise InputError(
            f"a collision search needs a query and a budget of at least 3 texts, got {query!r} and {budget}"
        )
    meter = _Meter(embedder, query, budget)
    start = meter.similarities([passage])[0]
    candidates = list(dict.fromkeys([*_WORD.findall(query), *vocabulary, *_GENERAL]))
    prefix: list[str] = []
    best, failures, position = start, 0, 0
    while meter.left > 0 and failures <= most_words and candidates:
        grown = [*prefix, ""] if len(prefix) < most_words else prefix
        place = len(prefix) if len(prefix) < most_words and failures == 0 else position % len(grown)
        position += 1
        drawn = rng.sample(candidates, min(batch, meter.left, len(candidates)))
        trials = [_with(grown, place, word) for word in drawn]
        values = meter.similarities([_text(trial, passage) for trial in trials])
        top = max(range(len(values)), key=values.__getitem__)
        if values[top] > best + 1e-6:
            best, prefix, failures = values[top], trials[top], 0
        else:
            failures += 1
    return CollisionResult(_text(prefix, passage), " ".join(prefix), start, best, meter.calls)


def _with(prefix: Sequence[str], place: int, word: str) -> list[str]:
    return [item for item in (*prefix[:place], word, *prefix[place + 1 :]) if item]


def _text(prefix: Sequence[str], passage: str) -> str:
    return f"{' '.join(prefix)} {passage}" if prefix else passage


@dataclass(frozen=True, slots=True)
class Collision:
    """Applies ``base`` (an attack that makes the passage false), then puts the words found before it.

    Without ``base`` the passage is only made easier to retrieve. The prefix is one insertion at the start.
    """

    embedder: Embedder
    name: str = "collision"
    base: Attack | None = None
    budget: int = 200
    most_words: int = 12
    vocabulary: Sequence[str] = field(default=())

    def poison(self, text: str, *, rng: random.Random, question: str | None = None) -> Poisoned:
        query = question or " ".join(span.text for span in passage_parts(text).rest)
        if not query.strip() or not text.strip():
            return unchanged(self.name, text, "no question, or no passage, to search a collision for")
        edits: tuple[Edit, ...] = ()
        if self.base is not None:
            outcome = self.base.poison(text, rng=rng, question=question)
            if not outcome.changed:
                return unchanged(self.name, text, outcome.reason or "the base attack does not apply")
            edits = outcome.edits
        found = search_collision(
            apply_edits(text, edits), query, self.embedder, rng=rng, budget=self.budget, most_words=self.most_words,
            vocabulary=self.vocabulary,
        )  # fmt: skip
        if not found.prefix:
            return unchanged(self.name, text, "no word raised the similarity to the question")
        return changed(self.name, text, [Edit(0, 0, "", found.prefix + " "), *edits])
