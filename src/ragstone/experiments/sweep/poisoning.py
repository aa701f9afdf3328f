"""Poisoning after retrieval: a copy of the retrieved passages, some of them rewritten (paper 001, sections II-B, II-C).

Where an attack does not apply to a passage, the next in the drawn order is tried, so that a cell has as many poisoned
passages as its level says wherever that is possible. Position and edits are drawn from the sweep's seed alone.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ragstone.attacks import Attack, apply_edits
from ragstone.experiments.sweep.contexts import source_of
from ragstone.experiments.sweep.design import Cell, SweepDesign
from ragstone.experiments.sweep.records import PoisonedPassage
from ragstone.types import Passage

__all__ = ["Poisoning", "poison_cell", "poisoned_copy"]


@dataclass(frozen=True, slots=True)
class Poisoning:
    """``reached`` passages (or sources) were poisoned; ``unchanged`` says why others that were tried were not."""

    poisoned: tuple[PoisonedPassage, ...]
    unchanged: Mapping[int, str]
    reached: int


def poison_cell(
    cell: Cell, question: str, passages: Sequence[Passage], attack: Attack, design: SweepDesign
) -> Poisoning:
    """What is changed for ``cell`` in ``passages``. Needs no model unless the attack does."""
    poisoned: list[PoisonedPassage] = []
    unchanged: dict[int, str] = {}
    reached = 0
    for group in _order(cell, passages, design):
        if reached >= cell.level:
            break
        before = len(poisoned)
        for position in group:
            passage = passages[position]
            rng = random.Random(f"{design.seed}:{cell.slot}:{cell.strategy}:{cell.draw}:{passage.id}")
            outcome = attack.poison(passage.text, rng=rng, question=question)
            if outcome.changed:
                edits = tuple((e.start, e.end, e.before, e.after) for e in outcome.edits)
                poisoned.append(PoisonedPassage(position=position, strategy=outcome.strategy, edits=edits))
            else:
                unchanged[position] = outcome.reason or "not changed"
        reached += len(poisoned) > before
    return Poisoning(tuple(sorted(poisoned, key=lambda p: p.position)), unchanged, reached)


def poisoned_copy(passages: Sequence[Passage], poisoned: Sequence[PoisonedPassage]) -> tuple[Passage, ...]:
    """The passages with the edits made; ids, order, scores and sources are those of the clean ones."""
    edits = {change.position: change.as_edits() for change in poisoned}
    return tuple(
        replace(passage, text=apply_edits(passage.text, edits[position])) if position in edits else passage
        for position, passage in enumerate(passages)
    )


def _order(cell: Cell, passages: Sequence[Passage], design: SweepDesign) -> list[list[int]]:
    """Positions in the order in which they are poisoned; those that fall together are in one group.

    The order is shared by strategies, and by levels unless positions are independent, so that these differ in nothing
    else.
    """
    groups: dict[str, list[int]] = {}
    for position, passage in enumerate(passages):
        groups.setdefault(source_of(passage) if design.unit == "source" else str(position), []).append(position)
    level = f":{cell.level}" if design.positions == "independent" else ""
    rng = random.Random(f"{design.seed}:{cell.slot}:{cell.draw}:positions{level}")
    return rng.sample(list(groups.values()), len(groups))
