"""Benign edits: what editors do to documents without making them false, as a control for every detector.

Half of them carry what attacks carry too: a correction notice, an emphasis, a contrast. A detector that reacts to
being edited, and not to being false, shows here as false alarms.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from ragstone.attacks.base import Edit, Poisoned, append, changed, unchanged
from ragstone.attacks.passages import bare_statement, passage_parts, rank_statements

__all__ = ["KINDS", "BenignEdit"]

_MONTHS = ("January", "March", "May", "June", "September", "November")
_RESTATED = ("In short, {claim}.", "To put it briefly: {claim}.", "In other words, {claim}.")
_STRESSED = ("It bears repeating that {claim}.", "Contrary to a widespread belief, {claim}.", "Indeed, {claim}.")
_REVIEWED = (
    "This page was last reviewed in {month} {year}; nothing had to be changed.",
    "Checked against the sources in {month} {year} and found to be up to date.",
    "Updated in {month} {year}: a broken link was removed.",
)
_CORRECTED = (
    "Correction: an earlier version of this page misspelt a word in this paragraph; its content is unchanged.",
    "Correction of {month} {year}: the formatting of this section was repaired.",
    "Note: the previous version of this page had a typing error, which has been put right.",
)
# Pairs that mean the same wherever they stand.
_REWORDINGS = tuple(
    (re.compile(rf"\b{before}\b"), after)
    for before, after in (
        ("cannot", "can not"),
        ("do not", "don't"),
        ("does not", "doesn't"),
        ("is not", "isn't"),
        ("are not", "aren't"),
        ("It is", "It's"),
        ("It's", "It is"),
        ("There is", "There's"),
        ("was built", "was constructed"),
        ("is called", "is known as"),
        ("are called", "are known as"),
        ("such as", "for example"),
        ("because", "since"),
        ("about", "around"),
        ("approximately", "roughly"),
        ("whether", "whether or not"),
        ("in order to", "to"),
        ("for example", "for instance"),
    )
)


def _restated(text: str, claim: str, rng: random.Random) -> Poisoned:
    return append("restatement", text, rng.choice(_RESTATED).format(claim=claim))


def _stressed(text: str, claim: str, rng: random.Random) -> Poisoned:
    return append("emphasis", text, rng.choice(_STRESSED).format(claim=claim))


def _reviewed(text: str, claim: str, rng: random.Random) -> Poisoned:
    return append("review", text, _dated(_REVIEWED, rng))


def _corrected(text: str, claim: str, rng: random.Random) -> Poisoned:
    return append("correction", text, _dated(_CORRECTED, rng))


def _dated(templates: tuple[str, ...], rng: random.Random) -> str:
    return rng.choice(templates).format(month=rng.choice(_MONTHS), year=rng.randint(2021, 2025))


def _reworded(text: str, claim: str, rng: random.Random) -> Poisoned:
    start = text.find(claim[1:])  # the repeated question stays as it is
    found = [
        Edit(match.start(), match.end(), match.group(), after)
        for pattern, after in _REWORDINGS
        for match in pattern.finditer(text, max(start - 1, 0))
    ]
    return changed("rewording", text, [rng.choice(found)] if found else [], otherwise="no word to reword")


KINDS: dict[str, Callable[[str, str, random.Random], Poisoned]] = {
    "rewording": _reworded,
    "restatement": _restated,
    "emphasis": _stressed,
    "review": _reviewed,
    "correction": _corrected,
}


@dataclass(frozen=True, slots=True)
class BenignEdit:
    """Has the shape of an attack, so that a corpus is edited as it is poisoned; the kind of edit is drawn at random.

    The outcome's ``strategy`` is the kind, a key of :data:`KINDS`.
    """

    name: str = "benign"

    def poison(self, text: str, *, rng: random.Random, question: str | None = None) -> Poisoned:
        ranked = rank_statements(passage_parts(text, question), question, rng)
        claim = bare_statement(ranked[0].text, text) if ranked else ""
        if not claim:
            return unchanged(self.name, text, "no statement to edit around")
        for kind in rng.sample(sorted(KINDS), len(KINDS)):
            outcome = KINDS[kind](text, claim, rng)
            if outcome.changed:
                return outcome
        return unchanged(self.name, text, "no edit applies")
