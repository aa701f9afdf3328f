"""Number swap: the numbers and years of the passage are moved to near, wrong ones.

Source: paper 001, section II-B ("over 13,000 miles" becomes "over 3,000 miles"). Deviation: all numbers of a passage
move by one drawn shift, so that their order and repeated mentions agree; identifiers (CWE-89) are left alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.attacks.base import Edit, Poisoned, changed, unchanged
from ragstone.attacks.numerals import date_edits, draw_shift, wrong_number
from ragstone.attacks.passages import passage_parts
from ragstone.text.dates import find_dates
from ragstone.text.quantities import find_quantities
from ragstone.text.sentences import Span

__all__ = ["NumberSwap"]


@dataclass(frozen=True, slots=True)
class NumberSwap:
    """Numbers that the question also holds are changed only when the passage has no other."""

    name: str = "number_swap"

    def poison(self, text: str, *, rng: random.Random, question: str | None = None) -> Poisoned:
        shift = draw_shift(rng)
        edits = [
            edit for quantity in find_quantities(text) if (edit := wrong_number(text, quantity, shift)) is not None
        ]
        edits += [edit for date in find_dates(text) for edit in date_edits(text, date, shift)]
        parts = passage_parts(text, question)
        asked = question or " ".join(span.text for span in parts.rest)
        for group in parts.in_turn:
            within = [edit for edit in edits if _inside(edit, group)]
            fresh = [edit for edit in within if edit.before not in asked]
            if within:
                return changed(self.name, text, fresh or within, otherwise="no other number fits")
        return unchanged(self.name, text, "no number, date or measure to change")


def _inside(edit: Edit, spans: Sequence[Span]) -> bool:
    return any(span.start <= edit.start and edit.end <= span.end for span in spans)
