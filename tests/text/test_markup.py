"""Texts without markup, and where their characters stood."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.markup import plain, without_citations
from ragstone.text.passage_names import MARK, with_marks


def cleaned(text: str) -> str:
    return without_citations(plain(text, 0, len(text))).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**bold** and *italic* and ~~old~~", "bold and italic and old"),
        ("__bold__ and _italic_ but snake_case", "bold and italic but snake_case"),
        ("2 * 3 * 4, 2*3, 2**3", "2 * 3 * 4, 2*3, 2**3"),
        ("1**5**0", "150"),
        ("`code` and <b>tags</b><br/>", "code and tags"),
        ("if a < b and c > d", "if a < b and c > d"),
        ("[text](https://example.org) ![alt](x.png)", "text"),
        ("> quoted", "quoted"),
        ("a\u200bb\u00ad c\0d", "ab cd"),
        ("don’t", "don't"),
        ("the mill [1], the dam [2,3].", "the mill, the dam."),
        ("in the range [2, 5]", "in the range [2, 5]"),
        ("the array x = [1, 2]", "the array x = [1, 2]"),
        ("built (source: the log) in 1874", "built in 1874"),
        ("built (passage 2, 3)", "built"),
        ("the gene (p53)", "the gene (p53)"),
        ("(document management)", "(document management)"),
        ("10⁵ m² and mill³", "10⁵ m² and mill"),
        ("10<sup>5</sup>", "10<sup>5</sup>"),
        ("the mill<sup>1</sup>", "the mill"),
    ],
)
def test_cleaning(text: str, expected: str) -> None:
    assert cleaned(text) == expected


@settings(deadline=None)
@given(st.text(max_size=100) | st.text(alphabet="ab1*_`[](){}<sup>/¹ 's’\n", max_size=60))
def test_origins_rise_and_name_the_character(text: str) -> None:
    result = without_citations(plain(text, 0, len(text)))
    assert len(result.origin) == len(result.text)
    assert result.origin == sorted(set(result.origin))
    for character, index in zip(result.text, result.origin, strict=True):
        assert character == text[index] or (character == " " and text[index].isspace()) or character == "'"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the provided context says", f"{MARK} says"),
        ("passage 2 and [3]", f"{MARK} and {MARK}"),
        ("none of the retrieved passages", f"none of {MARK}"),
        ("the information provided", MARK),
        ("the information on tolls", "the information on tolls"),
        ("that passage 3 says", f"that {MARK} says"),
    ],
)
def test_names_of_passages(text: str, expected: str) -> None:
    assert with_marks(text).text == expected


@given(st.text(max_size=60))
def test_marked_texts_keep_their_places(text: str) -> None:
    marked = with_marks(text)
    assert len(marked.origin) == len(marked.text)
    assert all(c in (text[i], MARK) for c, i in zip(marked.text, marked.origin, strict=True))
