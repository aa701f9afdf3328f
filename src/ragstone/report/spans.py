"""Untrusted text made fit to show: what cannot be seen is spelled out, and marked spans are told apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ragstone.text.invisible import CONTROL, INVISIBLE
from ragstone.types import Finding

__all__ = ["Mark", "Segment", "excerpt", "finding_marks", "segments", "visible"]

WORTH_CUTTING = 200  # characters; a shorter cut hides text and saves no room
MOST_MARKS = 200  # the most severe ones; more cannot be told apart by eye anyway

# Besides control and invisible characters: line and page breaks other than a newline, and lone surrogates.
_UNSEEN = re.compile(f"[{CONTROL}{INVISIBLE}\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029\ud800-\udfff]+")
_JOINING = frozenset("\u200c\u200d\ufe0e\ufe0f")


@dataclass(frozen=True, slots=True)
class Mark:
    """A span of a text with a ``weight`` in [0, 1] and the number by which a reader finds its explanation.

    Without a weight it is no finding, but a span known to have been tampered with.
    """

    start: int
    end: int
    weight: float | None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text under the same marks. ``weight`` is the greatest of them, None when there is none."""

    text: str
    weight: float | None = None
    numbers: tuple[int, ...] = ()
    tampered: bool = False


def visible(text: str) -> str:
    """``text`` with each run of control or invisible characters written as ``⟨U+200B ×3⟩``; tabs become spaces.

    A joiner or emoji selector that stands alone after a non-ASCII character is left, since scripts and emoji need it.
    """

    def spelled(match: re.Match[str]) -> str:
        run = match.group()
        if run in _JOINING and match.start() > 0 and not text[match.start() - 1].isascii():
            return run
        times = f" ×{len(run)}" if len(run) > 1 else ""
        return f"⟨U+{ord(run[0]):04X}{times}⟩"

    text = text.replace("\r\n", "\n").replace("\t", "    ")
    return _UNSEEN.sub(spelled, text)


def finding_marks(findings: Iterable[Finding], length: int) -> list[Mark]:
    """One mark for each finding, numbered from 1 in the order given, that spans less than the whole text."""
    return [
        Mark(f.start, f.end, f.severity, number)
        for number, f in enumerate(findings, start=1)
        if f.end - f.start < length
    ]


def segments(text: str, marks: Sequence[Mark]) -> list[Segment]:
    """``text`` cut where a mark starts or ends, made visible; spans outside the text are clipped to it."""
    kept = sorted(marks, key=lambda m: -1.0 if m.weight is None else -m.weight)[:MOST_MARKS]
    clipped = [replace(m, start=max(0, m.start), end=min(len(text), m.end)) for m in kept]
    clipped = [m for m in clipped if m.start < m.end]
    borders = sorted({0, len(text), *(m.start for m in clipped), *(m.end for m in clipped)})
    return [_segment(text[a:b], [m for m in clipped if m.start <= a and m.end >= b]) for a, b in pairwise(borders)]


def excerpt(parts: Sequence[Segment], limit: int) -> list[Segment]:
    """The segments with the middle of each one longer than ``limit`` characters left out, and its length told."""
    longest = limit + WORTH_CUTTING
    return [part if len(part.text) <= longest else replace(part, text=_shortened(part.text, limit)) for part in parts]


def _segment(text: str, over: Sequence[Mark]) -> Segment:
    weights = [m.weight for m in over if m.weight is not None]
    numbers = sorted(m.number for m in over if m.weight is not None)
    return Segment(visible(text), max(weights, default=None), tuple(numbers), len(weights) < len(over))


def _shortened(text: str, limit: int) -> str:
    head = text[: limit // 2].rsplit(" ", 1)[0].rstrip()
    tail = text[len(text) - limit // 2 :].split(" ", 1)[-1].lstrip()
    return f"{head} [… {len(text) - len(head) - len(tail):,} characters …] {tail}"
