"""Another thing of the same type, written in the same way: a capital for a capital, a hash for a hash.

Which names can stand in for which comes from the gazetteer and from the lists in ``data/attacks``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

from ragstone.text.entities import Entity, EntityKind
from ragstone.text.gazetteer import KnownName, gazetteer
from ragstone.text.lexicon import read_rows, words

__all__ = ["WITH_ARTICLE", "replacement", "sibling_of", "surname"]

# Names that take "the" in running text.
_NAMES_WITH_ARTICLE = """
United States|United Kingdom|Netherlands|Philippines|Czech Republic|United Arab Emirates|Maldives|Middle East
Dominican Republic|Central African Republic|Democratic Republic of the Congo|European Union|United Nations|World Bank
Red Cross|World Health Organization|African Union|Supreme Court|Senate|Alps|Andes|Himalayas|Rockies|Pyrenees|Nile
Danube|Thames|Rhine|Ganges|Yangtze
"""
WITH_ARTICLE = frozenset(re.split(r"[|\n]", _NAMES_WITH_ARTICLE.strip())) | frozenset(
    words("USA US U.S. UK U.K. UAE EU UN WHO IMF FBI CIA NSA FDA CDC EPA KGB BBC NFL NBA NHL MLB OECD")
)
_LARGE_COUNTRIES = frozenset(words("Canada Australia Germany France Japan Italy Spain Brazil India China"))
_ABBREVIATED = re.compile(r"(?:[A-Z]\.?){2,5}")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _Pools:
    """Candidates by what they replace; every list is in a fixed order."""

    places: dict[str, tuple[KnownName, ...]]
    peoples: dict[str, tuple[tuple[str, str], ...]]
    organisations: dict[str, tuple[tuple[str, str], ...]]
    given: dict[str, tuple[str, ...]]
    surnames: tuple[str, ...]
    identifiers: dict[str, tuple[str, ...]]
    terms: dict[str, tuple[str, ...]]


@cache
def _pools() -> _Pools:
    names = gazetteer().names
    with_cities = {known.within for known in names.values() if known.subtype == "city" and known.within}
    with_cities &= {row[1] for row in read_rows("text/cities.tsv")}
    places: dict[str, list[KnownName]] = {}
    peoples: dict[str, list[tuple[str, str]]] = {"adjective": [], "people": []}
    organisations: dict[str, list[tuple[str, str]]] = {}
    for form, known in names.items():
        if known.kind is EntityKind.PLACE and form == known.name:
            if known.subtype not in ("country", "city") or known.within in with_cities:
                places.setdefault(known.subtype, []).append(known)
        elif known.kind is EntityKind.NATIONALITY and known.name in with_cities:
            peoples[known.subtype].append((form, known.name))
        elif known.kind in (EntityKind.ORGANISATION, EntityKind.NAME):
            organisations.setdefault(known.subtype, []).append((form, known.name))
    given: dict[str, list[str]] = {"m": [], "f": []}
    for name, gender in gazetteer().given.items():
        for key in ("m", "f") if gender == "n" else (gender,):
            given[key].append(name)
    return _Pools(
        places={subtype: tuple(found) for subtype, found in places.items()},
        peoples={form: tuple(found) for form, found in peoples.items()},
        organisations={subtype: tuple(found) for subtype, found in organisations.items()},
        given={gender: tuple(found) for gender, found in given.items()},
        surnames=tuple(name for row in read_rows("attacks/surnames.txt") for name in row[0].split()),
        identifiers=_siblings("attacks/identifier_siblings.txt"),
        terms=_siblings("attacks/siblings.txt"),
    )


def _siblings(path: str) -> dict[str, tuple[str, ...]]:
    rows = [tuple(word.replace("|", " ") for word in row[0].split()) for row in read_rows(path)]
    return {word: row for row in rows for word in row}


def replacement(
    entity: Entity, rng: random.Random, *, country: str | None = None, avoid: Collection[str] = ()
) -> str | None:
    """A name of the same type that is none of ``avoid`` (keys in lower case); None when no such name is known.

    ``country`` asks for a name of that country where the type has one: the capital for a capital, a city, a people.
    """
    maker = _MAKERS.get(entity.kind)
    return maker(entity, rng, country, {*avoid, entity.key}) if maker else None


def surname(rng: random.Random) -> str:
    """A surname."""
    return rng.choice(_pools().surnames)


def sibling_of(word: str, rng: random.Random) -> str | None:
    """A common noun of the same kind ("beer" for "wine"), capitalised alike; None for a word of no listed kind."""
    others = [other for other in _pools().terms.get(word.lower(), ()) if other != word.lower()]
    if not others:
        return None
    other = rng.choice(others)
    return other.capitalize() if word[0].isupper() else other


def _place(entity: Entity, rng: random.Random, country: str | None, avoid: set[str]) -> str | None:
    pool = [known for known in _pools().places.get(entity.subtype, ()) if known.name.lower() not in avoid]
    if country and entity.subtype == "country":
        return country
    if entity.subtype == "city":
        capital = entity.key == gazetteer().capitals.get(entity.within or "", "").lower()
        if country and country != entity.within and capital:
            return gazetteer().capitals[country]
        pool = [known for known in pool if country is None or known.within == country]
    elif country is None and entity.within:
        # A state is replaced by a state of the same country.
        pool = [known for known in pool if known.within == entity.within] or pool
    elif country:
        pool = [known for known in pool if known.within == country] or [
            known for known in _pools().places["city"] if known.within == country
        ]
    if entity.subtype == "country" and _ABBREVIATED.fullmatch(entity.text):
        pool = [known for known in pool if known.name in _LARGE_COUNTRIES] or pool
    return rng.choice(pool).name if pool else None


def _people(entity: Entity, rng: random.Random, country: str | None, avoid: set[str]) -> str | None:
    forms = _pools().peoples.get(entity.subtype, ())
    fitting = [form for form, place in forms if place == country or (not country and place.lower() not in avoid)]
    return rng.choice(fitting) if fitting else None


def _organisation(entity: Entity, rng: random.Random, country: str | None, avoid: set[str]) -> str | None:
    listed = _pools().organisations.get(entity.subtype, ()) if entity.subtype else ()
    short, article = bool(_ABBREVIATED.fullmatch(entity.text)), entity.text in WITH_ARTICLE
    fitting = [
        form
        for form, name in listed
        if name.lower() not in avoid
        and bool(_ABBREVIATED.fullmatch(form)) == short
        and (form in WITH_ARTICLE) == article
    ]
    if fitting:
        return rng.choice(fitting)
    parts = entity.text.split()
    if entity.kind is not EntityKind.ORGANISATION or len(parts) < 2 or short:
        return None
    if (place := _country_before(entity.text)) and (people := _pools().peoples["adjective"]):
        return f"{rng.choice([form for form, name in people if name != place[1]])} {entity.text[len(place[0]) + 1 :]}"
    if parts[0] in ("University", "Bank", "College", "Museum"):
        return f"{parts[0]} of {rng.choice(_pools().places['city']).name}"
    return f"{surname(rng)} {parts[-1]}"


def _country_before(name: str) -> tuple[str, str] | None:
    """The country that an organisation's name opens with, as written and by its main name ("U.S. Naval Academy")."""
    for count in (3, 2, 1):
        form = " ".join(name.split()[:count])
        known = gazetteer().names.get(form)
        if known and known.subtype == "country" and form != name:
            return form, known.name
    return None


def _person(entity: Entity, rng: random.Random, country: str | None, avoid: set[str]) -> str | None:
    given = _pools().given["f" if entity.subtype == "f" else "m"]
    fitting = [name for name in given if name.lower() not in avoid and name not in entity.key.title()]
    if len(entity.key.split()) == 1:
        return rng.choice(fitting) if entity.subtype else surname(rng)
    return f"{rng.choice(fitting)} {surname(rng)}"


def _identifier(entity: Entity, rng: random.Random, country: str | None, avoid: set[str]) -> str | None:
    siblings = [other for other in _pools().identifiers.get(entity.text, ()) if other.upper() not in avoid]
    if siblings:
        return rng.choice(siblings)
    numbers = list(_DIGITS.finditer(entity.text))
    if not numbers or entity.subtype in ("algorithm", "attribute"):
        return None
    last = numbers[-1]
    value = int(last[0])
    moved = value + rng.choice((-3, -2, -1, 1, 2, 3)) if value > 3 else value + rng.randint(1, 3)
    return f"{entity.text[: last.start()]}{moved:0{len(last[0])}d}{entity.text[last.end() :]}"


_MAKERS: dict[EntityKind, Callable[[Entity, random.Random, str | None, set[str]], str | None]] = {
    EntityKind.PLACE: _place,
    EntityKind.NATIONALITY: _people,
    EntityKind.ORGANISATION: _organisation,
    EntityKind.NAME: _organisation,
    EntityKind.PERSON: _person,
    EntityKind.IDENTIFIER: _identifier,
}


def choose_country(rng: random.Random, avoid: Collection[str]) -> str:
    """A well-known country, none of ``avoid`` (lower case)."""
    pool: Sequence[KnownName] = [known for known in _pools().places["country"] if known.name.lower() not in avoid]
    return rng.choice(pool).name
