"""Worked examples of equation 1 and what raises it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.screening.aggregate import batch_poison, best_similarity, passage_poison, relevance_weights
from ragstone.types import Passage


def passages(*scores: float | None) -> list[Passage]:
    return [Passage(f"p{i}", "text", score=s, rank=i + 1) for i, s in enumerate(scores)]


@pytest.mark.parametrize(
    ("severities", "expected"),
    [([], 0.0), ([0.4], 0.4), ([0.4, 0.8], 1.0), ([0.2, 0.4, 0.4], 0.4 + 0.2 + 0.05), ([0.9, 0.9, 0.9], 1.0)],
)
def test_severities_count_with_diminishing_returns(severities: list[float], expected: float) -> None:
    assert passage_poison(severities) == pytest.approx(expected)


def test_weights_are_the_share_of_positive_similarities() -> None:
    assert relevance_weights(passages(0.6, 0.2, -0.5)) == pytest.approx([0.75, 0.25, 0.0])


@pytest.mark.parametrize("scores", [(None, None), (0.9, None), (0.0, -0.2)])
def test_weights_are_equal_without_positive_similarities(scores: tuple[float | None, ...]) -> None:
    assert relevance_weights(passages(*scores)) == [0.5, 0.5]


def test_one_poisoned_passage_below_the_first_is_diluted() -> None:
    assert batch_poison(passages(0.8, 0.4, 0.4), [0.0, 1.0, 0.0], 0.7) == pytest.approx(0.25)


def test_a_flagged_first_passage_decides_and_further_ones_add_a_tenth() -> None:
    assert batch_poison(passages(0.8, 0.4, 0.4), [0.8, 0.0, 0.0], 0.7) == pytest.approx(0.8)
    assert batch_poison(passages(0.8, 0.4, 0.4), [0.8, 0.75, 0.0], 0.7) == pytest.approx(0.9)
    assert batch_poison(passages(0.8, 0.4, 0.4), [1.0, 1.0, 1.0], 0.7) == 1.0


def test_a_poison_of_exactly_the_threshold_is_not_flagged() -> None:
    assert batch_poison(passages(0.5, 0.5), [0.7, 0.0], 0.7) == pytest.approx(0.35)


def test_without_similarities_any_passage_may_be_first() -> None:
    assert batch_poison(passages(None, None), [0.0, 0.9], 0.7) == pytest.approx(0.9)


@pytest.mark.parametrize(("scores", "best"), [([0.2, 0.9], 0.9), ([-0.3], -0.3), ([0.9, None], None), ([], None)])
def test_the_best_similarity_is_known_only_when_all_are(scores: list[float | None], best: float | None) -> None:
    assert best_similarity(scores) == best


def test_no_passages_no_poison() -> None:
    assert batch_poison([], [], 0.7) == 0.0


severity = st.floats(0, 1)
score = st.one_of(st.none(), st.floats(-1, 1))


@given(st.lists(severity, max_size=8), severity)
def test_a_further_finding_never_lowers_poison(severities: list[float], more: float) -> None:
    assert passage_poison([*severities, more]) >= passage_poison(severities) - 1e-12


@given(st.lists(st.tuples(score, severity), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_order_has_no_effect_and_the_result_is_a_probability(
    items: list[tuple[float | None, float]], rng: random.Random
) -> None:
    shuffled = rng.sample(items, len(items))
    values = [batch_poison(passages(*(s for s, _ in x)), [p for _, p in x], 0.7) for x in (items, shuffled)]
    assert values[0] == pytest.approx(values[1], abs=1e-12)
    assert 0.0 <= values[0] <= 1.0


def test_thousands_of_findings_are_added_up() -> None:
    """2**1100 is beyond a float."""
    assert passage_poison([0.3] * 1100) == pytest.approx(0.6)
