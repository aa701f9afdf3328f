"""The indefinite article, by the sound that follows, and edits that keep it right."""

from __future__ import annotations

import re

from ragstone.attacks.base import Edit

__all__ = ["indefinite", "replacing"]

_VOWEL_SOUND = re.compile(r"[aeiou]|hour|honest|honou?r|heir|8|1[18](?![0-9])", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(
    r"one\b|once\b|uni(?!n|m)|use|usu|ufo|eu|ewe|ubiq|uran|u(?:k|s|sa|n)\b|u\.|ukr|uga|uru|uzb|utah|utopi",
    re.IGNORECASE,
)
# Letters whose names begin with a vowel sound: "an FBI agent", "an 80".
_SPELT_WITH_VOWEL = frozenset("AEFHILMNORSX")
_ARTICLE_BEFORE = re.compile(r"\b(?P<article>an?) (?P<quote>[\"“'‘(]?)$", re.IGNORECASE)


def indefinite(word: str) -> str:
    """ "a" or "an", as fits before ``word``."""
    bare = word.lstrip("\"“'‘(")
    if len(bare) > 1 and bare[:2].isupper() and not _CONSONANT_SOUND.match(bare):
        return "an" if bare[0] in _SPELT_WITH_VOWEL else "a"
    return "an" if _VOWEL_SOUND.match(bare) and not _CONSONANT_SOUND.match(bare) else "a"


def replacing(text: str, start: int, end: int, after: str) -> Edit:
    """The edit that replaces ``text[start:end]``, widened to an article before it that would no longer fit."""
    match = _ARTICLE_BEFORE.search(text, max(0, start - 6), start)
    if match is None or not after or match["article"].lower() == indefinite(after):
        return Edit(start, end, text[start:end], after)
    article = indefinite(after)
    styled = article.capitalize() if match["article"][0].isupper() else article
    return Edit(match.start(), end, text[match.start() : end], f"{styled} {match['quote']}{after}")
