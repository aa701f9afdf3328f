"""Letters of other scripts that look Latin, folded only where they pose as Latin.

The table is this package's own and small: it holds the letters that keep an English word readable. The shapes follow
Unicode Technical Standard 39 and add lower-case forms that it leaves out because only their capitals are identical
(Cyrillic ka, em, te, en, ve). Real words of another script are never touched: a word is folded when it mixes
scripts, or when all of its letters have a Latin twin and the words around it are Latin.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["fold_lookalikes", "latin_letter", "mixed_script_words", "script"]

_CYRILLIC = {
    "аА": "a", "вВ": "b", "сС": "c", "ԁ": "d", "еЕ": "e", "ԍ": "g", "нНһҺ": "h", "іІ": "i", "јЈ": "j", "кК": "k",
    "ӏӀ": "l", "мМ": "m", "оО": "o", "рР": "p", "ԛԚ": "q", "ѕЅ": "s", "тТ": "t", "ѵѴ": "v", "ԝԜ": "w", "хХ": "x",
    "уУүҮ": "y",
}  # fmt: skip
_GREEK = {
    "αΑ": "a", "βΒ": "b", "ϲϹ": "c", "εΕ": "e", "Η": "h", "ιΙ": "i", "ϳͿ": "j", "κΚ": "k", "Μ": "m", "ηΝ": "n",
    "οΟσ": "o", "ρΡ": "p", "τΤ": "t", "υμ": "u", "ν": "v", "ω": "w", "χΧ": "x", "γΥ": "y", "ζΖ": "z",
}  # fmt: skip
_OTHER = {
    # Armenian
    "ցՑ": "g", "հ": "h", "յ": "j", "ո": "n", "օՕ": "o", "զ": "q", "Տ": "s", "սՍ": "u", "ա": "w", "Լ": "l",
    # Cherokee
    "Ꭺ": "a", "Ᏼ": "b", "Ꮯ": "c", "Ꭰ": "d", "Ꭼ": "e", "Ꮐ": "g", "Ꮋ": "h", "Ꭵ": "i", "Ꭻ": "j", "Ꮶ": "k", "Ꮮ": "l",
    "Ꮇ": "m", "Ꮲ": "p", "Ꮢ": "r", "Ꮪ": "s", "Ꭲ": "t", "Ꮩ": "v", "Ꮃ": "w", "Ꮓ": "z",
    # Lisu
    "ꓮ": "a", "ꓐ": "b", "ꓚ": "c", "ꓓ": "d", "ꓰ": "e", "ꓝ": "f", "ꓖ": "g", "ꓧ": "h", "ꓲ": "i", "ꓙ": "j", "ꓗ": "k",
    "ꓡ": "l", "ꓟ": "m", "ꓠ": "n", "ꓳ": "o", "ꓑ": "p", "ꓣ": "r", "ꓢ": "s", "ꓔ": "t", "ꓴ": "u", "ꓦ": "v", "ꓪ": "w",
    "ꓫ": "x", "ꓬ": "y", "ꓜ": "z",
}  # fmt: skip
# Alike only to a reader who expects a Latin letter, so they count in words that mix scripts and nowhere else.
_FAUX = {"пи": "n", "гя": "r", "ш": "w"}


def _spread(*tables: dict[str, str]) -> dict[str, str]:
    return {letter: latin for table in tables for letters, latin in table.items() for letter in letters}


_TWINS = _spread(_CYRILLIC, _GREEK, _OTHER)
_FAUX_TWINS = _spread(_FAUX)
_PHONETIC = frozenset("βγθχ")
_SCRIPTS = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "LISU"})
_LATIN_NAME = re.compile(
    r"(?:LATIN|REGIONAL INDICATOR SYMBOL)(?: SMALL| CAPITAL)? LETTER(?: SMALL CAPITAL| SCRIPT| DOTLESS| OPEN)?"
    r" ([A-Z])(?: WITH [A-Z ]{1,40})?$"
)
_LATIN_EXTRA = {"ɑ": "a", "ɩ": "i"}


@lru_cache(maxsize=8192)
def script(character: str) -> str | None:
    """``LATIN``, ``CYRILLIC``, … for a letter (the first word of its Unicode name); None for what is no letter."""
    if character.isascii():
        return "LATIN" if character.isalpha() else None
    if not unicodedata.category(character).startswith("L"):
        return None
    name = unicodedata.name(character, "OTHER").partition(" ")[0]
    return "LATIN" if name == "ROMAN" else name


@lru_cache(maxsize=8192)
def latin_letter(character: str) -> str | None:
    """The lower-case ASCII letter that a Latin variant stands for (ø, ɡ, ı, ᴀ, 🅰, regional indicators), else None."""
    if unicodedata.category(character).startswith("M"):
        return None
    if character in _LATIN_EXTRA:
        return _LATIN_EXTRA[character]
    match = _LATIN_NAME.search(unicodedata.name(character, ""))
    return match.group(1).lower() if match else None


@lru_cache(maxsize=8192)
def _twin(character: str, faux: bool = False) -> str | None:
    """The Latin letter that ``character`` looks like, its accents aside."""
    base = unicodedata.normalize("NFKD", character)[0]
    for candidate in (character, base, base.casefold(), base.upper()):
        latin = _TWINS.get(candidate) or (_FAUX_TWINS.get(candidate) if faux else None)
        if latin:
            return latin
    return None


def _words(characters: list[str]) -> Iterator[tuple[int, int]]:
    """Maximal runs of letters and combining marks that hold a letter of a script with Latin twins."""
    start: int | None = None
    for i, character in enumerate([*characters, " "]):
        if script(character) is not None or (start is not None and unicodedata.category(character)[0] == "M"):
            start = i if start is None else start
        elif start is not None:
            yield start, i
            start = None


def _verdict(word: list[str]) -> bool | None:
    """True: poses as Latin or is Latin. False: a real word of another script. None: its neighbours decide."""
    scripts = {name for c in word if (name := script(c)) is not None}
    foreign = scripts & _SCRIPTS
    if not foreign:
        return "LATIN" in scripts
    if "LATIN" in scripts or len(foreign) > 1:
        return True
    return None if all(_twin(c) for c in word if script(c)) else False


def fold_lookalikes(characters: list[str]) -> None:
    """Replace, in place, letters that pose as Latin by lower-case ASCII; linear in the number of characters."""
    words = list(_words(characters))
    verdicts = [_verdict(characters[start:end]) for start, end in words]
    latin_before: list[bool | None] = []
    last: bool | None = None
    for verdict in verdicts:
        last = verdict if verdict is not None else last
        latin_before.append(last)
    following: bool | None = None
    for i in range(len(words) - 1, -1, -1):
        verdict = verdicts[i]
        if verdict is not None:
            following = verdict
        neighbours = {side for side in (latin_before[i], following) if side is not None}
        if verdict or (verdict is None and neighbours == {True}):
            for at in range(*words[i]):
                if script(characters[at]) in _SCRIPTS:
                    characters[at] = _twin(characters[at], faux=bool(verdict)) or characters[at]


def mixed_script_words(text: str) -> list[tuple[int, int]]:
    """Spans of words of at least three letters in which every foreign letter is a twin of a Latin one beside it.

    Greek letters of the phonetic alphabet do not count.
    """
    spans = []
    characters = list(text)
    for start, end in _words(characters):
        letters = [c for c in characters[start:end] if script(c)]
        foreign = [c for c in letters if script(c) in _SCRIPTS and c not in _PHONETIC]
        latin = any(script(c) == "LATIN" for c in letters)
        if len(letters) >= 3 and latin and foreign and all(_twin(c) for c in foreign):
            spans.append((start, end))
    return spans
