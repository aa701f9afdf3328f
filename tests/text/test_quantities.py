"""Quantities: what is read, its value in the base unit, and what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.text.quantities import Quantity, find_quantities
from ragstone.text.units import UNITS, Dimension


def only(text: str) -> Quantity:
    found = find_quantities(text)
    assert len(found) == 1, [text[q.start : q.end] for q in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "written", "value"),
    [
        ("over 13,000 people", "13,000", 13_000),
        ("about 13 000 people", "13 000", 13_000),
        ("about 13\u202f000 people", "13\u202f000", 13_000),
        ("some 1.000.000 people", "1.000.000", 1_000_000),
        ("a ratio of 1.234,56", "1.234,56", 1234.56),
        ("a ratio of 1,234.56", "1,234.56", 1234.56),
        ("a ratio of 1,5", "1,5", 1.5),
        ("13k users", "13k", 13_000),
        ("7B parameters", "7B", 7e9),
        ("1.5 million people", "1.5 million", 1.5e6),
        ("half a million people", "half a million", 5e5),
        ("a dozen eggs", "a dozen", 12),
        ("two dozen eggs", "two dozen", 24),
        ("twenty-one men", "twenty-one", 21),
        ("two hundred and six bones", "two hundred and six", 206),
        ("five thousand two hundred men", "five thousand two hundred", 5200),
        ("two-thirds of them", "two-thirds", 2 / 3),
        ("3½ turns", "3½", 3.5),
        ("one child", "one", 1),
        ("a change of −5 points", "−5", -5),
    ],
)
def test_numbers(text: str, written: str, value: float) -> None:
    quantity = only(text)
    assert text[quantity.start : quantity.end] == written
    assert quantity.value == pytest.approx(value)
    assert quantity.dimension is Dimension.COUNT


@pytest.mark.parametrize(
    ("text", "dimension", "unit", "base"),
    [
        ("13,000 miles", Dimension.LENGTH, "mi", 13_000 * 1609.344),
        ("a 5-mile walk", Dimension.LENGTH, "mi", 5 * 1609.344),
        ("250 g of flour", Dimension.MASS, "g", 0.25),
        ("90 minutes", Dimension.TIME, "min", 5400),
        ("an eighteen-year-old", Dimension.TIME, "year", 18 * 31556952),
        ("512 MiB of memory", Dimension.DATA, "MiB", 512 * 1024**2),
        ("2 kB", Dimension.DATA, "kB", 2000),
        ("20 °C", Dimension.TEMPERATURE, "°C", 293.15),
        ("68 degrees Fahrenheit", Dimension.TEMPERATURE, "°F", 293.15),
        ("45 %", Dimension.PERCENT, "%", 0.45),
        ("30 per cent", Dimension.PERCENT, "%", 0.30),
        ("$5m", Dimension.CURRENCY, "USD", 5e6),
        ("US$ 3.2 billion", Dimension.CURRENCY, "USD", 3.2e9),
        ("€1,50", Dimension.CURRENCY, "EUR", 1.5),
        ("6 million dollars", Dimension.CURRENCY, "USD", 6e6),
        ("60 mph", Dimension.SPEED, "mph", 26.8224),
        ("3 hectares", Dimension.AREA, "ha", 30_000),
    ],
)
def test_units(text: str, dimension: Dimension, unit: str, base: float) -> None:
    quantity = only(text)
    assert (quantity.dimension, quantity.unit) == (dimension, unit)
    assert quantity.base_value == pytest.approx(base)


@pytest.mark.parametrize(("text", "value"), [("the 44th President", 44), ("the twenty-first case", 21), ("2nd", 2)])
def test_ordinals(text: str, value: int) -> None:
    quantity = only(text)
    assert (quantity.dimension, quantity.value) == (Dimension.ORDINAL, value)


@pytest.mark.parametrize(
    "text",
    [
        "on 28 April 2014",
        "in 1997",
        "TLS 1.2",
        "CWE-89",
        "AES-256-GCM",
        "at 10:30",
        "version 1.2.3",
        "9/11",
        "COVID-19",
        "one of the best",
        "no one knows",
        "the one that got away",
        "no numbers here",
        "",
    ],
)
def test_what_is_no_quantity(text: str) -> None:
    assert find_quantities(text) == ()


def test_equal_amounts_in_different_units_have_one_base_value() -> None:
    assert only("1.5 km").base_value == pytest.approx(only("1,500 metres").base_value)
    assert only("90 seconds").base_value == pytest.approx(only("1.5 minutes").base_value)
    assert only("1.5 million people").value == only("1,500,000 people").value


def test_a_range_shares_its_unit_and_scale() -> None:
    first, second = find_quantities("10–20 km")
    assert (first.unit, first.base_value, second.base_value) == ("km", 10_000, 20_000)
    first, second = find_quantities("from 5 to 6 million dollars")
    assert (first.unit, first.value, second.value) == ("USD", 5e6, 6e6)


def test_the_counted_noun_is_given() -> None:
    assert only("it has 3 sons and daughters").noun == "sons"
    assert only("3 of them").noun is None


def test_number_span_leaves_sign_currency_and_scale_out() -> None:
    text = "a loss of US$ 3.2 billion"
    quantity = only(text)
    assert text[quantity.number_start : quantity.number_end] == "3.2"


def test_excluded_spans_are_not_read() -> None:
    assert find_quantities("in 1997 there were 3", exclude=[(19, 20)])[0].value == 1997


def test_every_unit_can_be_read() -> None:
    for spelling, unit in UNITS.items():
        quantity = only(f"it was 12 {spelling}.")
        assert quantity.dimension is unit.dimension, spelling


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    position = 0
    for quantity in find_quantities(text):
        assert position <= quantity.start <= quantity.number_start < quantity.number_end <= quantity.end <= len(text)
        position = quantity.end


@given(st.lists(st.sampled_from(["12", " ", ",", ".", "000", "k", "million", "-", "one", "and", "€", "%", "½", "/"])))
def test_any_jumble_of_number_parts_can_be_read(parts: list[str]) -> None:
    text = "".join(parts)
    for quantity in find_quantities(text):
        assert quantity.value == quantity.value, text
