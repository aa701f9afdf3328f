"""Mixed: each passage is given to a strategy drawn at random.

Source: paper 000, section IV ("a mixed setting assigns strategies randomly across poisoned documents"). Where the
drawn strategy does not apply to the passage, the next in the drawn order is tried.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from ragstone.attacks import open_attack
from ragstone.attacks.base import Attack, Poisoned, unchanged
from ragstone.errors import InputError

__all__ = ["PAPER_STRATEGIES", "Mixed"]

PAPER_STRATEGIES = ("contradiction", "instruction_injection", "entity_swap", "subtle_manipulation")


@dataclass(frozen=True, slots=True)
class Mixed:
    """``strategies`` are names or attacks; by default the four of paper 000.

    The outcome's ``strategy`` is that of the attack that made the edits.
    """

    name: str = "mixed"
    strategies: Sequence[str | Attack] = PAPER_STRATEGIES
    _attacks: tuple[Attack, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.strategies or self.name in self.strategies:
            raise InputError(f"strategies {list(self.strategies)!r}: name at least one attack other than {self.name!r}")
        attacks = tuple(open_attack(item) if isinstance(item, str) else item for item in self.strategies)
        object.__setattr__(self, "_attacks", attacks)

    def poison(self, text: str, *, rng: random.Random, question: str | None = None) -> Poisoned:
        reasons = []
        for attack in rng.sample(self._attacks, len(self._attacks)):
            outcome = attack.poison(text, rng=rng, question=question)
            if outcome.changed:
                return outcome
            reasons.append(f"{attack.name}: {outcome.reason}")
        return unchanged(self.name, text, "; ".join(reasons))
