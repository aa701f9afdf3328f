"""Entity swap: people, places, organisations, dates, numbers and identifiers give way to others of their type.

Source: paper 000, section IV ("in-place replacement of entities/numbers, with no appended artifacts"), and paper 001,
section II-B. As there, each mention is replaced on its own by default, which may leave "Madrid, Norway". Beyond the
papers, ``consistent=True`` changes all mentions of a thing together, and with a country its cities and people; where
a passage names nothing, a common noun gives way to one of its kind. Deviation: the code released with paper 000 falls
back on negations and appended sentences; here such a passage counts as not changed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.attacks.articles import replacing
from ragstone.attacks.base import Edit, Poisoned, changed, unchanged
from ragstone.attacks.mentions import Mapping, edit_of
from ragstone.attacks.numerals import date_edits, draw_shift, wrong_number
from ragstone.attacks.passages import passage_parts
from ragstone.attacks.replacements import sibling_of
from ragstone.text.dates import find_dates
from ragstone.text.entities import Entity, EntityKind, find_entities
from ragstone.text.quantities import find_quantities
from ragstone.text.sentences import Span

__all__ = ["EntitySwap"]

_WORD = re.compile(r"(?<![\w-])[A-Za-z]{3,}(?![\w-])")


@dataclass(frozen=True, slots=True)
class EntitySwap:
    """What the question names is left alone as long as the passage names anything else.

    ``terms`` allows common nouns ("wine" for "beer") in a passage without names and numbers.
    """

    name: str = "entity_swap"
    consistent: bool = False
    terms: bool = True

    def poison(self, text: str, *, rng: random.Random, question: str | None = None) -> Poisoned:
        parts = passage_parts(text, question)
        asked = question or " ".join(span.text for span in parts.rest)
        entities = find_entities(text)
        asked_keys = {entity.key for entity in find_entities(asked)}
        for group in parts.in_turn:
            within = [entity for entity in entities if _inside(entity.start, entity.end, group)]
            fresh = [entity for entity in within if entity.key not in asked_keys]
            for chosen in (fresh, within):
                edits = self._names(text, entities, chosen, asked_keys, rng)
                if chosen is fresh or not edits:
                    edits += self._numbers(text, group, asked, entities, rng)
                if edits:
                    return changed(self.name, text, edits)
            if self.terms and (edits := _terms(text, group, asked, rng)):
                return changed(self.name, text, edits)
        return unchanged(self.name, text, "no name, date, number or identifier with a known replacement")

    def _names(
        self, text: str, entities: Sequence[Entity], chosen: Sequence[Entity], asked: set[str], rng: random.Random
    ) -> list[Edit]:
        present = {entity.key for entity in entities} | asked
        mapping = Mapping(rng, present=present, fixed=asked if chosen else set(), consistent=self.consistent)
        edits: list[Edit] = []
        for entity in chosen:
            after = None if entity.kind is EntityKind.DATE else mapping.of(entity)
            if after is not None:
                edits.append(edit_of(text, entity, after))
        return _disjoint(edits)

    def _numbers(
        self, text: str, group: Sequence[Span], asked: str, entities: Sequence[Entity], rng: random.Random
    ) -> list[Edit]:
        shift = draw_shift(rng)
        edits: list[Edit] = []
        named = [entity for entity in entities if entity.kind is not EntityKind.DATE]
        for date in find_dates(text):
            edits += date_edits(text, date, shift)
            shift = shift if self.consistent else draw_shift(rng)
        for quantity in find_quantities(text):
            if (edit := wrong_number(text, quantity, shift)) is not None:
                edits.append(edit)
            shift = shift if self.consistent else draw_shift(rng)
        free = [edit for edit in edits if not any(e.start < edit.end and edit.start < e.end for e in named)]
        return [edit for edit in free if _inside(edit.start, edit.end, group) and edit.before not in asked]


def _terms(text: str, group: Sequence[Span], asked: str, rng: random.Random) -> list[Edit]:
    """The edits that replace one common noun, all its mentions in ``group`` alike; one not in the question first."""
    known = [match for match in _WORD.finditer(text) if _inside(match.start(), match.end(), group)]
    known = [match for match in known if sibling_of(match[0], random.Random(0))]
    fresh = [match for match in known if not re.search(rf"\b{match[0]}\b", asked, re.IGNORECASE)]
    if not known:
        return []
    chosen = rng.choice(fresh or known)[0]
    other = sibling_of(chosen.lower(), rng) or chosen
    edits = []
    for match in known:
        if match[0].lower() == chosen.lower():
            after = other.capitalize() if match[0][0].isupper() else other
            edits.append(replacing(text, match.start(), match.end(), after))
    return _disjoint(edits)


def _inside(start: int, end: int, spans: Sequence[Span]) -> bool:
    return any(span.start <= start and end <= span.end for span in spans)


def _disjoint(edits: Sequence[Edit]) -> list[Edit]:
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit.start):
        if not kept or kept[-1].end <= edit.start:
            kept.append(edit)
    return kept
