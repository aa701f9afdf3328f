"""Whether a text states a value: a name, a date or a number, however it is written, unless it denies it.

"8849 m" states 8,849 metres, "July 20, 1969" states 20 July 1969, "it is not in Paris" does not state Paris.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ragstone.text.dates import Date, find_dates
from ragstone.text.entities import find_entities
from ragstone.text.quantities import Quantity, find_quantities
from ragstone.text.units import Dimension

__all__ = [
    "Kind",
    "Value",
    "dates_of",
    "denies",
    "entities_of",
    "folded",
    "has_phrase",
    "is_negated",
    "quantities_of",
    "states",
]

# The same passages and answers are read for cell after cell; reading them is what scoring a sweep takes its time for.
dates_of = lru_cache(maxsize=8192)(find_dates)
quantities_of = lru_cache(maxsize=8192)(find_quantities)
entities_of = lru_cache(maxsize=8192)(find_entities)

# Rounding in an answer ("about 8,850 metres") stays within it, the smallest poisoned shift does not.
_TOLERANCE = 0.005
_NEGATION = re.compile(
    r"\b(?:not|never|neither|nor|cannot|without|false|untrue|incorrect|wrong|no longer)\b|n[’']t\b", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[,.;:!?](?=\s|$)|\bbut\b|\brather\b|\binstead\b", re.IGNORECASE)


class Kind(StrEnum):
    """What is compared: words, the parts of a date, or a number with its unit."""

    PHRASE = "phrase"
    DATE = "date"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Value:
    """A value in one of its spellings."""

    text: str
    kind: Kind

    @classmethod
    def of(cls, text: str) -> Value:
        """The kind is read from the spelling: "1911" is a date, "20 lifeboats" a number, "Paris" a phrase."""
        if dates_of(text):
            return cls(text, Kind.DATE)
        return cls(text, Kind.NUMBER if quantities_of(text) else Kind.PHRASE)


def states(text: str, value: Value) -> bool:
    """Whether ``text`` mentions ``value`` in a clause that is not negated."""
    return any(not is_negated(read, start, end) for read, start, end in _mentions(text, value))


def denies(text: str, value: Value) -> bool:
    """Whether ``text`` mentions ``value`` in negated clauses only."""
    found = list(_mentions(text, value))
    return bool(found) and all(is_negated(read, start, end) for read, start, end in found)


def has_phrase(text: str, phrase: str) -> bool:
    """Whether ``text`` holds the words of ``phrase``; case, accents, hyphens and blanks do not matter."""
    return any(True for _ in _phrases(folded(text), folded(phrase)))


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """``text`` in lower case without accents, hyphens as blanks, runs of blanks as one."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"[\s\u2010-\u2015-]+", " ", plain.replace("’", "'")).strip().casefold()


def is_negated(text: str, start: int = 0, end: int | None = None) -> bool:
    """Whether the clause around ``text[start:end]`` holds an odd number of negations."""
    end = len(text) if end is None else end
    before = [match.end() for match in _CLAUSE_END.finditer(text, 0, start)]
    after = _CLAUSE_END.search(text, end)
    clause = text[before[-1] if before else 0 : after.start() if after else len(text)]
    return len(_NEGATION.findall(clause)) % 2 == 1


def _mentions(text: str, value: Value) -> Iterator[tuple[str, int, int]]:
    """(text that was read, start, end) of each mention."""
    if value.kind is Kind.DATE:
        wanted = dates_of(value.text)
        for date in dates_of(text):
            if any(_same_date(date, other) for other in wanted):
                yield text, date.start, date.end
    elif value.kind is Kind.NUMBER:
        numbers = quantities_of(value.text)
        for quantity in quantities_of(text):
            if any(_same_number(quantity, other) for other in numbers):
                yield text, quantity.start, quantity.end
    else:
        read = folded(text)
        for match in _phrases(read, folded(value.text)):
            yield read, match.start(), match.end()


def _phrases(text: str, phrase: str) -> Iterator[re.Match[str]]:
    if phrase:
        yield from re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text)


def _same_date(found: Date, wanted: Date) -> bool:
    """The same year, and no other month or day; one without a year has to have the same month and day."""
    pairs = ((found.year, wanted.year), (found.month, wanted.month), (found.day, wanted.day))
    if any(a is not None and b is not None and a != b for a, b in pairs):
        return False
    if found.year is not None and wanted.year is not None:
        return True
    return found.month is not None and found.month == wanted.month and found.day == wanted.day


def _same_number(found: Quantity, wanted: Quantity) -> bool:
    """Within half a per cent; a number without a unit is taken to have the other's."""
    if found.dimension is wanted.dimension:
        return math.isclose(found.base_value, wanted.base_value, rel_tol=_TOLERANCE)
    bare = Dimension.COUNT in (found.dimension, wanted.dimension)
    return bare and math.isclose(found.value, wanted.value, rel_tol=_TOLERANCE)
