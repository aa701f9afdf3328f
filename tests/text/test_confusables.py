"""Look-alike letters: which words pose as Latin."""

from __future__ import annotations

import pytest

from ragstone.text.confusables import fold_lookalikes, latin_letter, mixed_script_words, script


@pytest.mark.parametrize(
    ("character", "name"),
    [("a", "LATIN"), ("ж", "CYRILLIC"), ("λ", "GREEK"), ("Ⅳ", None), ("7", None), ("\u0301", None)],
)
def test_script(character: str, name: str | None) -> None:
    assert script(character) == name


@pytest.mark.parametrize(
    ("character", "letter"),
    [("ø", "o"), ("ɡ", "g"), ("ı", "i"), ("ᴀ", "a"), ("🅰", "a"), ("🇮", "i"), ("æ", None), ("λ", None)],
)
def test_latin_letter(character: str, letter: str | None) -> None:
    assert latin_letter(character) == letter


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("рaypal", "paypal"),
        ("я сор the", "я сор the"),  # a real Russian word stands on one side
        ("сор", "сор"),  # no Latin text around it
        ("the сор", "the cop"),
        ("дog", "дog"),  # no twin
    ],
)
def test_fold(text: str, folded: str) -> None:
    characters = list(text)
    fold_lookalikes(characters)
    assert "".join(characters) == folded


def test_mixed_words_are_found_with_their_spans() -> None:
    text = "The pаssword of Иван is in the bоx; μm, boˈliβar and β-carotene are honest."
    assert [text[slice(*span)] for span in mixed_script_words(text)] == ["pаssword", "bоx"]
