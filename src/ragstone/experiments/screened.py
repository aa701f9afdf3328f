"""A verdict from stage 1 alone, which a deployment may use before it generates anything (paper 000, section III)."""

from __future__ import annotations

from ragstone.errors import InputError
from ragstone.guard import Guard
from ragstone.screening.aggregate import best_similarity
from ragstone.settings import Settings
from ragstone.trust import level_of, recommendation_for, screening_warnings, trust_index
from ragstone.types import Action, Components, Screening, Verdict

__all__ = ["screening_verdict"]


def screening_verdict(screening: Screening, guard: Guard, settings: Settings, seconds: float) -> Verdict:
    """Trust from consistency and poison at their relative weights, factuality left out; ``seconds`` are stage 1's.

    Raises InputError when the settings give both the weight 0.
    """
    limits = settings.trust.model_copy(update={"factuality_weight": 0.0})
    if limits.consistency_weight + limits.poison_weight <= 0.0:
        raise InputError("without an answer trust needs trust.consistency_weight or trust.poison_weight above 0")
    best = best_similarity([passage.score for passage in screening.passages if passage.text.strip()])
    trust = trust_index(Components(0.0, screening.consistency, screening.poison), best, limits)
    trustworthy = trust >= limits.threshold
    doubtful = settings.preset == "full" and bool(screening.flagged or screening.conflicts)
    action = Action.REJECT if not trustworthy else Action.CAUTION if doubtful else Action.ACCEPT
    return Verdict(
        trust=trust,
        level=level_of(trust),
        trustworthy=trustworthy,
        action=action,
        unscored_reason=None,
        components=Components(None, screening.consistency, screening.poison),
        warnings=screening_warnings(screening),
        recommendation=recommendation_for(action),
        screening=screening,
        verification=None,
        fingerprint=guard.fingerprint,
        timings={"screening": seconds},
    )
