"""What an answer calls the passages it was written from: "the provided context", "passage 2", "[1] and [3]".

Phrases about them are recognised in a copy of the text that has one mark in place of each such name.
"""

from __future__ import annotations

import re

from ragstone.text.markup import Plain

__all__ = ["MARK", "with_marks"]

MARK = "\ue000"

_DETERMINER = (
    r"(?:the|this|these|those|your|our|any|all|both|each|either|every|given|provided|retrieved|supplied"
    r"|above|following"
    r"|available|relevant|cited|attached|existing|current|same|search|reference|background|source|text|first"
    r"|second|third|fourth"
    r"|fifth|last|other)\s(?:of\s)?"
)
_QUALIFIER = (
    r"(?:given|provided|retrieved|supplied|above|available|search|contextual|context|reference|background|source)"
)
_NOUN = r"(?:contexts?|passages?|documents?|docs?|texts?|sources?|excerpts?|snippets?|extracts?|knowledge base|chunks?)"
# These name other things as well, unless they are called provided, given, ….
_WEAK_NOUN = (
    r"(?:information|evidence|data|articles?|materials?|results?|references?|contents?|paragraphs?|details"
    r"|facts|statements?|reports?)"
)
_TAIL = (
    r"(?:\s(?:that\s)?(?:(?:you|i|was|were|is|are|i was|i have|has been|have been)\s)?(?:provided|given"
    r"|retrieved|supplied|above|available"
    r"|cited|at hand|here|i have|below|itself|alone|only)\b"
    r"|\s?(?:#|no\.?\s|numbers?\s)?\d{1,3}(?:\s?(?:,|and|&|or|–|-|to)\s?\d{1,3})*\b|\s?[(\[]\^?\w{1,12}[)\]])"
)
_NAME = re.compile(
    rf"\b(?:{_DETERMINER}){{0,5}}(?:{_NOUN}\b{_TAIL}{{0,4}}"
    rf"|{_QUALIFIER}\s(?:{_DETERMINER})?{_WEAK_NOUN}\b{_TAIL}{{0,4}}"
    rf"|{_WEAK_NOUN}\b{_TAIL}{{1,4}})|\[\d{{1,3}}\](?:\s?(?:,|and)?\s?\[\d{{1,3}}\])*",
    re.IGNORECASE,
)


def with_marks(text: str) -> Plain:
    """``text`` with :data:`MARK` for each name of passages; ``origin`` gives the places in ``text``."""
    parts: list[str] = []
    origin: list[int] = []
    position = 0
    for match in _NAME.finditer(text):
        parts += [text[position : match.start()], MARK]
        origin += range(position, match.start() + 1)
        position = match.end()
    origin += range(position, len(text))
    return Plain("".join([*parts, text[position:]]), origin)
