"""Framing around statements, and sentences that are nothing else. What claims make of it: see test_claims."""

from __future__ import annotations

import pytest

from ragstone.text.framing import is_filler, without_framing
from ragstone.text.markup import plain


def bare(text: str) -> str:
    return without_framing(plain(text, 0, len(text))).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Based on the provided context, the mill is old.", "the mill is old."),
        ("According to the context the mill is old.", "the mill is old."),
        ("The mill, according to passage 2, is old.", "The mill is old."),
        ("The mill is old, as stated in the passage.", "The mill is old."),
        ("Yes, but I think that it is old.", "it is old."),
        ("Según el contexto, el molino es viejo.", "el molino es viejo."),
        ("D'après le contexte, le moulin est vieux.", "le moulin est vieux."),
        ("根据上下文，磨坊很旧。", "磨坊很旧。"),
        ("Yes.", "Yes."),
        ("Apparently.", "Apparently."),
        ("", ""),
    ],
)
def test_framing_is_taken_off(text: str, expected: str) -> None:
    assert bare(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "According to NASA, the probe was lost.",
        "Based on a novel by Ann Kerr, the film was made.",
        "The source code states the licence.",
        "The document describes the mill.",
        "From London, it is an hour by train.",
        "In 1990, the mill closed.",
        "I think so.",
        "It seems red.",
        "The answer is 42.",
        "First aid is taught here.",
    ],
)
def test_content_stays(text: str) -> None:
    assert bare(text) == text


@pytest.mark.parametrize(
    "text",
    ["Sure!", "Here is the answer:", "Here's a summary of the key points:", "I hope this helps!", "Sources: [1], [2]",
     "You're welcome.", "I'm sorry.", "https://example.org/x", "Based on the provided context.", "Great question!"],
)  # fmt: skip
def test_fillers(text: str) -> None:
    assert is_filler(text)


@pytest.mark.parametrize(
    "text",
    ["Here is the mill.", "Great Britain is an island.", "The answer is 42.", "Sure, it is 12 crowns.",
     "Certainly the mill is old.", "Here is the answer: it is 12 crowns.", "Hope Valley lies in Derbyshire.",
     "Sources of the Nile lie in Burundi.", ""],
)  # fmt: skip
def test_statements_are_no_fillers(text: str) -> None:
    assert not is_filler(text)
