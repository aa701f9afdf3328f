"""Negation: grammatical for the common forms, both ways."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.attacks import apply_edits
from ragstone.attacks.polarity import negate, negated


def turned(sentence: str, never: float = 0.0) -> str:
    return apply_edits(sentence, negate(sentence, random.Random(1), never=never))


@pytest.mark.parametrize(
    ("sentence", "opposite"),
    [
        ("Barack Obama was the 44th President.", "Barack Obama was not the 44th President."),
        ("The question is ambiguous", "The question is not ambiguous"),
        ("People in Japan are richer than people in China", "People in Japan are not richer than people in China"),
        ("It's a film.", "It's not a film."),
        ("Reindeer can fly", "Reindeer cannot fly"),
        ("You will have a sword", "You will not have a sword"),
        ("Keys must be rotated.", "Keys must not be rotated."),
        ("She has written a book", "She has not written a book"),
        ("Luxembourg has many speakers", "Luxembourg does not have many speakers"),
        ("They had a house", "They did not have a house"),
        ("Americans drink more beer", "Americans do not drink more beer"),
        ("The planchette moves by itself", "The planchette does not move by itself"),
        ("She carries a bag", "She does not carry a bag"),
        ("Oxford University existed first", "Oxford University did not exist first"),
        ("The lightning first flew in 2006", "The lightning did not first fly in 2006"),
        ("He became king in 1902", "He did not become king in 1902"),
        ("The French drink tea", "The French do not drink tea"),
        ("There is a food that is best", "There is no food that is best"),
        ("All roads lead to Rome", "Not all roads lead to Rome"),
        ("A dog is always a dog", "A dog is never a dog"),
        ("Use parameterized queries.", "Do not use parameterized queries."),
        ("Always validate input.", "Never validate input."),
        ("Yes, Canadians work less", "No, Canadians do not work less"),
        ("Teeth placed under a pillow are collected", "Teeth placed under a pillow are not collected"),
        ("A film that was made in 1990 is good", "A film that was made in 1990 is not good"),
        ("If a sailor sings, the ship sinks", "If a sailor sings, the ship does not sink"),
    ],
)
def test_negation_is_put_in(sentence: str, opposite: str) -> None:
    assert turned(sentence) == opposite


@pytest.mark.parametrize(
    ("sentence", "opposite"),
    [
        ("Turkey is not in the EU", "Turkey is in the EU"),
        ("Vampires do not exist", "Vampires exist"),
        ("The rate does not vary with it", "The rate varies with it"),
        ("He did not go home", "He went home"),
        ("Bears don’t wear anything", "Bears wear something"),
        ("People cannot turn into salt", "People can turn into salt"),
        ("The book was never published", "The book was published"),
        ("There are no words for it", "There are words for it"),
        ("There's no religion here", "There's a religion here"),
        ("No wizards live in London", "Wizards live in London"),
        ("There is no scientific evidence for it", "There is scientific evidence for it"),
        ("Nothing happens if you do", "Something happens if you do"),
        ("No one knows", "Someone knows"),
        ("It neither absorbs nor reflects light", "It both absorbs and reflects light"),
        ("It is no longer in use", "It is still in use"),
        ("Never store passwords.", "Always store passwords."),
        ("No, vampires aren't real", "Yes, vampires are real"),
    ],
)
def test_negation_is_taken_out(sentence: str, opposite: str) -> None:
    assert turned(sentence) == opposite


def test_never_as_in_paper_001() -> None:
    assert turned("Barack Obama was the 44th President", never=1.0) == "Barack Obama was never the 44th President"
    assert turned("Obama visited Cuba", never=1.0) == "Obama never visited Cuba"


@pytest.mark.parametrize("sentence", ["not only this but that", "No Strings Attached", "11", "Indianapolis", ""])
def test_what_is_no_statement_stays(sentence: str) -> None:
    assert negated(sentence, random.Random(1)) is None


@given(st.text(alphabet="abcdefghino nt'’.,", max_size=80))
def test_edits_fit_any_text(sentence: str) -> None:
    apply_edits(sentence, negate(sentence, random.Random(0)))
