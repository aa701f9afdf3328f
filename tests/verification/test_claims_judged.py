"""The best support of a claim minus what contradicts it."""

from __future__ import annotations

import pytest

from ragstone.settings import VerificationSettings
from ragstone.types import Claim, ClaimStatus, ClaimVerdict, Judgement
from ragstone.verification.claims import judge_claims

LIMITS = VerificationSettings()
CLAIM = Claim("Ann wrote it.", 0, 13)


def weighed(weights: list[float], *pairs: tuple[float, float]) -> ClaimVerdict:
    rows = [Judgement(0, f"p{i}", e, 1 - e - k, k, 0, 1) for i, (e, k) in enumerate(pairs)]
    return judge_claims([CLAIM], rows, weights, LIMITS)[0]


def verdict(*pairs: tuple[float, float]) -> ClaimVerdict:
    return weighed([1 / len(pairs)] * len(pairs), *pairs)


def test_a_supported_claim_has_the_best_support() -> None:
    v = verdict((0.9, 0.0), (0.2, 0.1))
    assert (v.status, v.factuality, v.best.passage_id) == (ClaimStatus.SUPPORTED, 0.9, "p0")


def test_one_contradicting_passage_among_five_takes_its_share() -> None:
    v = verdict((0.95, 0), (0.95, 0), (0.95, 0), (0.95, 0), (0.0, 0.9))
    assert v.status is ClaimStatus.SUPPORTED
    assert v.factuality == pytest.approx(0.95 - 0.18)
    assert v.worst.passage_id == "p4"


def test_a_claim_that_only_meets_contradiction_falls_to_nothing() -> None:
    v = verdict((0.05, 0.9), (0.1, 0.2))
    assert (v.status, v.factuality) == (ClaimStatus.CONTRADICTED, 0.0)


def test_a_claim_nobody_speaks_to_stands_on_the_baseline() -> None:
    v = verdict((0.3, 0.3), (0.1, 0.5))
    assert (v.status, v.factuality) == (ClaimStatus.UNSUPPORTED, 0.5)


def test_weak_support_is_not_called_support() -> None:
    assert verdict((0.45, 0.0)).status is ClaimStatus.UNSUPPORTED


def test_each_claim_gets_its_own_rows() -> None:
    rows = [Judgement(i, "p", e, 1 - e, 0.0, 0, 1) for i, e in enumerate((0.9, 0.6))]
    assert [v.factuality for v in judge_claims([CLAIM, CLAIM], rows, [1.0], LIMITS)] == [0.9, 0.6]


def test_support_from_a_passage_of_no_relevance_is_called_support() -> None:
    """Its weight only settles a dispute; a factuality of 0.95 is never told as "no passage supports"."""
    v = weighed([0.0, 1.0], (0.95, 0.0), (0.1, 0.1))
    assert (v.status, v.factuality, v.on_baseline) == (ClaimStatus.SUPPORTED, 0.95, False)


def test_contradiction_from_a_passage_of_no_relevance_leaves_the_baseline_and_says_so() -> None:
    v = weighed([0.0, 1.0], (0.0, 0.9), (0.1, 0.1))
    assert (v.status, v.factuality, v.on_baseline) == (ClaimStatus.UNSUPPORTED, 0.5, True)


@pytest.mark.parametrize(("pair", "expected"), [((0.4, 0.5), True), ((0.41, 0.0), False), ((0.0, 0.51), False)])
def test_the_baseline_is_told_apart_from_a_score_of_one_half(pair: tuple[float, float], expected: bool) -> None:
    assert verdict(pair).on_baseline is expected


def test_equal_votes_of_equal_strength_halve_the_support() -> None:
    v = verdict((0.9, 0.0), (0.0, 0.9))
    assert v.factuality == pytest.approx(0.45)
