"""Findings about characters that are not shown, or that do not show what is stored.

Not reported, since honest text has them: a byte order mark at the start, joiners in emoji and between letters of
scripts that need them, well-formed flags, isolates and marks of right-to-left text, soft hyphens, lone selectors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.text.confusables import mixed_script_words, script
from ragstone.text.invisible import decode_tags, decode_variation_selectors, flag_sequences

__all__ = ["Oddity", "invisible_oddities"]

_TAGS = re.compile("[\U000e0001\U000e0020-\U000e007f]{1,4000}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,4000}")
_UNSEEN = "\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
_UNSEEN_RUN = re.compile(f"[{_UNSEEN}]{{8,4000}}")
_UNSEEN_INSIDE = re.compile(f"(?<=[^\\W\\d_])[{_UNSEEN}]{{1,7}}(?=[^\\W\\d_])")
_OVERRIDE = re.compile("[\u202d\u202e]([^\u202c\u202d\u202e\n]{1,2000})[\u202c\n]?")
_LATIN_WORD = re.compile("[A-Za-z]{2,40}")
_JOINED_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN"})

PAYLOAD = 0.85
STRAY = 0.25
SEVERAL = 0.45


@dataclass(frozen=True, slots=True)
class Oddity:
    """What was seen, before it becomes a finding of a passage. ``text`` is what is hidden, where it can be read."""

    rule: str
    severity: float
    start: int
    end: int
    message: str
    text: str = ""


def invisible_oddities(text: str) -> Iterator[Oddity]:
    """Tag payloads, selector runs, invisible characters inside words, direction overrides and mixed scripts."""
    if text.isascii():
        return
    yield from _tags(text)
    yield from _selectors(text)
    yield from _unseen(text)
    yield from _overrides(text)
    words = mixed_script_words(text)
    if words:
        yield Oddity(
            "mixed-script-word",
            SEVERAL if len(words) >= 3 else STRAY,
            words[0][0],
            words[-1][1],
            f"{len(words)} word(s) mix letters of scripts that look alike",
            " ".join(text[slice(*span)] for span in words[:20]),
        )


def _tags(text: str) -> Iterator[Oddity]:
    flags = {start + 1 for start, _ in flag_sequences(text)}
    for match in _TAGS.finditer(text):
        if match.start() in flags:
            continue
        decoded = decode_tags(match.group())
        readable = sum(c.isalpha() for c in decoded) >= 4
        yield Oddity(
            "tag-characters",
            PAYLOAD if readable else STRAY,
            *match.span(),
            "Unicode tag characters spell text that is not shown",
            decoded,
        )


def _selectors(text: str) -> Iterator[Oddity]:
    for match in _SELECTORS.finditer(text):
        decoded = decode_variation_selectors(match.group())
        long = len(match.group()) >= 8
        yield Oddity(
            "variation-selector-run",
            PAYLOAD if long else STRAY,
            *match.span(),
            f"{len(match.group())} variation selectors in a row can carry hidden bytes",
            decoded or "",
        )


def _unseen(text: str) -> Iterator[Oddity]:
    for match in _UNSEEN_RUN.finditer(text):
        yield Oddity(
            "invisible-run",
            PAYLOAD if len(match.group()) >= 16 else SEVERAL,
            *match.span(),
            f"{len(match.group())} invisible characters in a row can carry hidden bits",
        )
    inside = [
        match
        for match in _UNSEEN_INSIDE.finditer(text)
        if script(text[match.start() - 1]) in _JOINED_SCRIPTS and script(text[match.end()]) in _JOINED_SCRIPTS
    ]
    if inside:
        yield Oddity(
            "invisible-in-word",
            SEVERAL if len(inside) >= 4 else STRAY,
            inside[0].start(),
            inside[-1].end(),
            f"Invisible characters split words in {len(inside)} place(s)",
        )


def _overrides(text: str) -> Iterator[Oddity]:
    for match in _OVERRIDE.finditer(text):
        words = len(_LATIN_WORD.findall(match[1]))
        if words == 0:
            continue
        backwards = text[match.start()] == "\u202e"
        yield Oddity(
            "direction-override",
            PAYLOAD if words >= 3 else SEVERAL,
            *match.span(),
            "A direction override shows other text than is stored",
            match[1][::-1] if backwards else match[1],
        )
