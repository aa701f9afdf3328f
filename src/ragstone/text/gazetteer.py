"""Known names: countries with capitals and peoples, cities, regions, organisations, given names.

The lists in ``data/text`` hold well-known names only; they serve to tell what *kind* of thing a name is, not to
decide whether a statement about it is true.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from ragstone.text.lexicon import read_rows, words

__all__ = ["CONNECTORS", "EntityKind", "Gazetteer", "KnownName", "gazetteer"]


class EntityKind(StrEnum):
    """What a name stands for. ``name`` is a proper name of a kind that could not be told."""

    PERSON = "person"
    PLACE = "place"
    NATIONALITY = "nationality"
    ORGANISATION = "organisation"
    DATE = "date"
    IDENTIFIER = "identifier"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class KnownName:
    """One written form of a known name.

    ``name`` is the main form ("United States" for "USA"; the country for its capital's people is in ``within``).
    ``subtype`` says more: country, city, state, planet, …, for a nationality ``adjective`` or ``people``, for an
    organisation company, university, ….
    """

    name: str
    kind: EntityKind
    subtype: str
    within: str | None = None


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """``names`` by written form; ``given`` maps a given name to m, f or n; ``capitals`` a country to its capital."""

    names: Mapping[str, KnownName]
    given: Mapping[str, str]
    capitals: Mapping[str, str]
    openers: frozenset[str]
    longest: int
    irregular: re.Pattern[str]
    """Known names that are no plain run of capitalised words: "Trinidad and Tobago", "20th Century Fox"."""


CONNECTORS = frozenset(words("of the de van von da di del della la le du der den al bin ibn y & for"))


@cache
def gazetteer() -> Gazetteer:
    """The gazetteer, read once per process."""
    names: dict[str, KnownName] = {}
    capitals: dict[str, str] = {}
    for country, capital, *rest in read_rows("text/countries.tsv"):
        people, others = [*rest, "", ""][:2]
        capitals[country] = capital
        _add(names, country, others, KnownName(country, EntityKind.PLACE, "country", country))
        _add(names, capital, "", KnownName(capital, EntityKind.PLACE, "city", country))
        _add_people(names, country, people)
    for city, country, *listed in read_rows("text/cities.tsv"):
        _add(names, city, "".join(listed), KnownName(city, EntityKind.PLACE, "city", country))
    for region, subtype, *rest in read_rows("text/regions.tsv"):
        within, people = [*rest, "", ""][:2]
        _add(names, region, "", KnownName(region, EntityKind.PLACE, subtype, within or None))
        _add_people(names, region, people)
    for name, subtype, *listed in read_rows("text/organisations.tsv"):
        kind = EntityKind.NAME if subtype in ("award", "war") else EntityKind.ORGANISATION
        _add(names, name, "".join(listed), KnownName(name, kind, subtype))
    for form in ("Washington D.C.", "Washington DC", "Washington, DC", "Washington , D.C."):
        names[form] = names["Washington, D.C."]
    openers = frozenset(word for row in read_rows("text/sentence_openers.txt") for word in row[0].split())
    irregular = sorted((name for name in names if _is_irregular(name)), key=lambda name: (-len(name), name))
    return Gazetteer(
        names=names,
        given={row[0]: row[1] for row in read_rows("text/given_names.tsv")},
        capitals=capitals,
        openers=openers,
        longest=max(len(name.split()) for name in names),
        irregular=re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, irregular))})(?!\w)"),
    )


def _add(names: dict[str, KnownName], name: str, others: str, known: KnownName) -> None:
    for form in (name, *filter(None, others.split("|"))):
        names.setdefault(form, known)


def _add_people(names: dict[str, KnownName], place: str, people: str) -> None:
    for position, form in enumerate(filter(None, people.split("|"))):
        plural = position > 0 and form.endswith(("s", "es"))
        subtype = "people" if plural else "adjective"
        names.setdefault(form, KnownName(place, EntityKind.NATIONALITY, subtype, place))


def _is_irregular(name: str) -> bool:
    return any(
        not (word[0].isupper() or word in CONNECTORS) or "," in word or word[0].isdigit() or word == "Century"
        for word in name.split()
    )
