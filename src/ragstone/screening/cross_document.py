"""Signal 4 and the consistency estimator: do passages contradict each other? (paper 000, section III-B)

Two ways to choose what is compared. ``full``: sentences of two passages about the same thing (cosine of their
vectors) that contradict each other in both directions. ``paper``: the passages whole, unless both are under 20 words.

A conflict is a fact about a *pair*: it lowers consistency, but it raises the poison probability of a passage only when
that passage stands alone against neighbours that do not contradict each other. One poisoned passage therefore never
raises a clean neighbour's probability, and two passages at odds with each other name no culprit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ragstone.screening.batch import Batch
from ragstone.text.sentences import Span
from ragstone.types import Conflict, Finding

__all__ = ["Comparison", "compare", "consistency", "cross_document_findings"]

SHORT_WORDS = 20
STATEMENTS_PER_PAIR = 3
SEVERITY = 0.60

Pair = tuple[int, int]
Candidate = tuple[Pair, Span, Span]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Pairs of passage positions that were compared, and the strongest contradiction of each that has one."""

    compared: frozenset[Pair]
    conflicts: dict[Pair, Conflict]


def compare(batch: Batch, *, paper: bool) -> Comparison:
    """Judge every candidate pair; a pair conflicts when its contradiction is above the setting."""
    candidates = list(_whole_pairs(batch) if paper else _statement_pairs(batch))
    found = _contradicting(batch, candidates)
    if not paper:  # contradiction is symmetric: what holds in one direction only is the model's noise
        back = _contradicting(batch, [(pair, b, a) for pair, a, b, _ in found])
        strength = {(pair, a, b): k for pair, b, a, k in back}
        found = [(pair, a, b, min(k, strength[pair, a, b])) for pair, a, b, k in found if (pair, a, b) in strength]
    conflicts: dict[Pair, Conflict] = {}
    for pair, a, b, contradiction in found:
        known = conflicts.get(pair)
        if known is None or contradiction > known.contradiction:
            first, second = (batch.passages[i].id for i in pair)
            conflicts[pair] = Conflict(first, a.start, a.end, second, b.start, b.end, contradiction)
    return Comparison(frozenset(pair for pair, _, _ in candidates), conflicts)


def _contradicting(batch: Batch, candidates: Sequence[Candidate]) -> list[tuple[Pair, Span, Span, float]]:
    judged = batch.entailment.judge([(a.text, b.text) for _, a, b in candidates])
    return [
        (pair, a, b, result.contradiction)
        for (pair, a, b), result in zip(candidates, judged, strict=True)
        if result.contradiction > batch.settings.contradiction
    ]


def consistency(comparison: Comparison) -> float | None:
    """C in [0, 1]: 1 - contradicting / compared pairs; None when no pair was comparable."""
    if not comparison.compared:
        return None
    return 1.0 - len(comparison.conflicts) / len(comparison.compared)


def cross_document_findings(batch: Batch, comparison: Comparison) -> list[Finding]:
    """A finding for each passage that contradicts most of its neighbours while they agree among themselves."""
    findings = []
    for i, passage in enumerate(batch.passages):
        if not _stands_alone(i, comparison):
            continue
        mine = {pair: c for pair, c in comparison.conflicts.items() if i in pair}
        strongest = max(mine.values(), key=lambda c: c.contradiction)
        at_first = strongest.first_id == passage.id
        start, end = (
            (strongest.first_start, strongest.first_end) if at_first else (strongest.second_start, strongest.second_end)
        )
        findings.append(
            Finding(
                passage_id=passage.id,
                signal="cross_document",
                rule="contradicts-others",
                severity=SEVERITY * math.fsum(c.contradiction for c in mine.values()) / len(mine),
                start=start,
                end=end,
                message=f"The passage contradicts {len(mine)} others, which agree with each other",
                evidence={
                    "contradiction": strongest.contradiction,
                    "against": sorted({c.second_id if c.first_id == passage.id else c.first_id for c in mine.values()}),
                },
            )
        )
    return findings


def _stands_alone(i: int, comparison: Comparison) -> bool:
    """More passages contradict ``i`` than stand with it (itself counted), and none of those contradict each other."""
    opponents = {j for pair in comparison.conflicts if i in pair for j in pair if j != i}
    compared = {j for pair in comparison.compared if i in pair for j in pair if j != i}
    side = 1 + len(compared - opponents)
    if len(opponents) <= side:
        return False
    return not any(pair in comparison.conflicts for pair in combinations(sorted(opponents), 2))


def _whole_pairs(batch: Batch) -> Iterable[Candidate]:
    words = [len(p.text.split()) for p in batch.passages]
    spans = [Span(p.text, 0, len(p.text)) for p in batch.passages]
    for i, j in combinations(range(len(batch.passages)), 2):
        if words[i] >= SHORT_WORDS or words[j] >= SHORT_WORDS:
            yield (i, j), spans[i], spans[j]


def _statement_pairs(batch: Batch) -> Iterable[Candidate]:
    for i, j in combinations(range(len(batch.passages)), 2):
        similarity = batch.statement_vectors[i] @ batch.statement_vectors[j].T
        order = np.argsort(-similarity, axis=None, kind="stable")[:STATEMENTS_PER_PAIR]
        for a, b in zip(*np.unravel_index(order, similarity.shape), strict=True):
            if similarity[a, b] >= batch.settings.same_topic:
                yield (i, j), batch.statements[i][a], batch.statements[j][b]
