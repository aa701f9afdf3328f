"""Blocks of lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.blocks import Kind, blocks

LINES = st.lists(
    st.sampled_from(
        ["# H", "- a", "1. b", "2) c", "42. d", "|x|y|", "|-|-|", "```", "---", "Text", "text", "", " ", "K: v"]
    )
).map("\n".join)


def kinds(text: str) -> list[tuple[Kind, str]]:
    return [(block.kind, text[block.body : block.end]) for block in blocks(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One\ntwo", [(Kind.PROSE, "One\ntwo")]),
        ("One\n\ntwo", [(Kind.PROSE, "One"), (Kind.PROSE, "two")]),
        ("- a\n  goes on\n- b", [(Kind.ITEM, "a\n  goes on"), (Kind.ITEM, "b")]),
        ("1. a", [(Kind.ITEM, "a")]),
        ("(a) first", [(Kind.ITEM, "first")]),
        ("42. It is.", [(Kind.PROSE, "42. It is.")]),
        ("A. Smith wrote it.", [(Kind.PROSE, "A. Smith wrote it.")]),
        ("-5 degrees", [(Kind.PROSE, "-5 degrees")]),
        ("## Title\nText", [(Kind.HEADING, "Title"), (Kind.PROSE, "Text")]),
        ("**Title:**\nText", [(Kind.HEADING, "**Title:**"), (Kind.PROSE, "Text")]),
        ("|a|b|\n|--|:-:|\n|1|2|", [(Kind.ROW, "|a|b|"), (Kind.DIVIDER, "|--|:-:|"), (Kind.ROW, "|1|2|")]),
        ("```python\nx = 1\n```", [(Kind.DIVIDER, "```python"), (Kind.PROSE, "x = 1"), (Kind.DIVIDER, "```")]),
        ("Title\n=====", [(Kind.PROSE, "Title"), (Kind.DIVIDER, "=====")]),
        ("Tarn mill\nThe mill opened in 1874.", [(Kind.PROSE, "Tarn mill"), (Kind.PROSE, "The mill opened in 1874.")]),
        ("It was built by\nJohn Smith.", [(Kind.PROSE, "It was built by\nJohn Smith.")]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_blocks(text: str, expected: list[tuple[Kind, str]]) -> None:
    assert kinds(text) == expected


@settings(deadline=None)
@given(st.text(max_size=200) | LINES)
def test_blocks_leave_only_white_space_out(text: str) -> None:
    position = 0
    for block in blocks(text):
        assert position <= block.start <= block.body <= block.end <= len(text)
        assert text[block.start : block.end] == text[block.start : block.end].strip() != ""
        assert not text[position : block.start].strip()
        position = block.end
    assert not text[position:].strip()
