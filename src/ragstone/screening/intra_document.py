"""Signal 3: does a passage contradict itself? NLI between its halves (paper 000, section III-B)."""

from __future__ import annotations

from ragstone.screening.batch import Batch
from ragstone.text.sentences import halves
from ragstone.types import Finding

__all__ = ["intra_document_findings"]

# A self-contradiction alone stays below the flag threshold: an appended correction may be legitimate.
SEVERITY = 0.60


def intra_document_findings(batch: Batch) -> list[Finding]:
    """At most one finding a passage: the second half, when the first contradicts it (K above the setting)."""
    split = [(p, parts) for p in batch.passages if (parts := halves(p.text))]
    judged = batch.entailment.judge([(first.text, second.text) for _, (first, second) in split])
    return [
        Finding(
            passage_id=passage.id,
            signal="intra_document",
            rule="self-contradiction",
            severity=SEVERITY * result.contradiction,
            start=second.start,
            end=second.end,
            message="The second half of the passage contradicts the first",
            evidence={"contradiction": result.contradiction, "first": first.text, "second": second.text},
        )
        for (passage, (first, second)), result in zip(split, judged, strict=True)
        if result.contradiction > batch.settings.contradiction
    ]
