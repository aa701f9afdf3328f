"""Names: kinds, aliases, mentions of one thing, and capitals that make no name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.text.entities import Entity, EntityKind, find_entities


def by_text(text: str) -> dict[str, Entity]:
    return {entity.text: entity for entity in find_entities(text)}


@pytest.mark.parametrize(
    ("name", "kind", "subtype"),
    [
        ("France", EntityKind.PLACE, "country"),
        ("Madrid", EntityKind.PLACE, "city"),
        ("New South Wales", EntityKind.PLACE, "province"),
        ("Jupiter", EntityKind.PLACE, "planet"),
        ("Lake Garda", EntityKind.PLACE, "feature"),
        ("Trinidad and Tobago", EntityKind.PLACE, "country"),
        ("Washington, D.C.", EntityKind.PLACE, "city"),
        ("Americans", EntityKind.NATIONALITY, "people"),
        ("Danish", EntityKind.NATIONALITY, "adjective"),
        ("NASA", EntityKind.ORGANISATION, "government"),
        ("20th Century Fox", EntityKind.ORGANISATION, "media"),
        ("Epic Records", EntityKind.ORGANISATION, ""),
        ("University of Salford", EntityKind.ORGANISATION, ""),
        ("Taylor Swift", EntityKind.PERSON, "f"),
        ("TLS 1.2", EntityKind.IDENTIFIER, "protocol"),
        ("CWE-89", EntityKind.IDENTIFIER, "weakness"),
        ("AES-256-GCM", EntityKind.IDENTIFIER, "algorithm"),
        ("28 April 2014", EntityKind.DATE, "day"),
        ("Star Trek", EntityKind.NAME, ""),
    ],
)
def test_kinds(name: str, kind: EntityKind, subtype: str) -> None:
    (entity,) = find_entities(f"it was said that {name} mattered")
    assert (entity.text, entity.kind, entity.subtype) == (name, kind, subtype)


@pytest.mark.parametrize("alias", ["USA", "U.S.", "US", "United States", "the United States of America"])
def test_aliases_share_a_key(alias: str) -> None:
    (entity,) = find_entities(f"it is sold in {alias} today")
    assert entity.key == "united states"


def test_people_and_country_share_a_key() -> None:
    found = by_text("the French of France")
    assert found["French"].key == found["France"].key
    assert found["French"].kind is not found["France"].kind


@pytest.mark.parametrize(
    ("text", "short", "key"),
    [
        ("Ada Lovelace wrote it. Lovelace died in London.", "Lovelace", "ada lovelace"),
        ("Alfred Joseph Hitchcock was born. Alfred Hitchcock won.", "Alfred Hitchcock", "alfred joseph hitchcock"),
        ("Michael Jordan won. Jordan retired.", "Jordan", "michael jordan"),
        ("the Border Safety Organisation (BSO) met", "BSO", "border safety organisation"),
    ],
)
def test_short_mentions_take_the_key_of_the_full_name(text: str, short: str, key: str) -> None:
    assert by_text(text)[short].key == key


def test_a_surname_that_is_a_place_stays_one_where_somebody_is_in_it() -> None:
    assert by_text("Jack London lived in London for years.")["London"].kind is EntityKind.PLACE


@pytest.mark.parametrize(
    "text",
    [
        "The weather was fine. However, nobody went out.",
        "Store passwords hashed. Use a salt.",
        "Leisure was scarce.",
        "I'm tired and I slept.",
        "THE CAPITAL OF THE COUNTRY IS UNKNOWN",
        "nothing here is capitalised",
        "",
    ],
)
def test_capitals_that_make_no_name(text: str) -> None:
    assert find_entities(text) == ()


def test_a_first_word_borne_as_a_name_elsewhere_is_one() -> None:
    assert [entity.text for entity in find_entities("Leisure sold well. Critics liked Leisure.")] == [
        "Leisure",
        "Leisure",
    ]


def test_an_office_is_no_part_of_the_name() -> None:
    assert "United Kingdom" in by_text("she was Prime Minister of the United Kingdom")
    assert "Epic Records" in by_text("he was CEO of Epic Records")


def test_treebank_brackets_are_no_names() -> None:
    assert set(by_text("Estonia ( -LSB- Eesti -RSB- ) is small")) == {"Estonia", "Eesti"}


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    position = 0
    for entity in find_entities(text):
        assert position <= entity.start < entity.end <= len(text)
        assert entity.text == text[entity.start : entity.end]
        position = entity.end


@given(st.lists(st.sampled_from(["Paris", "of", "the", "Dr", ".", " ", ",", "King", "US", "&", "TLS 1.2", "1997"])))
def test_any_jumble_of_names_can_be_read(parts: list[str]) -> None:
    text = "".join(parts)
    for entity in find_entities(text):
        assert entity.text == text[entity.start : entity.end]
