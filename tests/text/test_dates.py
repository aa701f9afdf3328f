"""Dates: written forms, precision, and what is a count and no year."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.text.dates import Precision, find_dates


@pytest.mark.parametrize(
    ("text", "written", "key"),
    [
        ("on 28 April 2014 in", "28 April 2014", "2014-04-28"),
        ("on April 28, 2014", "April 28, 2014", "2014-04-28"),
        ("( March 6 , 1991 )", "March 6 , 1991", "1991-03-06"),
        ("3rd of May 1999", "3rd of May 1999", "1999-05-03"),
        ("Sept. 11, 2001", "Sept. 11, 2001", "2001-09-11"),
        ("on 2014-04-28.", "2014-04-28", "2014-04-28"),
        ("on 04/28/2014", "04/28/2014", "2014-04-28"),
        ("on 28/04/2014", "28/04/2014", "2014-04-28"),
        ("on 28.04.2014", "28.04.2014", "2014-04-28"),
        ("the 4th of July", "4th of July", "--07-04"),
        ("in August 1991", "August 1991", "1991-08"),
        ("in May", "May", "--05"),
        ("in 1997", "1997", "1997"),
        ("a 1997 comedy", "1997", "1997"),
        ("the 1990s", "1990s", "1990s"),
        ("the 19th century", "19th century", "c1801"),
        ("a fifteenth-century poem", "fifteenth-century", "c1401"),
        ("in 44 BC", "44 BC", "-044"),
        ("in AD 79", "AD 79", "0079"),
        ("the 2006-07 season", "2006-07", "2006"),
        ("1500 people died in 1502", "1502", "1502"),
    ],
)
def test_written_forms(text: str, written: str, key: str) -> None:
    dates = find_dates(text)
    assert [(text[date.start : date.end], date.key) for date in dates] == [(written, key)]


@pytest.mark.parametrize(
    "text",
    [
        "2000 soldiers",
        "about 2000 men",
        "$2000",
        "2,000",
        "it may rain",
        "they march on",
        "1234-5678",
        "2010.5",
        "1080p",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert find_dates(text) == ()


def test_both_ends_of_a_span_of_years() -> None:
    assert [date.year for date in find_dates("from 1811–1834 and 2001 to 2005")] == [1811, 1834, 2001, 2005]


def test_parts_point_at_their_digits() -> None:
    text = "born March 6 , 1991"
    (date,) = find_dates(text)
    assert date.precision is Precision.DAY
    assert [(part.name, text[part.start : part.end], part.value) for part in date.parts] == [
        ("month", "March", 3),
        ("day", "6", 6),
        ("year", "1991", 1991),
    ]


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    position = 0
    for date in find_dates(text):
        assert position <= date.start < date.end <= len(text)
        assert all(date.start <= part.start < part.end <= date.end for part in date.parts)
        position = date.end
