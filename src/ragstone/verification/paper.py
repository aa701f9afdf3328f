"""Preset ``paper``: the answer as one hypothesis (paper 000, section III-A, and the details behind its tables)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ragstone.settings import VerificationSettings
from ragstone.types import Judgement
from ragstone.verification.claims import BASELINE

__all__ = ["consistency_after", "factuality_of_answer"]

MOST_PAIRWISE = 0.5  # m, the share of the pairwise part in C, at most
FULL_LENGTH = 60  # mean words a passage at which m would be 1


def factuality_of_answer(rows: Sequence[Judgement], settings: VerificationSettings) -> tuple[float, bool]:
    """(F in [0, 1], whether it stands on the inconclusive baseline of 0.5)."""
    meaningful = [j for j in rows if j.entailment > settings.meaningful]
    if not meaningful:
        return BASELINE, True
    mean = math.fsum(j.entailment for j in meaningful) / len(meaningful)
    share = sum(j.entailment > settings.supported for j in meaningful) / len(meaningful)
    strongest = max(j.contradiction for j in meaningful)
    return 0.4 * mean + 0.3 * share + 0.3 * (1.0 - strongest), False


def consistency_after(
    rows: Sequence[Judgement], pairwise: float | None, mean_words: float, settings: VerificationSettings
) -> float:
    """C in [0, 1] after an answer: (1 - m) a + m d, with d the pairwise part (1 when nothing was compared).

    The share in a is among the meaningful passages, its contradiction that of any: the recorded runs have C as low as
    0.10 where no passage was meaningful.
    """
    meaningful = [j for j in rows if j.entailment > settings.meaningful]
    share = BASELINE
    if meaningful:
        share = sum(j.entailment > settings.supported for j in meaningful) / len(meaningful)
    strongest = max(j.contradiction for j in rows)
    agreement = min(1.0, max(0.0, share - 0.6 * max(0.0, strongest - 0.5)))
    m = min(MOST_PAIRWISE, mean_words / FULL_LENGTH)
    return (1.0 - m) * agreement + m * (1.0 if pairwise is None else pairwise)
