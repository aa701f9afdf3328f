"""Characters that a reader does not see: which they are, and what they carry."""

from __future__ import annotations

import re

__all__ = ["CONTROL", "INVISIBLE", "decode_tags", "decode_variation_selectors", "flag_sequences"]

# Default-ignorable code points (Unicode, DerivedCoreProperties), as the inside of a regex class: soft hyphen, joiners,
# direction marks, fillers, variation selectors, interlinear annotation, shorthand and musical format controls, tags.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# C0 and C1 controls except those that Python counts as white space.
CONTROL = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"

_TAG_BASE = 0xE0000
_FLAG = re.compile(
    "\U0001f3f4[\U000e0061-\U000e007a]{2}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,4}\U000e007f",
)


def flag_sequences(text: str) -> list[tuple[int, int]]:
    """Spans of well-formed subdivision flags (black flag, an ISO 3166-2 code in tag letters, cancel tag)."""
    return [match.span() for match in _FLAG.finditer(text)]


def decode_tags(tags: str) -> str:
    """The ASCII that tag characters (U+E0020 to U+E007E) spell; other characters are left out."""
    return "".join(chr(ord(c) - _TAG_BASE) for c in tags if 0xE0020 <= ord(c) <= 0xE007E)


def decode_variation_selectors(selectors: str) -> str | None:
    """The UTF-8 text that a run of variation selectors carries at one byte each; None when it is not such text."""
    data = bytearray()
    for character in selectors:
        code = ord(character)
        if 0xFE00 <= code <= 0xFE0F:
            data.append(code - 0xFE00)
        elif 0xE0100 <= code <= 0xE01EF:
            data.append(code - 0xE0100 + 16)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if text and all(c.isprintable() or c.isspace() for c in text) else None
