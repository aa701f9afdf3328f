"""Numbers and measurements in text, with their spans and one base value each.

Read are "13,000", "13 000", "1.5 million", "13k", "1,5" (decimal comma), "3½", "twenty-one", "a dozen", "13th",
"$5m", "45 %", "5-mile", "10–20 km". Not read are numbers that belong to a date, an identifier, a time of day, a
version, a ratio or a word; nor "one" where it may be a pronoun.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from ragstone.text.dates import find_dates
from ragstone.text.identifiers import find_identifiers
from ragstone.text.lexicon import words
from ragstone.text.number_words import NUMBER_WORDS, ORDINAL_WORDS, SCALES, value_of_words
from ragstone.text.units import CURRENCY_SIGNS, UNITS, Dimension, Unit

__all__ = ["Quantity", "find_quantities"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, with its unit where one is written.

    ``start`` and ``end`` span sign, number, scale word and unit; ``number_start`` and ``number_end`` only the digits
    or number words, without sign, scale word and currency sign. ``value`` is the number times its scale word;
    ``base_value`` is it in the base unit of ``dimension`` (see :mod:`ragstone.text.units`). ``scale`` is what a scale
    word or suffix multiplies the number by (1 without one), ``noun`` the lower-case word that follows, if any.
    """

    start: int
    end: int
    number_start: int
    number_end: int
    value: float
    base_value: float
    dimension: Dimension
    unit: str | None
    scale: float
    spelled: bool
    noun: str | None


_SPACE = "[ \u00a0\u202f\u2009]"
_FRACTIONS = "¼½¾⅓⅔⅛⅜⅝⅞⅕⅖⅗⅘⅙⅚"
_DIGITS = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]\d)"
    r"|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?(?!\d)|\d{1,3}(?:\.\d{3})+,\d+(?!\d)"
    r"|[1-9]\d{0,2}(?:[\u00a0\u202f\u2009']\d{3})+(?:[.,]\d+)?(?!\d)|[1-9]\d{0,2}(?: \d{3})+(?!\d| \d)"
    r"|\d+,\d{1,2}(?![\d,])|\d+\.\d+|\d+|(?<=[ (-])\.\d+"
)
_NUMERAL = re.compile(
    rf"(?<![\w.,:/’'])(?:(?P<currency>US\$|[$€£¥₹₩]|(?:USD|EUR|GBP|JPY|CHF) ){_SPACE}?)?"
    rf"(?P<sign>(?<!\d)[-−+–])?(?P<number>(?:{_DIGITS})[{_FRACTIONS}]?|[{_FRACTIONS}])"
    r"(?P<ordinal>st|nd|rd|th)?(?P<tail>[:/.]\d|-\d+-\d)?"
)
_SCALE = re.compile(rf"{_SPACE}?(?P<word>(?i:hundred|thousand|million|billion|trillion|lakh|crore|dozen))s?(?![\w])")
_SUFFIX = re.compile(r"(?P<suffix>k|K|mn|m|M|bn|B|b|tn|T)(?![\w°/²³])")
_SUFFIX_VALUES = {
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "m": 1e6,
    "mn": 1e6,
    "bn": 1e9,
    "B": 1e9,
    "b": 1e9,
    "tn": 1e12,
    "T": 1e12,
}
_UNIT = re.compile(
    rf"(?:{_SPACE}|-)?(?P<unit>{'|'.join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))})(?![\w²³])"
)
_CARDINALS = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_SCALE_WORDS = "|".join(SCALES)
_WORDS = re.compile(
    rf"(?<![\w-])(?:(?:half )?an? (?:{_SCALE_WORDS}|dozen)|(?:{_CARDINALS}))"
    rf"(?:(?:[ -]| and )(?:{_CARDINALS}|{_SCALE_WORDS}))*(?![\w’'])",
    re.IGNORECASE,
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ORDINAL = re.compile(
    rf"(?<![\w-])(?:(?:{_TENS})-)?(?:{'|'.join(sorted(ORDINAL_WORDS, key=len, reverse=True))})(?![\w])", re.IGNORECASE
)
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_PART = re.compile(rf"(?<![\w-])(?P<count>one|two|three|four|five|seven)[ -](?P<part>{'|'.join(_PARTS)})s?(?!\w)", re.I)
_NOUN = re.compile(r"[ -]([a-z]+)")
_RANGE = re.compile(rf"{_SPACE}?(?:-|–|—|--|to|and|or){_SPACE}?")
# "one of the", "no one", "that one": a pronoun. "one" is read as a number before a noun or a scale word only.
_NO_NOUN = frozenset(
    words(
        "of is was are were has have had can could will would may might must should who whom whose that which and or "
        "but to in on at by for from with as than if when another more less day thing way"
    )
)
_FRACTION_PART = re.compile(f"[{_FRACTIONS}]")


def find_quantities(text: str, *, exclude: Iterable[tuple[int, int]] | None = None) -> tuple[Quantity, ...]:
    """All quantities of ``text``, in order, none overlapping.

    ``exclude`` lists spans in which nothing is read; by default the dates and identifiers of ``text``. Never raises.
    """
    if exclude is None:
        dates, identifiers = find_dates(text), find_identifiers(text)
        exclude = [*((date.start, date.end) for date in dates), *((name.start, name.end) for name in identifiers)]
    blocked = bytearray(len(text))
    for start, end in exclude:
        blocked[start:end] = b"\x01" * (end - start)
    found: list[Quantity] = []
    for quantity in (*_numerals(text), *_parts(text), *_ordinals(text), *_spelled(text)):
        if not any(blocked[quantity.start : quantity.end]):
            blocked[quantity.start : quantity.end] = b"\x01" * (quantity.end - quantity.start)
            found.append(quantity)
    found.sort(key=lambda quantity: quantity.start)
    return tuple(_share_units(text, found))


def parse_number(written: str) -> float:
    """The value of digits with separators, decimal point or comma, and vulgar fractions."""
    fraction = sum(unicodedata.numeric(character) for character in _FRACTION_PART.findall(written))
    digits = re.sub("[ \u00a0\u202f\u2009']", "", _FRACTION_PART.sub("", written))
    if not digits:
        return fraction
    if "," in digits and "." in digits:
        decimal = max(digits.rfind(","), digits.rfind("."))
        digits = re.sub("[.,]", "", digits[:decimal]) + "." + digits[decimal + 1 :]
    elif digits.count(".") > 1 or (digits.count(",") >= 1 and re.fullmatch(r"\d{1,3}(?:,\d{3})+", digits)):
        digits = re.sub("[.,]", "", digits)
    return float(digits.replace(",", ".")) + fraction


def _numerals(text: str) -> Iterator[Quantity]:
    for match in _NUMERAL.finditer(text):
        start, end = match.start(), match.end("number")
        if match["tail"] or end - match.start("number") > 40:
            continue
        value, number_end = parse_number(match["number"]), end
        if match["ordinal"]:
            yield _quantity(text, (start, match.end("ordinal")), (match.start("number"), end), value, Dimension.ORDINAL)
            continue
        scale, end = _scale_after(text, end, money=match["currency"] is not None)
        if match["sign"] in ("-", "−", "–"):
            value = -value
        if match["currency"]:
            unit: Unit | None = Unit(
                CURRENCY_SIGNS.get(match["currency"], match["currency"].strip()), Dimension.CURRENCY
            )
        else:
            unit, end = _unit_after(text, end)
        if unit is None and end < len(text) and (text[end].isalnum() or text[end] == "_"):
            continue
        yield _quantity(text, (start, end), (match.start("number"), number_end), value, Dimension.COUNT, unit, scale)


def _spelled(text: str) -> Iterator[Quantity]:
    for match in _WORDS.finditer(text):
        phrase = match[0].lower()
        half = phrase.startswith("half ")
        value = value_of_words(phrase.removeprefix("half "))
        if value is None:
            continue
        scale, end = _scale_after(text, match.end(), money=False)
        unit, end = _unit_after(text, end)
        if phrase == "one" and scale == 1 and not _counts_one(text, match.start(), end, unit):
            continue
        value = value / 2 if half else value
        yield _quantity(text, (match.start(), end), match.span(), value, Dimension.COUNT, unit, scale, spelled=True)


def _parts(text: str) -> Iterator[Quantity]:
    for match in _PART.finditer(text):
        count, part = NUMBER_WORDS[match["count"].lower()], _PARTS[match["part"].lower()]
        if count < part:
            yield _quantity(text, match.span(), match.span(), count / part, Dimension.COUNT, spelled=True)


def _ordinals(text: str) -> Iterator[Quantity]:
    for match in _ORDINAL.finditer(text):
        tens, _, unit = match[0].lower().rpartition("-")
        value = float(NUMBER_WORDS.get(tens, 0) + ORDINAL_WORDS[unit])
        yield _quantity(text, match.span(), match.span(), value, Dimension.ORDINAL, spelled=True)


def _quantity(
    text: str,
    span: tuple[int, int],
    number: tuple[int, int],
    value: float,
    dimension: Dimension,
    unit: Unit | None = None,
    scale: float = 1.0,
    *,
    spelled: bool = False,
) -> Quantity:
    noun = _NOUN.match(text, span[1])
    value *= scale
    return Quantity(
        start=span[0],
        end=span[1],
        number_start=number[0],
        number_end=number[1],
        value=value,
        base_value=value if unit is None else value * unit.factor + unit.offset,
        dimension=dimension if unit is None else unit.dimension,
        unit=None if unit is None else unit.name,
        scale=scale,
        spelled=spelled,
        noun=noun[1] if noun and noun[1] not in _NO_NOUN else None,
    )


def _scale_after(text: str, end: int, *, money: bool) -> tuple[float, int]:
    if match := _SCALE.match(text, end):
        word = match["word"].lower()
        return (12.0 if word == "dozen" else SCALES[word]), match.end()
    # "5m" is five metres and "300 K" a temperature; "$5m", "13k" and "7B" are scaled.
    if (match := _SUFFIX.match(text, end)) and (money or match["suffix"] not in ("m", "b", "T")):
        return _SUFFIX_VALUES[match["suffix"]], match.end()
    return 1.0, end


def _unit_after(text: str, end: int) -> tuple[Unit | None, int]:
    match = _UNIT.match(text, end)
    return (UNITS[match["unit"]], match.end()) if match else (None, end)


def _counts_one(text: str, start: int, end: int, unit: Unit | None) -> bool:
    if text[:start].rstrip().lower().endswith(("no", "each", "every", "any", "some", "that", "this", "the", "which")):
        return False
    noun = _NOUN.match(text, end)
    return (unit is not None and unit.name != "day") or (noun is not None and noun[1] not in _NO_NOUN)


def _share_units(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """The first of "10–20 km", "5 to 6 million" takes the unit of the second."""
    for quantity, following in zip_longest(found, found[1:]):
        shares = (
            following is not None
            and quantity.dimension is Dimension.COUNT
            and following.dimension not in (Dimension.COUNT, Dimension.ORDINAL)
            and _RANGE.fullmatch(text, quantity.end, following.start) is not None
        )
        if not shares or following is None:
            yield quantity
            continue
        scale = following.scale if quantity.scale == 1 else 1.0
        slope = (following.base_value - _offset(following)) / following.value if following.value else 1.0
        value = quantity.value * scale
        yield replace(
            quantity,
            value=value,
            base_value=value * slope + _offset(following),
            dimension=following.dimension,
            unit=following.unit,
            scale=quantity.scale * scale,
        )


def _offset(quantity: Quantity) -> float:
    return next((unit.offset for unit in UNITS.values() if unit.name == quantity.unit), 0.0)
