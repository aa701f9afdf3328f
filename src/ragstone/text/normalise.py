"""Text as a reader sees it, for matching, with a way back to the original.

A model reads through what hides words from a plain search: full-width letters, invisible characters inside a word,
letters of another script that look Latin, accents, case, line breaks. :func:`normalise` undoes these and keeps, for
every character of the result, where it came from, so that a finding can point into the passage itself.

Combining marks are dropped from Latin and Greek letters only; elsewhere they make another letter (Cyrillic short i,
Japanese voicing) and are composed instead. Lone surrogates become U+FFFD.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragstone.errors import InputError
from ragstone.text.confusables import fold_lookalikes, latin_letter, script
from ragstone.text.invisible import CONTROL, INVISIBLE, flag_sequences

__all__ = ["Normalised", "normalise"]

_DROPPED = re.compile(f"[{INVISIBLE}{CONTROL}]")
_TAG = re.compile("[\U000e0020-\U000e007e]")
_CONTROL = re.compile(f"[{CONTROL}]")
_SPACE = re.compile(r"\s{2,}|[^\S ]")
_PUNCTUATION = {
    **dict.fromkeys("‘’‚‛′´ʹʼ＇", "'"),
    **dict.fromkeys("“”„‟″«»「」『』〝〞＂", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
    "\u2800": " ",  # Braille blank: a symbol that shows nothing
    "\u0345": "",  # casefold turns this Greek mark into a letter
    "ϲ": "ϲ",  # NFKC turns the c-shaped sigma, and its capital, into plain ones
    "Ϲ": "ϲ",
}


@dataclass(frozen=True, slots=True)
class Normalised:
    """Normalised ``text``; character i came from ``[offsets[i], ends[i])`` of the original. Both never decrease."""

    text: str
    offsets: Sequence[int]
    ends: Sequence[int]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that ``text[start:end]`` came from.

        Raises:
            InputError: the span is not inside ``text``.
        """
        if not 0 <= start <= end <= len(self.text):
            raise InputError(f"span ({start}, {end}) is not inside a text of {len(self.text)} characters")
        if start == end:
            at = self.offsets[start] if start < len(self.text) else (self.ends[-1] if self.text else 0)
            return at, at
        return self.offsets[start], self.ends[end - 1]


def normalise(text: str) -> Normalised:
    """Fold ``text`` for matching (see the module); the result is its own normal form. Linear in the length."""
    if text.isascii() and not _CONTROL.search(text) and not _SPACE.search(text):
        return Normalised(text.lower(), range(len(text)), range(1, len(text) + 1))
    characters, starts, ends = _read(text)
    if not text.isascii():
        fold_lookalikes(characters)
    return _fold(characters, starts, ends)


def _read(text: str) -> tuple[list[str], list[int], list[int]]:
    """What is visible, and what tag characters spell, in compatibility form; case and accents still as they are."""
    in_flag = {i for start, end in flag_sequences(text) for i in range(start + 1, end)} if _TAG.search(text) else set()
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    was_tag = False
    for i, character in enumerate(text):
        is_tag = "\U000e0020" <= character <= "\U000e007e" and i not in in_flag
        if is_tag:
            visible = chr(ord(character) - 0xE0000)
        elif character.isascii() and character >= " " and character != "\x7f":
            visible = character
        elif _DROPPED.match(character):
            continue
        else:
            visible = _compatible(character)
        if is_tag != was_tag:
            # Hidden text begins or ends here: it must not fuse with the visible word beside it.
            visible = " " + visible
            was_tag = is_tag
        for j, part in enumerate(visible):
            characters.append(part)
            starts.append(i)
            ends.append(i if j == 0 and part == " " and len(visible) > 1 else i + 1)
    return characters, starts, ends


@lru_cache(maxsize=8192)
def _compatible(character: str) -> str:
    """NFKC of one character, with quotes and dashes straightened."""
    if character in _PUNCTUATION:
        return _PUNCTUATION[character]
    if unicodedata.category(character) == "Cs":
        return "\ufffd"
    # Boxed and regional letters are symbols; they are letters before words are looked at.
    folded = latin_letter(character) if script(character) is None else None
    folded = folded or unicodedata.normalize("NFKC", character)
    return "".join(_PUNCTUATION.get(c, c) for c in folded if not _DROPPED.match(c))


@lru_cache(maxsize=8192)
def _matching(character: str) -> str:
    """One character casefolded, Latin variants as plain letters, Latin and Greek accents split off."""
    folded = character
    for _ in range(3):
        parts = (latin_letter(c) or _compatible(c) for c in folded)
        folded = "".join(parts).casefold()
    accents_apart = (unicodedata.normalize("NFD", c) if script(c) in {"LATIN", "GREEK"} else c for c in folded)
    return "".join(accents_apart)


def _fold(characters: list[str], starts: list[int], ends: list[int]) -> Normalised:
    """Casefold, drop or compose combining marks, and make one space of each run of white space."""
    out: list[str] = []
    out_starts: list[int] = []
    out_ends: list[int] = []
    for character, start, end in zip(characters, starts, ends, strict=True):
        for part in character.lower() if character.isascii() else _matching(character):
            joined = None
            if not part.isascii() and unicodedata.category(part) in {"Mn", "Me"}:
                joined = _with_mark(out[-1], part) if out else ""
            elif part.isspace():
                part = " "
                joined = " " if out and out[-1] == " " else None
            if joined is None:
                out.append(part)
                out_starts.append(start)
                out_ends.append(end)
            elif joined:
                out[-1] = joined
                out_ends[-1] = max(out_ends[-1], end)
    return Normalised("".join(out), out_starts, out_ends)


def _with_mark(previous: str, mark: str) -> str | None:
    """``previous`` after a combining mark: unchanged (mark dropped), composed, or None when the mark must stay."""
    bears_marks = unicodedata.category(previous)[0] in "LM" and script(previous) not in {"LATIN", "GREEK"}
    if not bears_marks:
        return previous
    composed = unicodedata.normalize("NFC", previous + mark)
    return composed if len(composed) == 1 else None
