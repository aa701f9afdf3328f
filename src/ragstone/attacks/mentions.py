"""Which replacement each mention of a passage gets: drawn anew for each, or one for each thing and what hangs on it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from ragstone.attacks.articles import replacing
from ragstone.attacks.base import Edit
from ragstone.attacks.replacements import WITH_ARTICLE, choose_country, replacement
from ragstone.text.entities import Entity, EntityKind
from ragstone.text.gazetteer import gazetteer
from ragstone.text.lexicon import words

__all__ = ["Mapping", "edit_of"]

_ABBREVIATED = re.compile(r"(?:[A-Z]\.?){2,5}")
_NEXT_WORD = re.compile(r" ([a-z]+)")
# What follows a country's name when it stands alone ("the US has") and is no attribute ("US incomes").
_NO_ATTRIBUTE = frozenset(
    words(
        "it he she they we you i this these people is are was were has have had do does did can could will would "
        "shall should may might must and or but nor of in on at by for from with to as than that which who whose "
        "where when while because if so also not never then since until until after before during under over about "
        "against between among through without within across near into according today now only alone itself too "
        "there led won became made took gave said began"
    )
)


class Mapping:
    """Replacements for the entities of one passage.

    ``present`` are the keys that a replacement must not repeat, ``fixed`` those that the question names and that stay
    as they are. In ``consistent`` mode a thing keeps its replacement, and a country takes its cities and people along.
    """

    def __init__(self, rng: random.Random, *, present: Iterable[str], fixed: Iterable[str], consistent: bool) -> None:
        self._rng = rng
        self._used = set(present)
        self._fixed = frozenset(fixed)
        self._consistent = consistent
        self._by_key: dict[tuple[EntityKind, str, str], str | None] = {}
        self._countries: dict[str, str] = {}

    def of(self, entity: Entity) -> str | None:
        """What is to be written instead of ``entity``; None when nothing fits."""
        if not self._consistent:
            held = entity.within if entity.subtype == "city" and (entity.within or "").lower() in self._fixed else None
            return self._drawn(entity, held)
        # The forms of a nationality differ ("French", "Frenchmen"); persons are mapped by their full name.
        key = (entity.kind, entity.key, entity.subtype if entity.kind is EntityKind.NATIONALITY else "")
        if key not in self._by_key:
            self._by_key[key] = self._drawn(entity, self._country(entity))
        after = self._by_key[key]
        return _short_form(entity, after) if after and entity.kind is EntityKind.PERSON else after

    def _drawn(self, entity: Entity, country: str | None) -> str | None:
        after = replacement(entity, self._rng, country=country, avoid=self._used)
        if after is not None:
            self._used.add(after.lower())
        return after if self._consistent or after is None else _short_form(entity, after)

    def _country(self, entity: Entity) -> str | None:
        """The country that the country of ``entity`` becomes; its own when the question holds on to that."""
        if entity.within is None or entity.kind not in (EntityKind.PLACE, EntityKind.NATIONALITY):
            return None
        if entity.within.lower() in self._fixed:
            return entity.within if entity.subtype not in ("country", "adjective", "people") else None
        if entity.within not in self._countries:
            self._countries[entity.within] = choose_country(self._rng, self._used)
        return self._countries[entity.within]


def _short_form(entity: Entity, after: str) -> str:
    """A surname for a surname, a given name for a given name."""
    mention, full = entity.text.split(), entity.key.split()
    if entity.kind is not EntityKind.PERSON or len(mention) != 1 or len(full) < 2:
        return after
    return after.split()[0] if mention[0].lower() == full[0] else after.split()[-1]


def edit_of(text: str, entity: Entity, after: str) -> Edit:
    """The edit that writes ``after`` for ``entity``, with the article that it takes."""
    start, end = entity.start, entity.end
    if _is_attribute(text, entity) and (adjective := _adjective_of(after)):
        return replacing(text, start, end, adjective)
    had = text[max(0, start - 4) : start].lower() == "the "
    needs = after in WITH_ARTICLE
    if had and not needs and (entity.text in WITH_ARTICLE or f"the {entity.text}".lower() in _KNOWN_WITH_ARTICLE):
        opens = text[start - 4] == "T"
        return Edit(start - 4, end, text[start - 4 : end], after[:1].upper() + after[1:] if opens else after)
    if needs and not had and entity.kind is EntityKind.PLACE:
        opens = start == 0 or text[:start].rstrip()[-1:] in (".", "!", "?")
        return Edit(start, end, text[start:end], f"{'The' if opens else 'the'} {after}")
    return replacing(text, start, end, after)


_KNOWN_WITH_ARTICLE = frozenset({"the united states of america", "the u.s.a.", "the prc", "the drc"})


def _is_attribute(text: str, entity: Entity) -> bool:
    """ "US incomes" takes an adjective, "the US has" a name."""
    following = _NEXT_WORD.match(text, entity.end)
    short = entity.subtype == "country" and _ABBREVIATED.fullmatch(entity.text) is not None
    return short and following is not None and following[1] not in _NO_ATTRIBUTE


def _adjective_of(country: str) -> str | None:
    forms = (
        form for form, known in gazetteer().names.items() if known.name == country and known.subtype == "adjective"
    )
    return next(forms, None)
