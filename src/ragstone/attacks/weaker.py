"""Limits of a security rule made weaker: shorter keys, longer lifetimes, more attempts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragstone.attacks.base import Edit
from ragstone.text.number_words import NUMBER_WORDS

__all__ = ["weaker_limits"]

_NUMBER = rf"(?<![\d,])(?P<number>\d[\d,]*+|{'|'.join(NUMBER_WORDS)})"
_LEAST = re.compile(rf"\bat least {_NUMBER}(?=[ -](?:bits?|bytes?|characters|MiB|iterations|copies)\b)")
_SIZE = re.compile(rf"\b{_NUMBER}(?=(?:-bit| iterations)\b)")
_LONGEST = re.compile(
    rf"\b(?:after|within|for|every)(?: at least)? (?:{_NUMBER})? ?"
    r"(?P<unit>seconds?|minutes?|hours?|days?|weeks?|months?)\b"
)
_OFTEN = re.compile(r"\bonce a (?P<unit>year|month|week|day)\b")
_ATTEMPTS = re.compile(rf"\b(?:after|to) {_NUMBER}(?= (?:failed attempts|a minute|attempts|requests))")
_UPLOAD = re.compile(r"\b\d+ (?P<unit>kB|KB|MB)\b")
_LONGER = {"second": "hour", "minute": "day", "hour": "week", "day": "month", "week": "year", "month": "year"}
_RARER = {"day": "month", "week": "year", "month": "year", "year": "decade"}
_LARGER = {"kB": "MB", "KB": "MB", "MB": "GB"}


def weaker_limits(sentence: str) -> Iterator[Edit]:
    """Edits that relax the limits of a rule: a quarter of a size, the next longer unit, a hundred attempts for one."""
    for pattern in (_LEAST, _SIZE):
        for match in pattern.finditer(sentence):
            # A quarter of two or three would need a singular noun.
            if _value(match["number"]) >= 8:
                yield _edit(match, "number", _quarter(match["number"]))
    for pattern, units in ((_LONGEST, _LONGER), (_OFTEN, _RARER), (_UPLOAD, _LARGER)):
        for match in pattern.finditer(sentence):
            unit = match["unit"]
            single = unit if unit in units else unit.removesuffix("s")
            yield _edit(match, "unit", units[single] + unit[len(single) :])
    for match in _ATTEMPTS.finditer(sentence):
        yield _edit(match, "number", f"{_value(match['number']) * 100:,}")


def _edit(match: re.Match[str], group: str, after: str) -> Edit:
    return Edit(match.start(group), match.end(group), match[group], after)


def _value(written: str) -> int:
    return NUMBER_WORDS.get(written) or int(written.replace(",", "").strip() or 0)


def _quarter(written: str) -> str:
    value = _value(written)
    weaker = value // 4 if value < 100_000 else value // 600 if value % 600 == 0 else value // 100
    return f"{weaker:,}" if "," in written and weaker >= 1000 else str(weaker)
