"""Number swap: format and unit kept, plausible, never equal."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.attacks import open_attack
from ragstone.attacks.numerals import LATEST_YEAR, Shift, wrong_number
from ragstone.text.quantities import find_quantities

ATTACK = open_attack("number_swap")


def outcomes(text: str, question: str | None = None) -> list[str]:
    results = [ATTACK.poison(text, rng=random.Random(seed), question=question) for seed in range(25)]
    assert all(result.changed and result.text != text for result in results)
    return [result.text for result in results]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("over 13,000 miles", r"over \d{1,2},000 miles"),
        ("about 13 000 people", r"about \d{1,2} 000 people"),
        ("costs $5.50", r"costs \$\d+\.\d\d"),
        ("weighs 1,5 kg", r"weighs \d,\d kg"),
        ("worth 1.234,56 EUR", r"worth (\d\.)?\d{3},\d\d EUR"),
        ("some 1.5 million people", r"some \d\.\d million people"),
        ("13k users", r"\d+k users"),
        ("the 44th President", r"the 4\d(st|nd|rd|th) President"),
        ("a dozen eggs", r"(two|three|four) dozen eggs"),
        ("twenty-one men", r"(twenty|thirty|forty)-one men"),
        ("−5 °C", r"−\d °C"),
        ("2048-bit keys", r"(1024|4096)-bit keys"),
        ("after one hour", r"after (two|three|four) hours"),
        ("in 1997", r"in (19|20)\d\d"),
        ("on 31 March 1889", r"on 31 March 1[89]\d\d"),
        ("the 2006-07 season", r"the (\d{4})-(\d\d) season"),
        ("the 1990s", r"the (1980|2000)s"),
        ("the 19th century", r"the (18|20)th century"),
        ("the nineteenth century", r"the (eighteenth|twentieth) century"),
    ],
)
def test_form_is_kept(text: str, shape: str) -> None:
    for changed in outcomes(text):
        assert re.fullmatch(shape, changed), changed


def test_percentages_stay_within_a_hundred() -> None:
    for text in ("95% agree", "99.5 % agree", "100 per cent agree", "3% agree"):
        for changed in outcomes(text):
            assert 0 < find_quantities(changed)[0].value <= 100, changed


def test_years_stay_in_the_past() -> None:
    for changed in outcomes(f"in {LATEST_YEAR - 1}"):
        assert int(changed[3:]) <= LATEST_YEAR


def test_order_and_repeated_mentions_are_kept() -> None:
    for changed in outcomes("He ruled from 1837 to 1841, and in 1841 he had 120 ships and 4,500 men; 120 sank."):
        start, end, again, ships, men, sunk = (int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", changed))
        assert (start < end, end == again, ships < men, ships == sunk) == (True,) * 4, changed


@pytest.mark.parametrize("text", ["CWE-89 and TLS 1.2", "one child", "1 shop", "the first time", "at 10:30", "007"])
def test_what_is_left_alone(text: str) -> None:
    outcome = ATTACK.poison(text, rng=random.Random(1))
    assert not outcome.changed
    assert outcome.reason


def test_numbers_of_the_question_come_last() -> None:
    question = "How many of the 50 states voted?"
    for changed in outcomes(f"{question} Of the 50 states, 31 voted.", question):
        assert changed.startswith(f"{question} Of the 50 states, ")
    for changed in outcomes(f"{question} All 50 states voted.", question):
        assert changed.startswith(question)


@given(
    st.integers(0, 10**12) | st.floats(0.01, 1e6).map(lambda value: round(value, 2)),
    st.sampled_from(["", "%", " km", " people", " million", "th", " bytes", " years"]),
    st.floats(0.45, 1.9),
    st.sampled_from([-3, -2, -1, 1, 2, 3]),
)
def test_a_changed_number_is_a_number_of_its_kind(value: float, unit: str, factor: float, step: int) -> None:
    text = f"it has {value:,}{unit} or so"
    for quantity in find_quantities(text):
        edit = wrong_number(text, quantity, Shift(factor, 5, step))
        if edit is None:
            continue
        after = text[: edit.start] + edit.after + text[edit.end :]
        (moved,) = find_quantities(after)
        assert (moved.dimension, moved.unit) == (quantity.dimension, quantity.unit)
        assert moved.value != quantity.value
        assert moved.value >= 0
