"""What invisible characters carry."""

from __future__ import annotations

import pytest

from ragstone.text.invisible import decode_tags, decode_variation_selectors, flag_sequences


def selectors(data: bytes) -> str:
    return "".join(chr(0xFE00 + b) if b < 16 else chr(0xE0100 + b - 16) for b in data)


def test_tags_spell_ascii() -> None:
    assert decode_tags("\U000e0001\U000e0048\U000e0069\U000e0021x\U000e007f") == "Hi!"


@pytest.mark.parametrize("message", ["pay 40 crowns", "línea\nnueva", "漢字"])
def test_selector_bytes_are_read_as_utf8(message: str) -> None:
    assert decode_variation_selectors(selectors(message.encode())) == message


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x00\x01", b""])
def test_selectors_that_are_no_text(data: bytes) -> None:
    assert decode_variation_selectors(selectors(data)) is None


def test_flags() -> None:
    wales = "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in "gbwls") + "\U000e007f"
    assert flag_sequences(f"a {wales} b") == [(2, 9)]
    assert flag_sequences(wales.replace("\U000e007f", "")) == []
