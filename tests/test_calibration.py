"""Conformal thresholds: ranks worked out by hand, and the promised bound on fresh samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.calibration import conformal_threshold, samples_needed
from ragstone.errors import InputError


def test_the_fewest_samples_are_where_the_least_score_suffices() -> None:
    # The least of n scores bounds 10 % with probability 1 - 0.9^n: 0.891 for 21, 0.902 for 22.
    assert samples_needed() == 22
    assert conformal_threshold(np.linspace(0.2, 0.9, 21)).threshold == 0.0
    found = conformal_threshold(np.linspace(0.2, 0.9, 22))
    assert (found.threshold, found.rank) == (0.2, 1)


def test_the_rank_on_average_is_that_of_split_conformal_prediction() -> None:
    scores = np.arange(1, 20) / 100.0
    found = conformal_threshold(scores, confidence=None)
    assert (found.rank, found.threshold) == (2, 0.02)
    assert conformal_threshold(scores[:8], confidence=None).rank == 0


def test_the_bound_holds_on_fresh_samples_as_often_as_promised() -> None:
    generator = np.random.default_rng(5)
    rates = []
    for _ in range(800):
        threshold = conformal_threshold(generator.beta(5, 2, size=60), false_alarms=0.1, confidence=0.9).threshold
        rates.append((generator.beta(5, 2, size=4000) < threshold).mean())
    kept = np.mean(np.array(rates) <= 0.1)
    assert 0.88 <= kept <= 0.97
    # A percentile of as many scores breaks the bound about every other time.
    percentile = [np.percentile(generator.beta(5, 2, size=60), 10.0) for _ in range(400)]
    broken = np.mean([(generator.beta(5, 2, size=4000) < t).mean() > 0.1 for t in percentile])
    assert broken > 0.35


@given(
    scores=st.lists(st.floats(0, 1), max_size=80),
    bound=st.floats(0.01, 0.5),
    confidence=st.floats(0.5, 0.99),
)
def test_fewer_scores_lie_below_than_the_bound_allows(scores: list[float], bound: float, confidence: float) -> None:
    found = conformal_threshold(scores, false_alarms=bound, confidence=confidence)
    below = sum(score < found.threshold for score in scores)
    assert below <= max(found.rank - 1, 0)
    assert found.rank <= conformal_threshold(scores, false_alarms=bound, confidence=0.5).rank


@pytest.mark.parametrize("options", [{"false_alarms": 0.0}, {"false_alarms": 1.0}, {"confidence": 1.0}])
def test_bounds_out_of_range_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        conformal_threshold([0.5] * 30, **options)


def test_scores_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match=r"\[0, 1\]"):
        conformal_threshold([0.5, float("nan")])
