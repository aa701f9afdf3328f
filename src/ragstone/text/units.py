"""Units of measurement: what is written after a number, and what it comes to in one base unit per dimension.

Base units: metre, kilogram, second, byte, kelvin, square metre, litre, metre per second, watt, joule, hertz, volt,
fraction (of percentages), and each currency by its ISO 4217 code, since rates of exchange are not facts of a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["CURRENCY_SIGNS", "UNITS", "Dimension", "Unit"]


class Dimension(StrEnum):
    """What a quantity measures; ``count`` when no unit is written, ``ordinal`` for a place in an order."""

    COUNT = "count"
    ORDINAL = "ordinal"
    PERCENT = "percent"
    CURRENCY = "currency"
    LENGTH = "length"
    AREA = "area"
    VOLUME = "volume"
    MASS = "mass"
    TIME = "time"
    SPEED = "speed"
    TEMPERATURE = "temperature"
    DATA = "data"
    DATA_RATE = "data rate"
    POWER = "power"
    ENERGY = "energy"
    FREQUENCY = "frequency"
    VOLTAGE = "voltage"
    ANGLE = "angle"


@dataclass(frozen=True, slots=True)
class Unit:
    """``base value = value * factor + offset``; ``name`` is the unit's canonical symbol."""

    name: str
    dimension: Dimension
    factor: float = 1.0
    offset: float = 0.0


# dimension -> canonical symbol, factor, spellings ("metre*" stands for both "metre" and "metres").
_TABLE: dict[Dimension, tuple[tuple[str, float, str], ...]] = {
    Dimension.PERCENT: (
        ("%", 0.01, "%|percent|per cent|pct"),
        ("percentage point", 0.01, "percentage point*|percentage-point"),
    ),
    Dimension.LENGTH: (
        ("nm", 1e-9, "nm|nanometre*|nanometer*"),
        ("µm", 1e-6, "µm|μm|um|micrometre*|micrometer*|micron*"),
        ("mm", 1e-3, "mm|millimetre*|millimeter*"),
        ("cm", 1e-2, "cm|centimetre*|centimeter*"),
        ("m", 1.0, "m|metre*|meter*"),
        ("km", 1e3, "km|kilometre*|kilometer*"),
        ("in", 0.0254, "inch|inches"),
        ("ft", 0.3048, "ft|foot|feet"),
        ("yd", 0.9144, "yd|yard*"),
        ("mi", 1609.344, "mi|mile*"),
        ("nmi", 1852.0, "nmi|nautical mile*"),
        ("ly", 9.4607304725808e15, "light-year*|light year*|lightyear*"),
        ("au", 1.495978707e11, "AU|astronomical unit*"),
    ),
    Dimension.AREA: (
        ("m²", 1.0, "m²|m2|sq m|square metre*|square meter*"),
        ("km²", 1e6, "km²|km2|sq km|square kilometre*|square kilometer*"),
        ("mi²", 2.589988110336e6, "sq mi|square mile*"),
        ("ft²", 0.09290304, "sq ft|square foot|square feet"),
        ("ha", 1e4, "ha|hectare*"),
        ("acre", 4046.8564224, "acre*"),
    ),
    Dimension.VOLUME: (
        ("ml", 1e-3, "ml|mL|millilitre*|milliliter*"),
        ("l", 1.0, "l|L|litre*|liter*"),
        ("m³", 1e3, "m³|m3|cubic metre*|cubic meter*"),
        ("gal", 3.785411784, "gal|gallon*"),
    ),
    Dimension.MASS: (
        ("µg", 1e-9, "µg|μg|mcg|microgram*"),
        ("mg", 1e-6, "mg|milligram*"),
        ("g", 1e-3, "g|gram*|gramme*"),
        ("kg", 1.0, "kg|kilo*|kilogram*|kilogramme*"),
        ("t", 1e3, "t|tonne*|metric ton*"),
        ("ton", 907.18474, "ton*"),
        ("lb", 0.45359237, "lb|lbs|pound*"),
        ("oz", 0.028349523125, "oz|ounce*"),
    ),
    Dimension.TIME: (
        ("ns", 1e-9, "ns|nanosecond*"),
        ("µs", 1e-6, "µs|μs|microsecond*"),
        ("ms", 1e-3, "ms|millisecond*"),
        ("s", 1.0, "s|sec*|secs|second*"),
        ("min", 60.0, "min*|mins|minute*"),
        ("h", 3600.0, "h|hr|hrs|hour*"),
        ("day", 86400.0, "day*"),
        ("week", 604800.0, "week*|wk"),
        ("month", 2629746.0, "month*"),
        ("year", 31556952.0, "year*|yr|yrs|years old|year-old|years-old"),
        ("decade", 315569520.0, "decade*"),
        ("century", 3155695200.0, "century|centuries"),
    ),
    Dimension.SPEED: (
        ("m/s", 1.0, "m/s|metres per second|meters per second"),
        ("km/h", 1 / 3.6, "km/h|kph|kmh|kilometres per hour|kilometers per hour"),
        ("mph", 0.44704, "mph|miles per hour"),
        ("knot", 1852.0 / 3600.0, "kn|knot*"),
    ),
    Dimension.DATA: (
        ("bit", 0.125, "bit*"),
        ("byte", 1.0, "byte*"),
        ("kB", 1e3, "KB|kB|kilobyte*"),
        ("MB", 1e6, "MB|megabyte*"),
        ("GB", 1e9, "GB|gigabyte*"),
        ("TB", 1e12, "TB|terabyte*"),
        ("PB", 1e15, "PB|petabyte*"),
        ("KiB", 1024.0, "KiB|kibibyte*"),
        ("MiB", 1024.0**2, "MiB|mebibyte*"),
        ("GiB", 1024.0**3, "GiB|gibibyte*"),
        ("TiB", 1024.0**4, "TiB|tebibyte*"),
    ),
    Dimension.DATA_RATE: (
        ("kbit/s", 125.0, "kbps|kbit/s|kb/s"),
        ("Mbit/s", 125e3, "Mbps|Mbit/s|Mb/s"),
        ("Gbit/s", 125e6, "Gbps|Gbit/s|Gb/s"),
    ),
    Dimension.POWER: (
        ("W", 1.0, "W|watt*"),
        ("kW", 1e3, "kW|kilowatt*"),
        ("MW", 1e6, "MW|megawatt*"),
        ("GW", 1e9, "GW|gigawatt*"),
        ("hp", 745.69987, "hp|horsepower"),
    ),
    Dimension.ENERGY: (
        ("J", 1.0, "J|joule*"),
        ("kJ", 1e3, "kJ|kilojoule*"),
        ("kcal", 4184.0, "kcal|kilocalorie*|calorie*"),
        ("kWh", 3.6e6, "kWh|kilowatt-hour*|kilowatt hour*"),
    ),
    Dimension.FREQUENCY: (
        ("Hz", 1.0, "Hz|hertz"),
        ("kHz", 1e3, "kHz|kilohertz"),
        ("MHz", 1e6, "MHz|megahertz"),
        ("GHz", 1e9, "GHz|gigahertz"),
    ),
    Dimension.VOLTAGE: (("V", 1.0, "V|volt*"), ("kV", 1e3, "kV|kilovolt*")),
    Dimension.ANGLE: (("°", 1.0, "°|degree*"),),
    Dimension.CURRENCY: (
        ("USD", 1.0, "USD|US dollar*|U.S. dollar*|dollar*"),
        ("EUR", 1.0, "EUR|€|euro*"),
        ("GBP", 1.0, "GBP|pounds sterling|British pound*"),
        ("JPY", 1.0, "JPY|yen"),
        ("INR", 1.0, "INR|rupee*"),
        ("CHF", 1.0, "CHF|Swiss franc*"),
        ("CNY", 1.0, "CNY|RMB|yuan"),
        ("KRW", 1.0, "KRW"),
    ),
}
_TEMPERATURES = (
    ("°C", 1.0, 273.15, "°C|° C|℃|degrees Celsius|degree Celsius|degrees centigrade|degrees C"),
    ("°F", 5 / 9, 273.15 - 32 * 5 / 9, "°F|° F|℉|degrees Fahrenheit|degree Fahrenheit|degrees F"),
    ("K", 1.0, 0.0, "K|kelvin"),
)
CURRENCY_SIGNS: dict[str, str] = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW"}


def _spellings(listed: str) -> list[str]:
    spellings: list[str] = []
    for word in listed.split("|"):
        spellings += [word[:-1], word[:-1] + "s"] if word.endswith("*") else [word]
    return spellings


def _build() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for dimension, rows in _TABLE.items():
        for name, factor, listed in rows:
            for spelling in _spellings(listed):
                units.setdefault(spelling, Unit(name, dimension, factor))
    for name, factor, offset, listed in _TEMPERATURES:
        for spelling in listed.split("|"):
            units.setdefault(spelling, Unit(name, Dimension.TEMPERATURE, factor, offset))
    return units


UNITS: dict[str, Unit] = _build()
