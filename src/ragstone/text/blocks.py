"""Lines of plain or Markdown text grouped into paragraphs, list items, headings and table rows.

A single line break inside a paragraph is ambiguous: a hard wrap, or a line that its author meant to end there. It is
read as a wrap when the next line starts in lower case, when the line ends in a word that cannot end a statement, or
when the next line's first word would not have fitted into the paragraph's width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Block", "Kind", "blocks"]


class Kind(StrEnum):
    """What a block is. A divider holds no statement: a rule, a code fence, the line below a table's header."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    ROW = "row"
    DIVIDER = "divider"


@dataclass(frozen=True, slots=True)
class Block:
    """``text[start:end]`` without surrounding white space; ``body`` is where it goes on after its marker."""

    kind: Kind
    start: int
    body: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int
    kind: Kind
    marker: int
    """Characters of the marker, with the white space around it."""


_BULLET = re.compile(r"\s*[-*+•‣◦▪●○·–—]\s+(?=\S)")
_NUMBERED = re.compile(r"\s*(?:\(?(?P<number>\d{1,3})[.)]|\([a-z]\)|[a-z]\)|\(?[ivx]{1,4}\))\s+(?=\S)")
_HEADING = re.compile(r"\s*#{1,6}\s+(?=\S)|\s*(?=(?:\*\*[^*]+\*\*|__[^_]+__):?\s*$)")
_FENCE = re.compile(r"(?:```|~~~)[\w+-]*$")
_RULES = (frozenset("- "), frozenset("= "), frozenset("* "), frozenset("_ "), frozenset("|:+- "))
_LABEL = re.compile(r"\s*[^\W\d_][\w ()/-]{0,30}:\s")
_STARTS_IN_LOWER_CASE = re.compile(r"\s*[(\"'“‘]?[a-z]")
_CANNOT_END = re.compile(
    r"(?:,|\b(?:a|an|the|of|by|in|on|at|to|for|from|with|and|or|but|as|is|are|was|were|than|that|which|who|his|her"
    r"|its|their|into|between|about|after|before|Mr|Mrs|Ms|Dr|St|Prof)\.?)$",
    re.IGNORECASE,
)
# Text is seldom wrapped to fewer columns than this; shorter lines are lines of their own.
_NARROWEST_WRAP = 40


def blocks(text: str) -> list[Block]:
    """The non-blank blocks of ``text`` in order; they do not overlap, and only white space lies between them."""
    found: list[Block] = []
    for paragraph in _paragraphs(text):
        width = max(len(line.text.rstrip()) for line in paragraph)
        group = [paragraph[0]]
        for line in paragraph[1:]:
            if _joined(group[-1], line, width):
                group.append(line)
            else:
                found.append(_block(group))
                group = [line]
        found.append(_block(group))
    return found


def _paragraphs(text: str) -> Iterator[list[_Line]]:
    """Runs of lines without a blank one."""
    raw, position = [], 0
    for piece in text.splitlines(keepends=True):
        raw.append((piece, position))
        position += len(piece)
    numbers = [match["number"] for piece, _ in raw if (match := _NUMBERED.match(piece))]
    # One line that starts "42. " is an answer; "1. " or several such lines are a list.
    numbered = len(numbers) > 1 or numbers in (["1"], [None])
    paragraph: list[_Line] = []
    for piece, start in raw:
        if piece.strip():
            paragraph.append(_line(piece, start, numbered))
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _line(piece: str, start: int, numbered: bool) -> _Line:
    stripped = piece.strip()
    indent = len(piece) - len(piece.lstrip())
    if _divides(stripped):
        return _Line(piece, start, Kind.DIVIDER, indent)
    if stripped.startswith("|") and stripped.count("|") > 1:
        return _Line(piece, start, Kind.ROW, indent)
    if match := _HEADING.match(piece):
        return _Line(piece, start, Kind.HEADING, match.end())
    if match := _BULLET.match(piece) or (_NUMBERED.match(piece) if numbered else None):
        return _Line(piece, start, Kind.ITEM, match.end())
    return _Line(piece, start, Kind.PROSE, indent)


def _divides(stripped: str) -> bool:
    characters = frozenset(stripped)
    return bool(_FENCE.match(stripped)) or (len(stripped) > 2 and any(characters <= rule for rule in _RULES))


def _joined(line: _Line, following: _Line, width: int) -> bool:
    if following.kind is not Kind.PROSE or line.kind not in (Kind.PROSE, Kind.ITEM):
        return False
    if _STARTS_IN_LOWER_CASE.match(following.text) or _CANNOT_END.search(line.text.rstrip()[-12:]):
        return True
    if width < _NARROWEST_WRAP or (_LABEL.match(line.text) and _LABEL.match(following.text)):
        return False
    first_word = following.text.split(maxsplit=1)[0]
    return len(line.text.rstrip()) + 1 + len(first_word) > width


def _block(lines: list[_Line]) -> Block:
    first, last = lines[0], lines[-1]
    start = first.start + len(first.text) - len(first.text.lstrip())
    return Block(first.kind, start, first.start + first.marker, last.start + len(last.text.rstrip()))
