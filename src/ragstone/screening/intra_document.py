"""Signal 3: does a passage contradict itself? (paper 000, section III-B)

``paper``: NLI between the halves of the passage, split at a sentence. ``full``: between the statements of the two
halves that are nearest each other, so that a long passage costs no more than a short one and unrelated halves are not
compared at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from ragstone.screening.batch import Batch
from ragstone.screening.nearest import nearest_rows
from ragstone.text.sentences import Span, halves
from ragstone.types import Finding, Passage

__all__ = ["intra_document_findings"]

# A self-contradiction alone stays below the flag threshold: an appended correction may be legitimate.
SEVERITY = 0.60
STATEMENT_PAIRS = 3


def intra_document_findings(batch: Batch, *, paper: bool) -> list[Finding]:
    """At most one finding a passage: its strongest contradiction, at the later statement (K above the setting)."""
    candidates = list(_halves(batch) if paper else _statements(batch))
    judged = batch.judge([(first.text, second.text) for _, first, second in candidates])
    findings: dict[str, Finding] = {}
    for (passage, first, second), result in zip(candidates, judged, strict=True):
        severity = SEVERITY * result.contradiction
        known = findings.get(passage.id)
        if result.contradiction > batch.settings.contradiction and (known is None or severity > known.severity):
            findings[passage.id] = Finding(
                passage_id=passage.id,
                signal="intra_document",
                rule="self-contradiction",
                severity=severity,
                start=second.start,
                end=second.end,
                message="The passage contradicts itself",
                evidence={"contradiction": result.contradiction, "first": first.text, "second": second.text},
            )
    return list(findings.values())


def _halves(batch: Batch) -> Iterable[tuple[Passage, Span, Span]]:
    for passage in batch.passages:
        if parts := halves(passage.text):
            yield passage, *parts


def _statements(batch: Batch) -> Iterable[tuple[Passage, Span, Span]]:
    for passage, spans, vectors in zip(batch.passages, batch.statements, batch.statement_vectors, strict=True):
        middle = len(spans) // 2
        for a, b in nearest_rows(vectors[:middle], vectors[middle:], STATEMENT_PAIRS, batch.settings.same_topic):
            yield passage, spans[a], spans[middle + b]
