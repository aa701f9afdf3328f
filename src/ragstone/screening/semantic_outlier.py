"""Signal 5: a passage that speaks of something else than its neighbours (paper 000, section III-B).

The distance is to the centroid of the *other* passages, so that an outlier does not pull the centroid towards itself.
"""

from __future__ import annotations

import numpy as np

from ragstone.screening.batch import Batch
from ragstone.types import Finding

__all__ = ["semantic_outlier_findings"]

MINIMUM_PASSAGES = 3
GAP = 0.25  # below the median similarity by more than this
CEILING = 0.35  # and little related to the others in absolute terms
SEVERITY = 0.30  # weak evidence: the last of a ranking is often off-topic without malice


def semantic_outlier_findings(batch: Batch) -> list[Finding]:
    """Passages whose similarity to the others' centroid is far below the median one."""
    n = len(batch.passages)
    if n < MINIMUM_PASSAGES:
        return []
    total = batch.vectors.sum(axis=0)
    others = total - batch.vectors
    norms = np.linalg.norm(others, axis=1)
    similarity = np.einsum("ij,ij->i", batch.vectors, others) / np.where(norms > 0, norms, 1.0)
    median = float(np.median(similarity))
    return [
        Finding(
            passage_id=passage.id,
            signal="semantic_outlier",
            rule="off-topic",
            severity=SEVERITY * min(1.0, (median - value) / (2 * GAP)),
            start=0,
            end=len(passage.text),
            message="The passage has little in common with the others retrieved",
            evidence={"similarity": value, "median": median},
        )
        for passage, value in zip(batch.passages, map(float, similarity), strict=True)
        if value < CEILING and median - value > GAP
    ]
