"""Signal 4 and the consistency estimator: do passages contradict each other? (paper 000, section III-B)

Two ways to choose what is compared. ``full``: sentences of two passages about the same thing (cosine of their
vectors) that contradict each other in both directions. ``paper``: the passages whole, unless both are under 20 words,
the higher-ranked one as the premise. Of more than 21 passages each is compared with the 20 nearest to it, so that the
work grows with their number and not with its square; how many pairs were left out is reported.

A conflict is a fact about a *pair*: it lowers consistency, but it raises the poison probability of a passage only when
that passage stands alone against neighbours that do not contradict each other. One poisoned passage therefore never
raises a clean neighbour's probability, and two passages at odds with each other name no culprit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ragstone.screening.batch import Batch
from ragstone.screening.nearest import nearest_groups, nearest_rows
from ragstone.text.sentences import Span
from ragstone.types import Conflict, Finding

__all__ = ["MOST_NEIGHBOURS", "Comparison", "compare", "consistency", "cross_document_findings"]

SHORT_WORDS = 20
STATEMENTS_PER_PAIR = 3
MOST_NEIGHBOURS = 20  # that one passage is compared with, when there are more
SEVERITY = 0.60

Pair = tuple[int, int]
Candidate = tuple[Pair, Span, Span]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Pairs of passage positions that were compared, and the strongest contradiction of each that has one.

    ``skipped``: how many pairs were not compared although they are about the same thing (``paper``: long enough).
    """

    compared: frozenset[Pair]
    conflicts: dict[Pair, Conflict]
    skipped: int = 0


def compare(batch: Batch, *, paper: bool) -> Comparison:
    """Judge every candidate pair; a pair conflicts when its contradiction is above the setting."""
    candidates, skipped = _whole_pairs(batch) if paper else _statement_pairs(batch)
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
    return Comparison(frozenset(pair for pair, _, _ in candidates), conflicts, skipped)


def _contradicting(batch: Batch, candidates: Sequence[Candidate]) -> list[tuple[Pair, Span, Span, float]]:
    judged = batch.judge([(a.text, b.text) for _, a, b in candidates])
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
    opponents, compared = _neighbours(comparison.conflicts), _neighbours(comparison.compared)
    findings = []
    for i, passage in enumerate(batch.passages):
        if not _stands_alone(opponents.get(i, set()), compared.get(i, set()), comparison):
            continue
        mine = [comparison.conflicts[min(i, j), max(i, j)] for j in sorted(opponents[i])]
        strongest = max(mine, key=lambda c: c.contradiction)
        at_first = strongest.first_id == passage.id
        start, end = (
            (strongest.first_start, strongest.first_end) if at_first else (strongest.second_start, strongest.second_end)
        )
        findings.append(
            Finding(
                passage_id=passage.id,
                signal="cross_document",
                rule="contradicts-others",
                severity=SEVERITY * math.fsum(c.contradiction for c in mine) / len(mine),
                start=start,
                end=end,
                message=f"The passage contradicts {len(mine)} others, which agree with each other",
                evidence={
                    "contradiction": strongest.contradiction,
                    "against": sorted({c.second_id if c.first_id == passage.id else c.first_id for c in mine}),
                },
            )
        )
    return findings


def _neighbours(pairs: Iterable[Pair]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for i, j in pairs:
        found.setdefault(i, set()).add(j)
        found.setdefault(j, set()).add(i)
    return found


def _stands_alone(opponents: set[int], compared: set[int], comparison: Comparison) -> bool:
    """More passages contradict it than stand with it (itself counted), and none of those contradict each other."""
    side = 1 + len(compared - opponents)
    if len(opponents) <= side:
        return False
    return not any(pair in comparison.conflicts for pair in combinations(sorted(opponents), 2))


def _whole_pairs(batch: Batch) -> tuple[list[Candidate], int]:
    n = len(batch.passages)
    long = [len(p.text.split()) >= SHORT_WORDS for p in batch.passages]
    spans = [Span(p.text, 0, len(p.text)) for p in batch.passages]
    pairs = list(combinations(range(n), 2)) if n <= MOST_NEIGHBOURS + 1 else _nearest_pairs(batch)
    candidates = [((i, j), spans[i], spans[j]) for i, j in pairs if long[i] or long[j]]
    return candidates, math.comb(n, 2) - math.comb(long.count(False), 2) - len(candidates)


def _nearest_pairs(batch: Batch) -> list[Pair]:
    rows = [batch.vectors[i : i + 1] for i in range(len(batch.passages))]
    return nearest_groups(rows, MOST_NEIGHBOURS, -1.0 - 1e-3)[0]


def _statement_pairs(batch: Batch) -> tuple[list[Candidate], int]:
    least = batch.settings.same_topic
    pairs, skipped = nearest_groups(batch.statement_vectors, MOST_NEIGHBOURS, least)
    candidates = [
        ((i, j), batch.statements[i][a], batch.statements[j][b])
        for i, j in pairs
        for a, b in nearest_rows(batch.statement_vectors[i], batch.statement_vectors[j], STATEMENTS_PER_PAIR, least)
    ]
    return candidates, skipped
