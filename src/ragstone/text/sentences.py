"""Sentences, with their places in the text, and what is built of whole sentences: halves and windows.

The boundaries are those of the library ``sentencex``, block by block (see :mod:`ragstone.text.blocks`), with a few
corrections where reading statements needs them. All offsets count code points, and all functions take linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from ragstone.errors import InputError
from ragstone.text.blocks import Block, Kind, blocks
from ragstone.text.lexicon import words
from ragstone.types import readable

__all__ = ["Span", "halves", "is_question", "sentences", "sentences_of", "windows"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text: ``text == source[start:end]``, never empty, no white space at its ends."""

    text: str
    start: int
    end: int


# Same-length stand-ins for what the library reads badly: its search for a curly quote's partner takes quadratic
# time, and an abbreviation after emphasis is none to it.
_PLAINER = str.maketrans(
    "“”„«»「」『』《》‘’‚‹›`*_~\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029\0", '"' * 11 + "'" * 5 + " " * 16
)
_TAG_OR_APOSTROPHES = re.compile(r"</?[a-zA-Z]{1,10}>|'{3,}")
_UNSHELTERED = str.maketrans("\"'()[]{}（）【】", " " * 12)
# No boundary is seen within quotes or brackets, which suits a quoted remark and hides a passage quoted whole.
_LONGEST_SHELTER = 240

_ABBREVIATIONS = frozenset(
    words(
        "al approx app art avg c ca cf ch chap col cols dept e.g ed eds eq eqs est etc ex excl fig figs i.e incl max "
        "min n no nos nr p para pp pt ref refs resp sec secs sect sp spp tab v ver viz vol vols vs"
    )
)
_LAST_WORD = re.compile(r"([^\s(\[\"']+)\.\s*$")
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)\]]$")
_CLOSERS = re.compile(r"[*_~`\"'”’»)\]】¹²³⁰⁴-⁹]+(?=\s|$)")
_DOTTED = re.compile(r"[\w-]+\.")
# After an ellipsis character, and after a unit's letter ("100 C. Ice"), which the library takes for an initial.
_MISSED = re.compile(r"…[\"”')\]]*\s+(?=[\"“'(]?[A-Z])|(?<=\d [CFKVWA])\.\s+(?=[A-Z][a-z]|[AI]\s)")


def sentences(text: str) -> list[Span]:
    """The sentences of ``text`` in order, not overlapping; what holds no letter or digit is in none of them.

    A blank line, a list item, a heading and a table row end a sentence. A list item's marker belongs to it.
    """
    return [span for block in blocks(text) for span in sentences_of(text, block)]


def sentences_of(text: str, block: Block) -> list[Span]:
    """The sentences of one block of ``text``; offsets are into ``text``."""
    if block.kind is Kind.DIVIDER:
        return []
    if block.kind is Kind.ROW:
        return list(_spans(text, [block.start, block.end]))
    source = readable(text[block.body : block.end])
    masked = _TAG_OR_APOSTROPHES.sub(lambda run: " " * len(run[0]), source.translate(_PLAINER))
    cuts: list[int] = []
    start = 0
    # "1. One. 2. Two." on one line goes on with the list that its marker starts.
    listed = bool(_ENUMERATOR.match(text[block.start : block.body].strip()))
    for cut in [*_cuts(source, masked, listed=listed), len(source)]:
        if cut - start > _LONGEST_SHELTER:
            part = masked[start:cut]
            bare = part.translate(_UNSHELTERED)
            if bare != part:
                cuts.extend(start + inner for inner in _cuts(source[start:cut], bare))
        cuts.append(cut)
        start = cut
    return list(_spans(text, [block.start, *(block.body + cut for cut in cuts)]))


def _spans(text: str, borders: list[int]) -> Iterator[Span]:
    for start, end in pairwise(borders):
        if (span := _stripped(text, start, end)) and any(map(str.isalnum, span.text)):
            yield span


def _stripped(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    return Span(piece, start, start + len(piece)) if piece else None


def _cuts(source: str, masked: str, *, listed: bool = False) -> list[int]:
    """Offsets into ``source``, rising, at which a sentence ends and another starts."""
    from sentencex import get_sentence_boundaries

    proposed = {boundary["start_index"] for boundary in get_sentence_boundaries("en", masked)}
    proposed.update(match.end() for match in _MISSED.finditer(source))
    proposed.discard(0)
    borders = [0, *sorted(proposed), len(source)]
    parts = [source[a:b].strip() for a, b in pairwise(borders)]
    enumerated = listed + sum(bool(_ENUMERATOR.match(part)) for part in parts) > 1
    kept: list[int] = []
    for index, cut in enumerate(borders[1:-1]):
        left, right = parts[index], parts[index + 1]
        if not any(map(str.isalnum, right)) or (enumerated and _ENUMERATOR.match(left)):
            continue
        if not _continues(source, cut, right):
            closers = None if source[cut - 1].isspace() else _CLOSERS.match(source, cut)
            position = closers.end() if closers else cut
            if not kept or position > kept[-1]:
                kept.append(position)
    return kept


def _continues(source: str, cut: int, right: str) -> bool:
    """Whether the full stop before ``cut`` belongs to an abbreviation or to a dotted name."""
    before = source[max(0, cut - 24) : cut]
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    if before[-1].isspace():
        return word[1].lower() in _ABBREVIATIONS and (right[0].islower() or right[0].isdigit() or right[0] in "(§")
    # "Paris.It is big." lacks a space; "java.lang.String", "www.Example.Com" and "it@Example.Com" do not.
    following = (source[cut : cut + 40].split(maxsplit=1) or [""])[0]
    return bool(re.search(r"[.@/:\\]", word[1]) or _DOTTED.match(following[:-1]))


_QUESTION_MARKS = "?？؟;՞⁇⁈⁉‽⸮፧"
_AFTER_MARK = re.compile(r"[\s*_~`\"'”’»)\]】!！.…]*(?:\[\d+\]\s*)*$")
_TAG_QUESTION = re.compile(r",\s*(?:right|correct|no|(?:is|are|was|were|do|does|did|has|have|had|wo|ca)n['’]t \w+)\W*$")
_UNMARKED_QUESTION = re.compile(
    r"(?:who|whom|whose|what|when|where|why|how|which)\s+(?:(?:many|much|old|long|far|tall|high|big|often)\b"
    r"|(?:is|are|was"
    r"|were|do|does|did|can|could|will|would|should|has|have|had)\s)",
    re.IGNORECASE,
)


def is_question(span_text: str) -> bool:
    """Whether a sentence asks: it ends in a question mark, or starts as an English question and has no end mark.

    A statement that quotes a question, and one with a tag (", isn't it?"), assert something: False.
    """
    text = span_text.strip()
    tail = _AFTER_MARK.search(text[-40:])
    core = text[: len(text) - len(tail[0])] if tail else text
    if not core.endswith(tuple(_QUESTION_MARKS)):
        return text[-1:].isalnum() and bool(_UNMARKED_QUESTION.match(text))
    closing = text[len(core) :].strip()[:1]
    if closing in {'"', "'", "”", "’", "»"} and not text.startswith(('"', "'", "“", "‘", "«")):
        return False
    return not _TAG_QUESTION.search(core[-40:])


def halves(text: str) -> tuple[Span, Span] | None:
    """``text`` in two, at the sentence boundary nearest to its middle; None when it makes fewer than two statements.

    Questions it opens with are left out: "What is X? X is Y." makes one statement.
    """
    spans = sentences(text)
    first = next((index for index, span in enumerate(spans) if not is_question(span.text)), len(spans))
    spans = spans[first:]
    if len(spans) < 2:
        return None
    middle = spans[0].start + spans[-1].end
    cut = min(range(1, len(spans)), key=lambda k: abs(spans[k - 1].end + spans[k].start - middle))
    return _between(text, spans[0], spans[cut - 1]), _between(text, spans[cut], spans[-1])


def windows(text: str, count_tokens: Callable[[str], int], limit: int) -> list[Span]:
    """Runs of whole sentences of at most ``limit`` tokens, each sharing a sentence with the one before where it fits.

    ``count_tokens`` measures a text. A sentence above the limit is split between words, a word above it between
    characters; only a single character can exceed the limit. Each character of ``text`` that is no white space is in
    some window. Raises :class:`InputError` when ``limit`` is below 1.
    """
    if limit < 1:
        raise InputError(f"limit is {limit}; a window needs room for at least 1 token")
    whole = _stripped(text, 0, len(text))
    if whole is None:
        return []

    def count(span: Span) -> int:
        return count_tokens(readable(span.text))

    if count(whole) <= limit:
        return [whole]
    units, sizes = [], []
    for unit in _units(text):
        for piece, size in _pieces(text, unit, count, limit):
            units.append(piece)
            sizes.append(size)
    found, first = [], 0
    while first < len(units):
        last, total = first, sizes[first]
        while last + 1 < len(units) and total + sizes[last + 1] <= limit:
            last += 1
            total += sizes[last]
        # Some tokenizers need a token more where two sentences meet.
        while last > first and count(_between(text, units[first], units[last])) > limit:
            last -= 1
        found.append(_between(text, units[first], units[last]))
        if last + 1 == len(units):
            break
        shared = last > first and sizes[last] + sizes[last + 1] <= limit
        first = last if shared else last + 1
    return found


def _units(text: str) -> Iterator[Span]:
    """The sentences, each with what stands between it and the next one, so that nothing is left out."""
    starts = [span.start for span in sentences(text)]
    borders = [0, *starts[1:], len(text)]
    for start, end in pairwise(borders):
        if span := _stripped(text, start, end):
            yield span


def _pieces(text: str, span: Span, count: Callable[[Span], int], limit: int) -> Iterator[tuple[Span, int]]:
    size = count(span)
    length = span.end - span.start
    if size <= limit or length == 1:
        yield span, size
        return
    step = max(1, length // -(-size // limit))
    start = span.start
    while start < span.end:
        end = min(start + step, span.end)
        if end < span.end:
            end = next((k for k in range(end, start + step // 2, -1) if text[k].isspace()), end)
        if piece := _stripped(text, start, end):
            yield from _pieces(text, piece, count, limit)
        start = end


def _between(text: str, first: Span, last: Span) -> Span:
    return Span(text[first.start : last.end], first.start, last.end)
