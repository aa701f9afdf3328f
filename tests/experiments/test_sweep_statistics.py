"""Intervals and tests, against SciPy, against brute force, and against what paper 001 prints."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from ragstone.errors import InputError
from ragstone.experiments.sweep.published import PUBLISHED
from ragstone.experiments.sweep.resampling import PAPER, Bootstrap, Unit
from ragstone.stats import Resampling, mcnemar, wilson_interval

RNG = np.random.default_rng(7)


def test_one_draw_and_seed_is_scipys_query_level_bootstrap() -> None:
    fooled = (RNG.random(49) < 0.3).astype(float)
    bootstrap = Bootstrap([Unit(slot, 0, 0) for slot in range(49)])
    ours = bootstrap.interval(bootstrap.distribution(fooled)[:, 0])
    theirs = stats.bootstrap(
        (fooled,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1 / 49 + 1e-9)


def test_the_seed_is_fixed() -> None:
    values = (RNG.random(30) < 0.5).astype(float)
    units = [Unit(slot, 0, 0) for slot in range(30)]
    first, second = (Bootstrap(units).distribution(values) for _ in range(2))
    assert np.array_equal(first, second)
    assert PAPER.resamples == 10_000
    assert not np.array_equal(first, Bootstrap(units, Resampling(10_000, seed=1)).distribution(values))


def test_nested_multinomials_are_resampling_query_draw_and_seed() -> None:
    queries, draws, seeds = 12, 3, 2
    values = (RNG.random((queries, draws, seeds)) < np.linspace(0.1, 0.9, queries)[:, None, None]).astype(float)
    units = [Unit(q, d, s) for q in range(queries) for d in range(draws) for s in range(seeds)]
    ours = Bootstrap(units).distribution(values.ravel())[:, 0]
    brute = np.empty(4000)
    for number in range(len(brute)):
        q = RNG.integers(queries, size=queries)
        d = RNG.integers(draws, size=(queries, draws))
        s = RNG.integers(seeds, size=(queries, draws, seeds))
        brute[number] = values[q[:, None, None], d[:, :, None], s].mean()
    assert ours.mean() == pytest.approx(brute.mean(), abs=0.01)
    assert ours.std() == pytest.approx(brute.std(), rel=0.06)
    assert np.percentile(ours, [2.5, 97.5]) == pytest.approx(np.percentile(brute, [2.5, 97.5]), abs=0.03)


def test_replicates_within_a_query_are_not_taken_for_independent() -> None:
    answers = (RNG.random(20) < 0.5).astype(float)
    alone = Bootstrap([Unit(q, 0, 0) for q in range(20)])
    repeated = Bootstrap([Unit(q, d, 0) for q in range(20) for d in range(10)])
    one = alone.distribution(answers).std()
    ten = repeated.distribution(np.repeat(answers, 10)).std()
    assert ten == pytest.approx(one, rel=0.05)


def test_groups_are_paired_within_a_resample() -> None:
    fooled = (RNG.random(40) < 0.5).astype(float)
    units = [Unit(slot, 0, 0) for slot in range(40)] * 2
    table = np.full((80, 2), np.nan)
    table[:40, 0] = table[40:, 1] = fooled
    drawn = Bootstrap(units).distribution(table)
    assert np.array_equal(drawn[:, 0], drawn[:, 1])
    assert drawn[:, 0].std() > 0.05


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 1), st.booleans()), min_size=1))
def test_ragged_hierarchies_give_rates_between_0_and_1(runs: list[tuple[int, int, int, bool]]) -> None:
    bootstrap = Bootstrap([Unit(q, d, s) for q, d, s, _ in runs], Resampling(50))
    rates = bootstrap.distribution(np.array([float(hit) for *_, hit in runs]))
    assert rates.shape == (50, 1)
    assert ((rates >= 0.0) & (rates <= 1.0)).all()
    interval = bootstrap.interval(rates[:, 0])
    assert (interval is None) is (len({q for q, *_ in runs}) < 2)


def test_a_bootstrap_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="at least one run"):
        Bootstrap([])


def counts(percent: float, runs: int) -> int:
    """The count that the paper's percentage, printed to one decimal, is of."""
    count = round(percent * runs / 100)
    assert round(100 * count / runs, 1) == pytest.approx(percent, abs=0.1001)
    return count


def pairs(both: int, lost: int, gained: int, neither: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    clean = [True] * (both + lost) + [False] * (gained + neither)
    attacked = [True] * both + [False] * lost + [True] * gained + [False] * neither
    return np.array(clean), np.array(attacked)


def test_the_papers_mcnemar_tests_come_out_of_its_counts() -> None:
    """Section III-E: number swap, 49 pairs a level: p = 0.22 at one poisoned passage, below 0.001 at two and three."""
    everything = np.ones(49, dtype=bool)
    lost = [counts(percent, 49) for percent in PUBLISHED.number_swap]
    assert lost == [5, 5, 13, 17]
    one = mcnemar(*pairs(33, lost[1], 1, 10), everything)
    assert (one.only_first_right, one.only_second_right) == (5, 1)
    assert round(one.p_value, 2) == 0.22
    assert one.p_value == pytest.approx(stats.binomtest(1, 6).pvalue)
    for level in (2, 3):
        assert mcnemar(*pairs(38 - lost[level], lost[level], 0, 11), everything).p_value < 1e-3


def test_the_papers_table_i_is_consistent_with_whole_counts() -> None:
    """Accuracy lost is fooled minus gained in every row, and Wilson's interval holds the paper's rate."""
    gained = []
    for row in PUBLISHED.by_level:
        clean, poisoned, fooled = (counts(p, row.runs) for p in (row.clean_accuracy, row.poisoned_accuracy, row.fooled))
        gained.append(poisoned - (clean - fooled))
        interval = wilson_interval(fooled, row.runs)
        assert interval is not None
        assert row.interval is not None
        assert interval.low < row.fooled / 100 < interval.high
        # Query-level resampling is of the same order as binomial sampling, clustered and not smoothed.
        assert 100 * (interval.high - interval.low) == pytest.approx(row.interval[1] - row.interval[0], abs=6.0)
    assert gained == [1, 2, 1, 0]
    assert sum(counts(r.fooled, r.runs) for r in PUBLISHED.by_level) == 124 == round(0.211 * 588)
    assert sum(counts(r.fooled, r.runs) for r in PUBLISHED.by_strategy.values()) == 124


def test_the_papers_jump_is_of_its_own_order_under_our_bootstrap() -> None:
    """16.3 points [2.0, 30.6] from 5 to 13 of 49; which queries overlap is not printed, so any overlap is tried."""
    widths = []
    for shared in range(6):
        before = np.array([1.0] * 5 + [0.0] * 44)
        after = np.array([1.0] * shared + [0.0] * (5 - shared) + [1.0] * (13 - shared) + [0.0] * (31 + shared))
        bootstrap = Bootstrap([Unit(slot, 0, 0) for slot in range(49)])
        drawn = bootstrap.distribution(np.column_stack([before, after]))
        interval = bootstrap.interval(drawn[:, 1] - drawn[:, 0])
        assert interval is not None
        assert after.mean() - before.mean() == pytest.approx(PUBLISHED.jump[0] / 100, abs=5e-4)
        widths.append((interval.low, interval.high))
    printed = (PUBLISHED.jump[1] / 100, PUBLISHED.jump[2] / 100)
    assert any(pair == pytest.approx(printed, abs=0.021) for pair in widths)
