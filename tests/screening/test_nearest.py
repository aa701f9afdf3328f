"""The nearest rows of two sets of vectors, and of many sets, within bounded memory and work."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ragstone.screening.nearest as nearest
from ragstone.backends.protocols import Vectors
from ragstone.screening.nearest import nearest_groups, nearest_rows


def unit(*rows: tuple[float, ...]) -> Vectors:
    matrix = np.array(rows, dtype=np.float32)
    return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True))


def test_the_most_similar_rows_come_first_and_none_below_the_limit() -> None:
    first = unit((1, 0), (0, 1))
    second = unit((1, 0.1), (0.2, 1), (1, 1))
    assert nearest_rows(first, second, 3, 0.0) == [(0, 0), (1, 1), (0, 2)]
    assert nearest_rows(first, second, 9, 0.9) == [(0, 0), (1, 1)]


@pytest.mark.parametrize("sizes", [(0, 3), (3, 0), (0, 0)])
def test_nothing_is_nearest_to_nothing(sizes: tuple[int, int]) -> None:
    first, second = (np.zeros((n, 2), dtype=np.float32) for n in sizes)
    assert nearest_rows(first, second, 3, -1.0) == []


def test_ties_stand_in_order_of_position() -> None:
    same = unit(*[(1.0, 0.0)] * 4)
    assert nearest_rows(same, same, 3, 0.5) == [(0, 0), (0, 1), (0, 2)]


@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 5), st.integers(0, 999))
def test_blocks_give_what_one_sorted_table_gives(rows: int, columns: int, count: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    # Whole numbers: exact products, many ties.
    first, second = (draw.integers(-2, 3, (n, 3)).astype(np.float32) for n in (rows, columns))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "BLOCK", 7)
        found = nearest_rows(first, second, count, 0.0)
    table = [(-float(a @ b), i, j) for i, a in enumerate(first) for j, b in enumerate(second) if a @ b >= 0]
    assert found == [(i, j) for _, i, j in sorted(table)[:count]]


def test_few_groups_are_all_paired() -> None:
    groups = [unit((1, 0)), unit((0, 1)), np.zeros((0, 2), dtype=np.float32)]
    assert nearest_groups(groups, 2, 0.5) == ([(0, 1), (0, 2), (1, 2)], 0)


def test_each_of_many_groups_is_paired_with_its_nearest_and_the_rest_counted() -> None:
    angles = np.linspace(0, 1.5, 40)
    groups = [unit((np.cos(a), np.sin(a)), (np.cos(a), np.sin(a))) for a in angles]
    pairs, skipped = nearest_groups(groups, 2, -1.0)
    assert {(i, i + 1) for i in range(39)} <= set(pairs)
    assert all(i < j <= i + 2 for i, j in pairs)
    assert pairs == sorted(set(pairs))
    assert skipped == 40 * 39 // 2 - len(pairs)


def test_groups_without_a_row_and_groups_of_another_topic_are_paired_with_nobody() -> None:
    groups = [unit((1, 0)), np.zeros((0, 2), dtype=np.float32), unit((1, 0.1)), unit((0, 1)), unit((1, 0.2))]
    pairs, skipped = nearest_groups(groups, 1, 0.9)
    assert set(pairs) <= {(0, 2), (0, 4), (2, 4)}
    assert skipped == 3 - len(pairs)


def test_all_empty_groups_have_no_pairs() -> None:
    assert nearest_groups([np.zeros((0, 2), dtype=np.float32)] * 5, 2, 0.5) == ([], 0)


@given(st.integers(2, 9), st.integers(0, 999))
def test_no_group_is_left_out_of_its_own_nearest(n: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    groups = [unit(*draw.normal(size=(draw.integers(1, 4), 3))) for _ in range(n)]
    pairs, _ = nearest_groups(groups, 1, -1.0)
    near = {pair: float((groups[pair[0]] @ groups[pair[1]].T).max()) for pair in combinations(range(n), 2)}
    for i in range(n):
        assert max((p for p in near if i in p), key=lambda p: near[p]) in pairs
