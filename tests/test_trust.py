"""Worked examples of equations 2 and 3."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.settings import TrustSettings
from ragstone.trust import action_for, dampener, level_of, low_retrieval_factor, trust_index, warnings_for
from ragstone.types import (
    Action,
    Claim,
    ClaimStatus,
    ClaimVerdict,
    Components,
    Conflict,
    Judgement,
    Level,
    Screening,
    Verification,
    as_passages,
)

LIMITS = TrustSettings()
share = st.floats(0, 1)


def test_the_index_is_the_weighted_sum_of_its_parts() -> None:
    assert trust_index(Components(0.9, 0.8, 0.2), 0.7, LIMITS) == pytest.approx(0.36 + 0.28 + 0.20)


def test_the_masking_example_of_the_paper() -> None:
    """Section III-C: T = 0.59 and P = 0.9 give d = 0.733 and 0.43, below the threshold."""
    assert dampener(0.9, LIMITS) == pytest.approx(0.7333, abs=1e-4)
    assert 0.59 * dampener(0.9, LIMITS) == pytest.approx(0.4327, abs=1e-4)


@pytest.mark.parametrize(("poison", "expected"), [(0.0, 1.0), (0.7, 1.0), (0.85, 0.8), (1.0, 0.6)])
def test_dampener(poison: float, expected: float) -> None:
    assert dampener(poison, LIMITS) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("best", "expected"), [(None, 1.0), (0.9, 1.0), (0.3, 1.0), (0.15, 0.75), (0.0, 0.5), (-0.4, 0.5)]
)
def test_low_retrieval(best: float | None, expected: float) -> None:
    assert low_retrieval_factor(best, LIMITS) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("trust", "level"),
    [
        (1.0, Level.HIGH),
        (0.8, Level.HIGH),
        (0.79, Level.MEDIUM),
        (0.5, Level.MEDIUM),
        (0.3, Level.LOW),
        (0.0, Level.VERY_LOW),
    ],
)
def test_levels(trust: float, level: Level) -> None:
    assert level_of(trust) is level


def test_weights_are_normalised() -> None:
    doubled = TrustSettings(factuality_weight=0.8, consistency_weight=0.7, poison_weight=0.5)
    parts = Components(0.3, 0.6, 0.4)
    assert trust_index(parts, None, doubled) == pytest.approx(trust_index(parts, None, LIMITS))


def test_unmeasured_consistency_counts_as_one() -> None:
    assert trust_index(Components(0.5, None, 0.0), None, LIMITS) == trust_index(Components(0.5, 1.0, 0.0), None, LIMITS)


def test_factuality_must_be_known() -> None:
    with pytest.raises(ValueError, match="factuality"):
        trust_index(Components(None, 1.0, 0.0), None, LIMITS)


@given(share, share, share, share)
def test_more_poison_never_raises_trust(f: float, c: float, p: float, q: float) -> None:
    low, high = sorted((p, q))
    assert trust_index(Components(f, c, high), None, LIMITS) <= trust_index(Components(f, c, low), None, LIMITS) + 1e-12


@given(share, share, share, st.one_of(st.none(), st.floats(-1, 1)))
def test_trust_is_a_share(f: float, c: float, p: float, best: float | None) -> None:
    assert 0.0 <= trust_index(Components(f, c, p), best, LIMITS) <= 1.0 + 1e-12


def screening(**changes: Any) -> Screening:
    passages = as_passages(["One.", "Two."])
    blank = Screening("Q?", passages, (), {"p1": 0.0, "p2": 0.0}, 0.0, 1.0, (), 1, ())
    return replace(blank, **changes)


def judged(status: ClaimStatus, entailment: float, contradiction: float, *, on_baseline: bool = False) -> Verification:
    rows = Judgement(0, "p1", entailment, 1 - entailment - contradiction, contradiction, 0, 4)
    factuality = 0.5 if on_baseline else max(0.0, entailment - contradiction)
    claim = ClaimVerdict(Claim("It is so.", 0, 9), status, factuality, rows, rows, on_baseline)
    return Verification("It is so.", (claim,), (rows,), 0.5, on_baseline)


SUPPORTED = judged(ClaimStatus.SUPPORTED, 0.9, 0.0)
SILENT = judged(ClaimStatus.UNSUPPORTED, 0.1, 0.1, on_baseline=True)
CONFLICT = Conflict("p1", 0, 4, "p2", 0, 4, 0.9)


def test_nothing_to_tell_gives_no_warning() -> None:
    assert warnings_for(screening(), SUPPORTED, 0.9, 0.3) == ()


def test_unmeasured_consistency_is_not_blamed_on_the_passages() -> None:
    """They may be one, of other topics, too short, or the signal may be switched off."""
    (line,) = warnings_for(screening(consistency=None, compared_pairs=0), SUPPORTED, None, 0.3)
    assert "No two passages were compared" in line
    assert "not measured" in line


def test_in_the_paper_only_the_pairwise_part_counts_as_one() -> None:
    after = replace(SUPPORTED, consistency=0.8)
    (line,) = warnings_for(screening(consistency=None, compared_pairs=0), after, None, 0.3)
    assert "not measured" not in line
    assert "pairwise part" in line


def test_what_was_left_out_is_told() -> None:
    lines = warnings_for(
        screening(windows_skipped=2, pairs_skipped=7), replace(SUPPORTED, windows_skipped=3), None, 0.3
    )
    assert any("5 windows" in line for line in lines)
    assert any("7 pairs" in line for line in lines)


def test_a_claim_that_is_supported_and_disputed_is_told_with_both_passages() -> None:
    best, worst = Judgement(0, "p1", 0.9, 0.1, 0.0, 0, 4), Judgement(0, "p2", 0.0, 0.1, 0.9, 0, 4)
    claim = ClaimVerdict(Claim("It is so.", 0, 9), ClaimStatus.SUPPORTED, 0.9 - 0.09, best, worst)
    (line,) = warnings_for(screening(), Verification("It is so.", (claim,), (best, worst), 0.81, False), None, 0.3)
    assert line == "Passage p2 contradicts what passage p1 supports: 'It is so.'"


@pytest.mark.parametrize(
    ("found", "verified", "expected"),
    [
        (screening(), SUPPORTED, Action.ACCEPT),
        (screening(), SILENT, Action.CAUTION),
        (screening(), judged(ClaimStatus.CONTRADICTED, 0.1, 0.9), Action.CAUTION),
        (screening(flagged=("p1",)), SUPPORTED, Action.CAUTION),
        (screening(conflicts=(CONFLICT,)), SUPPORTED, Action.CAUTION),
    ],
)
def test_only_the_full_preset_withholds_acceptance(found: Screening, verified: Verification, expected: Action) -> None:
    assert action_for(True, found, verified, strict=True) is expected
    assert action_for(True, found, verified, strict=False) is Action.ACCEPT
    assert action_for(False, found, verified, strict=True) is Action.REJECT


def test_caution_always_comes_with_something_to_check() -> None:
    for found, verified in [
        (screening(), SILENT),
        (screening(), judged(ClaimStatus.CONTRADICTED, 0.1, 0.9)),
        (screening(flagged=("p1",), poison_by_passage={"p1": 0.8, "p2": 0.0}), SUPPORTED),
        (screening(conflicts=(CONFLICT,)), SUPPORTED),
    ]:
        assert action_for(True, found, verified, strict=True) is Action.CAUTION
        assert warnings_for(found, verified, None, 0.3)
