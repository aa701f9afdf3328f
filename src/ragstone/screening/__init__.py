"""Stage 1, before generation: five poison signals, their aggregation, and consistency (paper 000, section III-B)."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace

from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.screening.aggregate import batch_poison, passage_poison
from ragstone.screening.batch import Batch, canonical_order
from ragstone.screening.cross_document import Comparison, compare, consistency, cross_document_findings
from ragstone.screening.intra_document import intra_document_findings
from ragstone.screening.linguistic import linguistic_findings
from ragstone.screening.patterns import Patterns
from ragstone.screening.semantic_outlier import semantic_outlier_findings
from ragstone.screening.structure import structure_findings
from ragstone.settings import Settings
from ragstone.types import Conflict, Finding, Passage, Screening

__all__ = ["screen_passages"]


def screen_passages(
    question: str,
    passages: tuple[Passage, ...],
    *,
    encoder: Encoder,
    entailment: Entailment,
    patterns: Patterns,
    settings: Settings,
) -> Screening:
    """Screen the passages; blank ones are kept in the result but neither compared nor weighed.

    Their order has no effect but on the order in which things are listed. Raises BackendError when a model fails.
    """
    place = {p.id: i for i, p in enumerate(passages)}
    readable = canonical_order(p for p in passages if p.text.strip())
    batch = Batch(readable, encoder, entailment, settings.screening)
    enabled = frozenset(settings.screening.signals)
    comparison = (
        compare(batch, paper=settings.preset == "paper") if "cross_document" in enabled else Comparison(frozenset(), {})
    )
    findings = _findings(batch, comparison, patterns, enabled, paper=settings.preset == "paper")
    severities: dict[str, list[float]] = {p.id: [] for p in passages}
    for finding in findings:
        severities[finding.passage_id].append(finding.severity)
    by_passage = {identifier: passage_poison(found) for identifier, found in severities.items()}
    threshold = settings.screening.flag_threshold
    return Screening(
        question=question,
        passages=passages,
        findings=tuple(sorted(findings, key=lambda f: (place[f.passage_id], -f.severity, f.start, f.rule))),
        poison_by_passage=by_passage,
        poison=batch_poison(readable, [by_passage[p.id] for p in readable], threshold),
        consistency=consistency(comparison),
        conflicts=_listed(comparison, place),
        compared_pairs=len(comparison.compared),
        flagged=tuple(p.id for p in passages if by_passage[p.id] > threshold),
        pairs_skipped=comparison.skipped,
        windows_skipped=batch.windows_skipped,
    )


def _listed(comparison: Comparison, place: Mapping[str, int]) -> tuple[Conflict, ...]:
    """The conflicts in the order of the passages given, the earlier passage of each first."""
    oriented = [
        c
        if place[c.first_id] < place[c.second_id]
        else replace(
            c,
            first_id=c.second_id,
            first_start=c.second_start,
            first_end=c.second_end,
            second_id=c.first_id,
            second_start=c.first_start,
            second_end=c.first_end,
        )
        for c in comparison.conflicts.values()
    ]
    return tuple(sorted(oriented, key=lambda c: (place[c.first_id], place[c.second_id])))


def _findings(
    batch: Batch, comparison: Comparison, patterns: Patterns, enabled: Set[str], *, paper: bool
) -> list[Finding]:
    found: list[Finding] = []
    for passage in batch.passages:
        if "linguistic" in enabled:
            found += linguistic_findings(passage, patterns)
        if "structure" in enabled:
            found += structure_findings(passage)
    if "intra_document" in enabled:
        found += intra_document_findings(batch, paper=paper)
    if "cross_document" in enabled:
        found += cross_document_findings(batch, comparison)
    if "semantic_outlier" in enabled:
        found += semantic_outlier_findings(batch)
    return found
