"""Negation: one statement of the passage is turned into its opposite.

Source: paper 001, section II-B ("was the 44th President" becomes "was never the 44th President"). Beyond the paper,
a negation that is already there is taken out, full verbs get do-support, and a leading "Yes," or "No," follows.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from ragstone.attacks.base import Edit, Poisoned, changed, unchanged
from ragstone.attacks.passages import passage_parts, rank_statements
from ragstone.attacks.polarity import negate

__all__ = ["Negation"]


@dataclass(frozen=True, slots=True)
class Negation:
    """``statements`` is how many statements to turn, those nearest to the question first."""

    name: str = "negation"
    statements: int = 1

    def poison(self, text: str, *, rng: random.Random, question: str | None = None) -> Poisoned:
        edits: list[Edit] = []
        turned = 0
        for span in rank_statements(passage_parts(text, question), question, rng):
            found = negate(span.text, rng)
            if found and turned < self.statements:
                turned += 1
                edits += [Edit(e.start + span.start, e.end + span.start, e.before, e.after) for e in found]
        if not edits:
            return unchanged(self.name, text, "no statement with a finite verb that could be negated")
        return changed(self.name, text, edits, otherwise="the negation left the text as it was")
