"""Stage 1, before generation: five poison signals, their aggregation, and consistency (paper 000, section III-B)."""

from __future__ import annotations

from collections.abc import Set

from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.screening.aggregate import batch_poison, passage_poison
from ragstone.screening.batch import Batch
from ragstone.screening.cross_document import Comparison, compare, consistency, cross_document_findings
from ragstone.screening.intra_document import intra_document_findings
from ragstone.screening.linguistic import linguistic_findings
from ragstone.screening.patterns import Patterns
from ragstone.screening.semantic_outlier import semantic_outlier_findings
from ragstone.screening.structure import structure_findings
from ragstone.settings import Settings
from ragstone.types import Finding, Passage, Screening

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
    """Screen the passages; blank ones are kept in the result but neither compared nor weighed."""
    readable = tuple(p for p in passages if p.text.strip())
    batch = Batch(readable, encoder, entailment, settings.screening)
    enabled = frozenset(settings.screening.signals)
    comparison = (
        compare(batch, paper=settings.preset == "paper") if "cross_document" in enabled else Comparison(frozenset(), {})
    )
    findings = _findings(batch, comparison, patterns, enabled, paper=settings.preset == "paper")
    poisons = [passage_poison([f.severity for f in findings if f.passage_id == p.id]) for p in readable]
    by_passage = dict.fromkeys((p.id for p in passages), 0.0)
    by_passage.update({p.id: poison for p, poison in zip(readable, poisons, strict=True)})
    threshold = settings.screening.flag_threshold
    return Screening(
        question=question,
        passages=passages,
        findings=tuple(findings),
        poison_by_passage=by_passage,
        poison=batch_poison(readable, poisons, threshold),
        consistency=consistency(comparison),
        conflicts=tuple(comparison.conflicts[pair] for pair in sorted(comparison.conflicts)),
        compared_pairs=len(comparison.compared),
        flagged=tuple(p.id for p in passages if by_passage[p.id] > threshold),
    )


def _findings(
    batch: Batch, comparison: Comparison, patterns: Patterns, enabled: Set[str], *, paper: bool
) -> list[Finding]:
    """All findings, by passage in the order given, the most severe first."""
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
    place = {p.id: i for i, p in enumerate(batch.passages)}
    return sorted(found, key=lambda f: (place[f.passage_id], -f.severity, f.start, f.rule))
