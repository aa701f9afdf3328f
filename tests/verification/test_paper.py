"""Worked examples of the paper's factuality and consistency after the answer."""

from __future__ import annotations

import pytest

from ragstone.settings import VerificationSettings
from ragstone.types import Judgement
from ragstone.verification.paper import consistency_after, factuality_of_answer

LIMITS = VerificationSettings()


def rows(*pairs: tuple[float, float]) -> list[Judgement]:
    return [Judgement(0, f"p{i}", e, 1 - e - k, k, 0, 1) for i, (e, k) in enumerate(pairs)]


def test_without_meaningful_entailment_factuality_is_the_baseline() -> None:
    assert factuality_of_answer(rows((0.4, 0.1), (0.0, 0.99)), LIMITS) == (0.5, True)


def test_factuality_is_over_the_meaningful_passages_only() -> None:
    value, on_baseline = factuality_of_answer(rows((0.9, 0.05), (0.45, 0.3), (0.0, 0.99)), LIMITS)
    assert value == pytest.approx(0.4 * 0.675 + 0.3 * 0.5 + 0.3 * 0.7)
    assert not on_baseline


def test_consistency_mixes_agreement_and_pairs_by_length() -> None:
    """30 words: m = 0.5; one of two meaningful supports: a = 0.5; d = 0.8."""
    assert consistency_after(rows((0.9, 0.0), (0.45, 0.3)), 0.8, 30, LIMITS) == pytest.approx(0.65)
    assert consistency_after(rows((0.9, 0.0), (0.45, 0.3)), 0.8, 6, LIMITS) == pytest.approx(0.9 * 0.5 + 0.1 * 0.8)


def test_strong_contradiction_lowers_agreement() -> None:
    assert consistency_after(rows((0.6, 0.0), (0.41, 0.58)), None, 60, LIMITS) == pytest.approx(
        0.5 * (0.5 - 0.6 * 0.08) + 0.5
    )


def test_nothing_meaningful_gives_half_agreement() -> None:
    assert consistency_after(rows((0.1, 0.5)), 1.0, 600, LIMITS) == pytest.approx(0.75)


def test_contradiction_counts_from_every_passage_in_the_agreement() -> None:
    """Also of one without meaningful entailment: only the share is among the meaningful. 60 words: m = 0.5."""
    agreement = 1.0 - 0.6 * 0.49
    assert consistency_after(rows((0.9, 0.02), (0.0, 0.99)), 1.0, 60, LIMITS) == pytest.approx(0.5 * agreement + 0.5)


def test_contradiction_counts_on_the_baseline() -> None:
    """The recorded runs have C down to 0.10 where F is 0.5, which an agreement of 0.5 throughout would not allow."""
    agreement = 0.5 - 0.6 * 0.49
    assert consistency_after(rows((0.0, 0.99), (0.1, 0.2)), 0.0, 60, LIMITS) == pytest.approx(0.5 * agreement)


def test_agreement_is_never_negative() -> None:
    """a = 0 - 0.6 * 0.49 is taken as 0, so that it takes nothing from the pairwise part."""
    assert consistency_after(rows((0.41, 0.5), (0.0, 0.99)), 0.8, 60, LIMITS) == pytest.approx(0.5 * 0.8)
