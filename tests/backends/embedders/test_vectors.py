from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.backends.embedders.vectors import checked_texts, unit_rows, weighted_unit_mean, window_bounds
from ragstone.errors import BackendError, InputError


def test_a_single_string_is_refused() -> None:
    with pytest.raises(InputError, match=r"embed\(\[text\]\)"):
        checked_texts("one text")
    with pytest.raises(InputError, match="text 1 to embed: expected a string, got int"):
        checked_texts(["a", 5])  # type: ignore[list-item]


def test_rows_are_scaled() -> None:
    rows = unit_rows([[3, 4], [0, -2]], count=2, dimensions=None, origin="model")
    assert rows.dtype == np.float32
    assert rows == pytest.approx(np.array([[0.6, 0.8], [0.0, -1.0]]))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1.0, 2.0]], r"shape \(1, 2\); expected \(2, dimensions\)"),
        ([1.0, 2.0], r"shape \(2,\)"),
        ([[1.0], [1.0, 2.0]], "no rectangular array"),
        ([["a", "b"], ["c", "d"]], "no rectangular array"),
        ([[1.0, 2.0], [1.0, 2.0]], "of 2 dimensions; expected 3"),
        ([[1.0, float("nan"), 0.0], [1.0, 2.0, 3.0]], "NaN or infinite"),
        ([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]], "zero vector"),
        ([[], []], "expected"),
    ],
)
def test_bad_rows_name_their_origin(rows: Any, message: str) -> None:
    with pytest.raises(BackendError, match=f"^model returned .*{message}"):
        unit_rows(rows, count=2, dimensions=3, origin="model")


@given(st.integers(0, 5000), st.integers(1, 300))
def test_windows_cover_all_tokens_evenly(tokens: int, size: int) -> None:
    bounds = window_bounds(tokens, size)
    lengths = [end - start for start, end in bounds]
    assert bounds[0][0] == 0
    assert bounds[-1][1] == tokens
    assert all(left[1] == right[0] for left, right in pairwise(bounds))
    assert max(lengths) <= size
    assert max(lengths) - min(lengths) <= 1
    assert len(bounds) == max(1, -(-tokens // size))


def test_weighted_mean_by_hand() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    # (3, 1) / 4, over its norm sqrt(10) / 4.
    assert weighted_unit_mean(rows, [3, 1]).tolist() == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
    with pytest.raises(BackendError, match="opposite"):
        weighted_unit_mean(np.array([[1.0], [-1.0]], dtype=np.float32), [1, 1])
