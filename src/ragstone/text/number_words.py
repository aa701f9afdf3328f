"""Numbers written in English words: "twenty-one", "one hundred and five", "a dozen", "thirteenth"."""

from __future__ import annotations

import re

from ragstone.text.lexicon import words

__all__ = ["NUMBER_WORDS", "ORDINAL_WORDS", "SCALES", "ordinal_suffix", "ordinal_word", "spell", "value_of_words"]

_SMALL = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINALS = words(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth"
)

SCALES: dict[str, float] = {
    "hundred": 1e2,
    "thousand": 1e3,
    "lakh": 1e5,
    "million": 1e6,
    "crore": 1e7,
    "billion": 1e9,
    "trillion": 1e12,
}
NUMBER_WORDS: dict[str, int] = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
    "dozen": 12,
}
ORDINAL_WORDS: dict[str, int] = {
    **{word: value for value, word in enumerate(_ORDINALS) if value},
    **{word[:-1] + "ieth": 10 * value for value, word in enumerate(_TENS, start=2)},
}
_PART = re.compile(r"[a-z]+")


def value_of_words(phrase: str) -> float | None:
    """The value of a cardinal phrase, or None when it is not one: "two hundred and six" is 206, "a dozen" is 12."""
    total = group = 0.0
    seen = False
    for word in _PART.findall(phrase.lower()):
        if word in ("and", "a", "an"):
            continue
        if word in SCALES:
            group = (group or 1) * SCALES[word]
            if SCALES[word] >= 1000:
                total, group = total + group, 0.0
        elif word == "dozen":
            group = (group or 1) * 12
        elif word in NUMBER_WORDS:
            group += NUMBER_WORDS[word]
        else:
            return None
        seen = True
    return total + group if seen else None


def spell(value: int) -> str | None:
    """``value`` in words from zero to ninety-nine, else None."""
    if 0 <= value < 20:
        return _SMALL[value]
    if 20 <= value < 100:
        tens, rest = _TENS[value // 10 - 2], value % 10
        return f"{tens}-{_SMALL[rest]}" if rest else tens
    return None


def ordinal_word(value: int) -> str | None:
    """The ordinal in words from first to ninety-ninth, else None."""
    if 1 <= value < 20:
        return _ORDINALS[value]
    if 20 <= value < 100:
        tens, rest = _TENS[value // 10 - 2], value % 10
        return f"{tens}-{_ORDINALS[rest]}" if rest else tens[:-1] + "ieth"
    return None


def ordinal_suffix(value: int) -> str:
    """ "st", "nd", "rd" or "th" for a whole number."""
    if 10 <= value % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
