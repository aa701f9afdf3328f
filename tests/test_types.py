"""What is accepted as a passage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.types import Finding, Passage, as_passages, readable


def test_strings_get_ids_and_ranks_by_position() -> None:
    assert [(p.id, p.rank, p.text) for p in as_passages(["a", ""])] == [("p1", 1, "a"), ("p2", 2, "")]


def test_mappings_keep_what_is_not_a_field_as_metadata() -> None:
    (passage,) = as_passages([{"_id": 7, "text": "t", "score": 1, "source": "s", "page": 3}])
    assert passage == Passage("7", "t", "s", 1.0, 1, {"page": 3})


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ("one text", "list of passages"),
        (None, "list of passages"),
        (5, "list of passages"),
        ([7], "passage 1"),
        ([{"id": "a"}], "'text' must be a string"),
        ([{"text": "t", "score": "high"}], "'score'"),
        ([{"text": "t", "score": True}], "'score'"),
        ([{"text": "t", "score": float("nan")}], "cosine"),
        ([{"text": "t", "score": float("inf")}], "cosine"),
        ([{"text": "t", "score": 1.5}], "1.5"),
        ([{"text": "t", "score": 10**400}], "cosine"),
        ([{"text": "t", "id": "x"}, {"text": "u", "id": "x"}], "used twice"),
    ],
)
def test_what_cannot_be_a_passage_is_told(items: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        as_passages(items)


@given(st.text(st.characters()))
def test_readable_text_can_be_encoded_and_keeps_its_length(text: str) -> None:
    assert len(readable(text)) == len(text)
    readable(text).encode()


def test_lone_surrogates_are_replaced() -> None:
    assert readable("a\ud800b") == "a\ufffdb"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (("a", None), "text"),
        ((7, "t"), "id"),
        (("a", "t", None, "high"), "score"),
        (("a", "t", None, True), "score"),
        (("a", "t", None, 10**400), "cosine"),
    ],
)
def test_a_passage_made_by_hand_is_checked_too(values: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Passage(*values)


def test_scores_of_array_libraries_are_numbers() -> None:
    (passage,) = as_passages([{"text": "t", "score": np.float32(0.5)}])
    assert passage.score == 0.5
    assert type(passage.score) is float
    assert type(Passage("a", "t", score=np.float64(0.5)).score) is float


def test_passages_given_as_objects_are_made_readable_as_others_are() -> None:
    (passage,) = as_passages([Passage("a\ud800", "t\ud800", source="s\ud800")])
    assert (passage.id, passage.text, passage.source) == ("a\ufffd", "t\ufffd", "s\ufffd")


def test_values_can_be_put_in_a_set() -> None:
    assert len({Passage("a", "t", metadata={"page": 3}), Passage("a", "t", metadata={"page": 3})}) == 1
    assert len({Finding("a", "linguistic", "r", 0.5, 0, 1, "m", {"text": "t"})}) == 1
