"""Wrong numbers in the form of the right ones: separators, decimals, words, ordinals, years and percentages kept."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from ragstone.attacks.base import Edit
from ragstone.text.dates import MONTHS, Date, DatePart
from ragstone.text.number_words import NUMBER_WORDS, ordinal_suffix, ordinal_word, spell
from ragstone.text.quantities import Quantity
from ragstone.text.units import Dimension

__all__ = ["Shift", "date_edits", "draw_shift", "wrong_number"]

# Years after this one would give the change away.
LATEST_YEAR = 2025
_CARDINAL = re.compile(rf"\b(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))}|an?)\b", re.IGNORECASE)
_FRACTIONS = ("one-third", "two-thirds", "three-quarters", "two-fifths")
_PLURAL_UNIT = re.compile(
    r" (mile|metre|meter|kilometre|kilometer|hour|minute|second|day|week|month|year|decade|gram|pound)"
)
_BEFORE_ORDINAL = re.compile(r"\b(?:the|his|her|its|their|a|an)\s+$", re.IGNORECASE)
_AFTER_ORDINAL = re.compile(r"[ -](?!(?:time|and|of|or|to|place|few|two|three|four|five|half)\b)[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Shift:
    """How far numbers move: measures and counts by ``factor``, years by ``years``, small counts by ``step``.

    One shift for a whole passage keeps the order of its numbers and the agreement of repeated ones.
    """

    factor: float
    years: int
    step: int


def draw_shift(rng: random.Random) -> Shift:
    """A shift upwards or downwards, far enough to be wrong and near enough to be believed."""
    up = rng.random() < 0.5
    factor = rng.uniform(1.3, 1.9) if up else rng.uniform(0.45, 0.75)
    sign = 1 if up else -1
    return Shift(factor, sign * rng.randint(2, 12), sign * rng.randint(1, 3))


def wrong_number(text: str, quantity: Quantity, shift: Shift) -> Edit | None:
    """The edit that makes ``quantity`` wrong; None where no other number would fit the grammar ("1 mile")."""
    start, end = quantity.number_start, quantity.number_end
    written = text[start:end]
    if quantity.value < 8 and text[:start].endswith((" all ", "All ")):
        return None
    if quantity.dimension is Dimension.ORDINAL:
        return _wrong_ordinal(text, quantity, shift)
    if quantity.value == 1 and quantity.unit and (plural := _PLURAL_UNIT.fullmatch(text, end, quantity.end)):
        count = str(1 + abs(shift.step)) if written.isdecimal() else spell(1 + abs(shift.step))
        return Edit(start, quantity.end, text[start : quantity.end], f"{count} {plural[1]}s")
    after = _wrong_words(written, quantity, shift) if quantity.spelled else _wrong_digits(written, quantity, shift)
    return None if after is None or after == written else Edit(start, end, written, after)


def date_edits(text: str, date: Date, shift: Shift) -> list[Edit]:
    """The edits that make ``date`` wrong: its year, decade or century; its day, or month, where no year is written."""
    parts = {part.name: part for part in date.parts}
    if year := parts.get("year"):
        value = _moved_year(year.value, shift)
        edits = [_part_edit(text, year, str(value))]
        if end := parts.get("end_year"):
            edits.append(_part_edit(text, end, f"{(end.value + value - year.value) % 100:02d}"))
        return edits
    if decade := parts.get("decade"):
        value = decade.value + 10 * (1 if shift.years > 0 and decade.value + 10 < LATEST_YEAR else -1)
        return [_part_edit(text, decade, str(value))]
    if century := parts.get("century"):
        return [_century_edit(text, century, shift)]
    if day := parts.get("day"):
        value = (day.value - 1 + abs(shift.years)) % 28 + 1
        return [_day_edit(text, date, day, value if value != day.value else value % 28 + 1)]
    if month := parts.get("month"):
        return [_month_edit(text, month, shift)]
    return []


def _moved_year(year: int, shift: Shift) -> int:
    moved = year + shift.years
    if year <= LATEST_YEAR < moved or (moved < 1000 <= year) or moved < 1:
        moved = year - shift.years
    return max(1, moved) if max(1, moved) != year else year + 1


def _part_edit(text: str, part: DatePart, after: str) -> Edit:
    return Edit(part.start, part.end, text[part.start : part.end], after)


def _day_edit(text: str, date: Date, day: DatePart, value: int) -> Edit:
    suffix = text[day.end : day.end + 2]
    if suffix in ("st", "nd", "rd", "th") and day.end + 2 <= date.end:
        return Edit(day.start, day.end + 2, text[day.start : day.end + 2], f"{value}{ordinal_suffix(value)}")
    return _part_edit(text, day, str(value))


def _month_edit(text: str, month: DatePart, shift: Shift) -> Edit:
    written = text[month.start : month.end]
    other = MONTHS[(month.value - 1 + abs(shift.years)) % 12 if abs(shift.years) % 12 else month.value % 12]
    return _part_edit(text, month, other if len(written.rstrip(".")) > 3 or written == "May" else other[:3])


def _century_edit(text: str, century: DatePart, shift: Shift) -> Edit:
    up = shift.years > 0 and century.value < 21
    value = century.value + 1 if up or century.value == 1 else century.value - 1
    if text[century.start].isalpha():
        word = ordinal_word(value) or ""
        return _part_edit(text, century, word.capitalize() if text[century.start].isupper() else word)
    end = century.end + 2
    return Edit(century.start, end, text[century.start : end], f"{value}{ordinal_suffix(value)}")


def _wrong_ordinal(text: str, quantity: Quantity, shift: Shift) -> Edit | None:
    start, end = quantity.start, quantity.end
    before, number = text[start:end], int(quantity.value)
    article = text[max(0, start - 3) : start].lower()
    value = max(2 if number != 2 else 3, number + shift.step)
    if value == number:
        value += 1
    if article.endswith((" a ", " an ")) or article in ("a ", "an "):
        value = {8: 7, 11: 12, 18: 17}.get(value, value)
    if not quantity.spelled:
        return Edit(start, end, before, f"{value}{ordinal_suffix(value)}") if value != number else None
    if (
        before[0].isupper()
        or not _BEFORE_ORDINAL.search(text, max(0, start - 12), start)
        or not _AFTER_ORDINAL.match(text, end)
    ):
        return None
    word = ordinal_word(value)
    if word is None or value == number:
        return None
    return Edit(start, end, before, word)


def _wrong_words(written: str, quantity: Quantity, shift: Shift) -> str | None:
    if 0 < quantity.value < 1 and quantity.dimension is Dimension.COUNT:
        other = _FRACTIONS[(_FRACTIONS.index(written.lower()) + 1) % 4] if written.lower() in _FRACTIONS else None
        return _styled(written, other)
    if quantity.value / quantity.scale == 1 and quantity.scale == 1:
        return None
    written = re.sub(r"^half (?=an? )", "", written, flags=re.IGNORECASE)
    match = _CARDINAL.search(written)
    if match is None:
        return None
    first = match[0].lower()
    value = 1 if first in ("a", "an") else NUMBER_WORDS[first]
    moved = _moved_count(value, shift)
    if value >= 20 and match.end() < len(written) and written[match.end()] == "-":
        moved = max(20, min(90, round(moved / 10) * 10))
        moved = moved if moved != value else (moved % 90) + 10
        moved = max(20, moved)
    other = spell(moved)
    return None if other is None else _styled(written, written[: match.start()] + other + written[match.end() :])


def _styled(written: str, after: str | None) -> str | None:
    if after is None:
        return None
    return after[:1].upper() + after[1:] if written[0].isupper() else after


def _moved_count(value: int, shift: Shift) -> int:
    """A near count that is neither ``value`` nor one, which would need a singular noun."""
    moved = round(value * shift.factor) if value >= 8 else value + shift.step
    moved = max(2, moved)
    return moved if moved != value else value + 1


def _wrong_digits(written: str, quantity: Quantity, shift: Shift) -> str | None:
    digits = re.sub(r"\D", "", written)
    if (
        not digits.isascii()
        or len(digits) > 15
        or (len(digits) > 1 and written.startswith("0") and written[1].isdigit())
    ):
        return None
    if not written[-1].isdigit():
        return None
    number = abs(quantity.value / quantity.scale)
    decimals = _decimals(written, number)
    counted = quantity.dimension in (Dimension.COUNT, Dimension.TIME, Dimension.LENGTH, Dimension.MASS)
    if number == 1 and not decimals and quantity.scale == 1 and counted:
        return None
    if quantity.dimension is Dimension.DATA and not decimals:
        return _like(written, _moved_size(int(digits), shift), 0)
    if quantity.dimension is Dimension.PERCENT and shift.factor > 1:
        # Always downwards, so that no percentage leaves its range.
        shift = Shift(1 / shift.factor, shift.years, -shift.step)
    return _like(written, _moved_integer(int(digits), shift, decimals=decimals), decimals)


def _decimals(written: str, number: float) -> int:
    """How many digits of ``written`` stand after its decimal mark."""
    match = re.search(r"[.,](\d+)$", written)
    if match is None or number == int(re.sub(r"\D", "", written)):
        return 0
    return len(match[1])


def _moved_integer(value: int, shift: Shift, *, decimals: int) -> int:
    if value < 8 and not decimals:
        return _moved_count(value, shift)
    unit = 1
    while not decimals and value % (unit * 10) == 0 and value // (unit * 10) >= 4:
        unit *= 10
    moved = max(1, round(value * shift.factor / unit)) * unit
    if moved == value:
        moved += unit
    # "1.30" would be written "1.3".
    return moved + 1 if decimals and moved % 10 == 0 and moved + 1 != value else moved


def _moved_size(value: int, shift: Shift) -> int:
    """Sizes stay powers of two, or multiples of eight, where they are."""
    if value >= 2 and value & (value - 1) == 0:
        return value * 2 if shift.factor > 1 or value == 2 else value // 2
    if value % 8 == 0 and value:
        moved = max(8, round(value * shift.factor / 8) * 8)
        return moved if moved != value else value + 8
    return _moved_integer(value, shift, decimals=0)


def _like(written: str, value: int, decimals: int) -> str:
    """``value`` (in units of the last decimal) with the separators of ``written``."""
    whole, fraction = divmod(value, 10**decimals)
    mark = written[-decimals - 1] if decimals else ""
    separators = set(re.sub(r"\d", "", written[: len(written) - decimals - 1] if decimals else written))
    grouped = f"{whole:,}".replace(",", separators.pop()) if separators else str(whole)
    lead = "" if written.startswith(".") and whole == 0 else grouped
    return f"{lead}{mark}{fraction:0{decimals}d}" if decimals else grouped
