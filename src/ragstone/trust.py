"""The Trust Index: three components to one score, a level, warnings and an action (paper 000, section III-C)."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.settings import TrustSettings
from ragstone.types import Action, ClaimStatus, Components, Finding, Level, Screening, Verification

__all__ = [
    "action_for",
    "dampener",
    "level_of",
    "low_retrieval_factor",
    "recommendation_for",
    "screening_warnings",
    "trust_index",
    "warnings_for",
]

_LEVELS = ((0.8, Level.HIGH), (0.5, Level.MEDIUM), (0.3, Level.LOW), (0.0, Level.VERY_LOW))
_RECOMMENDATIONS = {
    Action.ACCEPT: "Use the answer.",
    Action.CAUTION: "Have a person check the points under Warnings before the answer is used.",
    Action.REJECT: "Do not use the answer; check the passages it was made from.",
    Action.UNSCORED: "Do not treat the answer as checked: nothing could be scored.",
}


def dampener(poison: float, settings: TrustSettings) -> float:
    """d(P) in [1 - strength, 1]: 1 up to the start, then falling linearly (equation 3)."""
    if poison <= settings.dampener_start:
        return 1.0
    excess = (poison - settings.dampener_start) / (1.0 - settings.dampener_start)
    return 1.0 - settings.dampener_strength * excess


def low_retrieval_factor(best_score: float | None, settings: TrustSettings) -> float:
    """1 unless the best retrieval similarity is known and below the limit; then down to 0.5 at similarity 0."""
    if best_score is None or best_score >= settings.low_retrieval:
        return 1.0
    return 0.5 + 0.5 * max(best_score, 0.0) / settings.low_retrieval


def trust_index(components: Components, best_score: float | None, settings: TrustSettings) -> float:
    """T in [0, 1] (equations 2 and 3). A component that was not measured counts as 1, but F must be known."""
    if components.factuality is None:
        raise ValueError("the Trust Index needs a factuality score")
    consistency = 1.0 if components.consistency is None else components.consistency
    poison = 0.0 if components.poison is None else components.poison
    weights = (settings.factuality_weight, settings.consistency_weight, settings.poison_weight)
    parts = (components.factuality, consistency, 1.0 - poison)
    linear = sum(w * part for w, part in zip(weights, parts, strict=True)) / sum(weights)
    return linear * dampener(poison, settings) * low_retrieval_factor(best_score, settings)


def level_of(trust: float) -> Level:
    """HIGH from 0.8, MEDIUM from 0.5, LOW from 0.3, else VERY LOW."""
    return next(level for bound, level in _LEVELS if trust >= bound or level is Level.VERY_LOW)


def action_for(trustworthy: bool, screening: Screening, verification: Verification, *, strict: bool) -> Action:
    """``strict`` (preset ``full``): never accept beside a flagged passage, a conflict or a contradicted claim, nor an
    answer that no passage speaks to, whose T of up to 0.8 says only that nothing speaks against it either."""
    if not trustworthy:
        return Action.REJECT
    doubts = screening.flagged or screening.conflicts or verification.contradicted or verification.on_baseline
    return Action.CAUTION if strict and doubts else Action.ACCEPT


def recommendation_for(action: Action) -> str:
    return _RECOMMENDATIONS[action]


def warnings_for(
    screening: Screening, verification: Verification, best_score: float | None, low: float
) -> tuple[str, ...]:
    """One sentence for each thing a reader should know, most serious first."""
    return (
        *_poison_warnings(screening),
        *_claim_warnings(verification),
        *_conflict_warnings(screening),
        *_measurement_warnings(screening, verification, best_score, low),
    )


def screening_warnings(screening: Screening) -> tuple[str, ...]:
    """What the passages alone give reason to warn of."""
    return (*_poison_warnings(screening), *_conflict_warnings(screening))


def _poison_warnings(screening: Screening) -> Sequence[str]:
    strongest: dict[str, Finding] = {}
    for finding in screening.findings:
        if finding.passage_id not in strongest or finding.severity > strongest[finding.passage_id].severity:
            strongest[finding.passage_id] = finding
    lines = []
    for passage_id in screening.flagged:
        reason = f": {strongest[passage_id].message}" if passage_id in strongest else ""
        lines.append(f"Passage {passage_id} looks poisoned (P = {screening.poison_by_passage[passage_id]:.2f}){reason}")
    return lines


def _claim_warnings(verification: Verification) -> Sequence[str]:
    lines = [
        f"Contradicted by passage {c.worst.passage_id}: {c.claim.text!r}"
        for c in verification.claims
        if c.status is ClaimStatus.CONTRADICTED
    ]
    lines += [f"No passage supports: {claim.text!r}" for claim in verification.unsupported]
    return lines + [
        f"Passage {c.worst.passage_id} contradicts what passage {c.best.passage_id} supports: {c.claim.text!r}"
        for c in verification.claims
        if c.status is ClaimStatus.SUPPORTED and c.factuality < c.best.entailment
    ]


def _conflict_warnings(screening: Screening) -> Sequence[str]:
    pairs = dict.fromkeys((c.first_id, c.second_id) for c in screening.conflicts)
    return [f"Passages {first} and {second} contradict each other" for first, second in pairs]


def _measurement_warnings(
    screening: Screening, verification: Verification, best_score: float | None, low: float
) -> Sequence[str]:
    lines = []
    if verification.on_baseline:
        lines.append("No passage was conclusive about the answer; factuality stands on its baseline of 0.5")
    if screening.consistency is None:
        part = "in consistency the pairwise part" if verification.consistency is not None else "consistency"
        state = "" if verification.consistency is not None else " was not measured and"
        lines.append(f"No two passages were compared; {part}{state} counts as 1")
    if screening.pairs_skipped:
        lines.append(
            f"{screening.pairs_skipped} pairs of passages were not compared; of so many passages each is compared "
            "with those nearest to it only"
        )
    if windows := screening.windows_skipped + verification.windows_skipped:
        lines.append(f"{windows} windows of long texts were not judged, being further from the other text than others")
    if best_score is not None and best_score < low:
        lines.append(f"The best passage is hardly related to the question (similarity {best_score:.2f})")
    return lines
