"""Dates as they are written in English prose: ISO, "28 April 2014", "April 28, 2014", 04/28/2014, years, centuries.

A slashed date is read month first unless that is impossible. Times of day are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from ragstone.text.lexicon import words
from ragstone.text.number_words import ORDINAL_WORDS

__all__ = ["MONTHS", "Date", "DatePart", "Precision", "find_dates"]

MONTHS: tuple[str, ...] = words("January February March April May June July August September October November December")
_MONTH_NUMBER = {name[:3].lower(): number for number, name in enumerate(MONTHS, start=1)}


class Precision(IntEnum):
    """How fine a date is; a greater value is finer."""

    CENTURY = 0
    DECADE = 1
    YEAR = 2
    MONTH = 3
    DAY = 4


@dataclass(frozen=True, slots=True)
class DatePart:
    """Where one part of a date is written: ``name`` is century, decade, year, end_year, month or day."""

    name: str
    start: int
    end: int
    value: int


@dataclass(frozen=True, slots=True)
class Date:
    """A date with its span. ``year`` is negative for BC; a decade or a century gives its first year.

    ``year`` is None for "28 April" and "in April"; ``month`` and ``day`` are None where they are not written.
    """

    start: int
    end: int
    precision: Precision
    year: int | None
    month: int | None
    day: int | None
    parts: tuple[DatePart, ...]

    @property
    def key(self) -> str:
        """The date in one form: ``2014-04-28``, ``2014-04``, ``2014``, ``--04-28``, ``1990s``, ``c1801``."""
        year = "-" if self.year is None else f"{self.year:04d}"
        if self.precision is Precision.CENTURY:
            return f"c{year}"
        if self.precision is Precision.DECADE:
            return f"{year}s"
        return "-".join([year, *(f"{part:02d}" for part in (self.month, self.day) if part is not None)])


_LONG = "|".join(MONTHS)
_SHORT = "|".join(name[:3] for name in MONTHS if name != "May") + "|Sept"
_M = rf"(?P<month>(?:{_LONG})(?![a-z])|(?:{_SHORT})\.?(?![a-z]))"
_Y = r"(?P<year>1\d{3}|20\d{2})(?!\d)"
_D = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_TH = r"(?:st|nd|rd|th)?"
_COMMA = r"(?: ?, ?| )"
_CENTURIES = "|".join(sorted((word for word, n in ORDINAL_WORDS.items() if n <= 21), key=len, reverse=True))
_OPEN = r"(?<![\w/.,:$€£#+-])"
_ERA = r" ?(?P<era>BCE|BC|B\.C\.|CE|AD|A\.D\.)(?![A-Za-z])"

# Tried in order; a later pattern never reads what an earlier one has read.
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_OPEN}{_Y}-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])(?![\w-])",
        rf"{_OPEN}(?P<month>0?[1-9]|1[0-2])/{_D}/{_Y}(?![\w/])",
        rf"{_OPEN}{_D}/(?P<month>0?[1-9]|1[0-2])/{_Y}(?![\w/])",
        rf"{_OPEN}{_D}\.(?P<month>0?[1-9]|1[0-2])\.{_Y}(?!\.?\w)",
        rf"{_OPEN}{_D}{_TH}(?: of)? {_M}(?:{_COMMA}{_Y})?",
        rf"\b{_M} (?:the )?{_D}{_TH}(?![\w:.]\d|\w)(?:{_COMMA}{_Y})?",
        rf"\b{_M}(?: of |{_COMMA}){_Y}",
        rf"{_OPEN}(?P<year>\d{{1,4}}){_ERA}",
        r"\b(?P<era>AD|A\.D\.) (?P<year>\d{1,4})(?!\d)",
        r"(?<![\w/.,:$€£#+])(?P<decade>1\d\d0|20\d0)'?s(?!\w)",
        r"(?<![\w-])(?P<century>\d{1,2})(?:st|nd|rd|th)[ -][Cc]entury(?: (?P<era>BCE?))?\b",
        rf"(?<![\w-])(?P<century>(?i:(?:twenty-)?(?:{_CENTURIES})))[ -][Cc]entury(?: (?P<era>BCE?))?\b",
        rf"{_OPEN}{_Y}(?: ?-- ?|[-–/])(?P<end_year>\d\d)(?![\w/-])",
        rf"{_OPEN}{_Y}(?!\w|%|[.,:/]\d|-\w*[A-Za-z]|-(?!1\d{{3}}|20\d\d)\d)",
        rf"(?<=\d[–—-]){_Y}(?!\w|%|[.,:/]\d)",
        rf"(?<=\b[Ii]n ){_M}(?![\w-]| [A-Z])",
        rf"(?<=\b[Ss]ince ){_M}(?![\w-]| [A-Z])",
        rf"(?<=\b[Uu]ntil ){_M}(?![\w-]| [A-Z])",
    )
)
# A bare four-digit number before a lower-case plural is a count ("1500 people") unless one of these words is before it.
_BEFORE_YEAR = frozenset(
    words(
        "in since by from until till during of year years circa c. ca. before after between early late mid the a an "
        "his her its their our spring summer autumn fall winter season"
    )
)
_BEFORE_COUNT = frozenset(words("about over nearly almost approximately some than only least most roughly exactly"))
_PLURALS = frozenset(words("people men women children feet species troops cattle sheep staff"))
_WORD_BEFORE = re.compile(r"([A-Za-z.]+)[ (]*$")
_WORD_AFTER = re.compile(r" ?([a-z]+|%)")


def find_dates(text: str) -> tuple[Date, ...]:
    """All dates of ``text``, in order, none overlapping another. Never raises."""
    found: list[Date] = []
    if any(character.isdigit() for character in text) or "entury" in text or _has_month(text):
        taken = bytearray(len(text))
        for pattern in _PATTERNS:
            for date in _matches(pattern, text):
                if not any(taken[date.start : date.end]):
                    taken[date.start : date.end] = b"\x01" * (date.end - date.start)
                    found.append(date)
    return tuple(sorted(found, key=lambda date: date.start))


def _has_month(text: str) -> bool:
    return any(name in text for name in MONTHS)


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[Date]:
    for match in pattern.finditer(text):
        groups = {name: value for name, value in match.groupdict().items() if value is not None}
        parts = tuple(
            DatePart(name, *match.span(name), _value(name, written))
            for name, written in groups.items()
            if name != "era"
        )
        bare = set(groups) == {"year"} and match.end() - match.start() == 4
        if bare and _is_count(text, match.start(), match.end()):
            continue
        if "end_year" in groups and not _ends_later(match):
            continue
        yield _date(match.start(), match.end(), parts, groups.get("era", "").startswith("B"))


def _ends_later(match: re.Match[str]) -> bool:
    # "2006-07" is a season, or else a month; "1916–22" spans years.
    start, end = int(match["year"]), int(match["end_year"])
    dashed = match.string[match.end("year") : match.start("end_year")].strip() in ("–", "--")
    return end == (start + 1) % 100 or (dashed and end > start % 100)


def _date(start: int, end: int, parts: tuple[DatePart, ...], before_christ: bool) -> Date:
    values = {part.name: part.value for part in parts}
    year, precision = values.get("year"), Precision.YEAR
    if "century" in values:
        year, precision = 100 * (values["century"] - 1) + 1, Precision.CENTURY
    elif "decade" in values:
        year, precision = values["decade"], Precision.DECADE
    elif "day" in values:
        precision = Precision.DAY
    elif "month" in values:
        precision = Precision.MONTH
    if year is not None and before_christ:
        year = -year
    ordered = tuple(sorted(parts, key=lambda part: part.start))
    return Date(start, end, precision, year, values.get("month"), values.get("day"), ordered)


def _value(name: str, written: str) -> int:
    if written.isdecimal():
        return int(written)
    if name == "month":
        return _MONTH_NUMBER[written[:3].lower()]
    tens, _, unit = written.lower().rpartition("-")
    return (20 if tens else 0) + ORDINAL_WORDS[unit]


def _is_count(text: str, start: int, end: int) -> bool:
    before = _WORD_BEFORE.search(text, max(0, start - 24), start)
    after = _WORD_AFTER.match(text, end)
    word = before[1].lower() if before else ""
    if word in _BEFORE_COUNT:
        return after is not None
    if after is None or word in _BEFORE_YEAR or word[:3] in _MONTH_NUMBER:
        return False
    follower = after[1]
    return (
        follower in _PLURALS
        or follower == "%"
        or (
            (follower.endswith("s") and not follower.endswith(("us", "ss")))
            and follower not in ("was", "is", "as", "has")
        )
    )
