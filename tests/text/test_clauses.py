"""Clauses by word lists."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.clauses import has_verb, split_clauses, stands_alone


@pytest.mark.parametrize(
    "text", ["It is old", "The mill opened", "Lake Dovre feeds the canal", "Ann wrote it", "don’t they run it"]
)
def test_verbs(text: str) -> None:
    assert has_verb(text)


@pytest.mark.parametrize(
    "text", ["", "Shakespeare", "The United States of America", "Two rules apply", "a red mill", "12 crowns"]
)
def test_fragments_have_no_verb(text: str) -> None:
    assert not has_verb(text)


def test_standing_alone_needs_subject_and_verb() -> None:
    assert stands_alone("the dam was built in 1990")
    assert not stands_alone("was built in 1990")
    assert not stands_alone("the dam built by Ann")
    assert not stands_alone("if the dam was built")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He painted the door and the wall is blue", ["He painted the door", "the wall is blue"]),
        ("Water freezes at 0 °C and it boils at 100 °C", ["Water freezes at 0 °C", "it boils at 100 °C"]),
        ("It covers the mill and the dam built in 1990", ["It covers the mill and the dam built in 1990"]),
        ("The mill, which opened in 1874, is old", ["The mill, which opened in 1874, is old"]),
        ("If it rains, the mill stops, and the dam fills", ["If it rains, the mill stops, and the dam fills"]),
        ("Romeo and Juliet was written early", ["Romeo and Juliet was written early"]),
        ("Use prepared statements; never concatenate", ["Use prepared statements; never concatenate"]),
    ],
)
def test_splitting(text: str, expected: list[str]) -> None:
    assert [text[clause.start : clause.end] for clause in split_clauses(text)] == expected


def test_a_shared_subject_is_repeated() -> None:
    text = "The old mill opened in 1874, has five floors, and was sold."
    assert [clause.subject for clause in split_clauses(text)] == ["", "The old mill", "The old mill"]


WORDS = st.lists(
    st.sampled_from(["The", "mill", "is", "and", ",", ";", "but", "has", "opened", "it", "Ann", "that", "in", "1874"])
).map(" ".join)


@settings(deadline=None)
@given(st.text(max_size=100) | WORDS)
def test_clauses_are_ordered_slices(text: str) -> None:
    position = 0
    for clause in split_clauses(text):
        assert position <= clause.start <= clause.end <= len(text)
        position = clause.end
