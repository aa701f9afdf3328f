"""Poisoning strategies by name, resolved when first asked for.

    attack = open_attack("entity_swap", consistent=True)
    outcome = attack.poison("The Eiffel Tower is in Paris, France.", rng=random.Random(42))

A new strategy is one file and one line in :data:`ATTACKS`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from ragstone.attacks.base import Attack, Edit, Poisoned, apply_edits
from ragstone.errors import InputError

__all__ = ["ATTACKS", "Attack", "Edit", "Poisoned", "apply_edits", "open_attack"]

ATTACKS: dict[str, str] = {
    "contradiction": "ragstone.attacks.contradiction:Contradiction",
    "instruction_injection": "ragstone.attacks.instruction_injection:InstructionInjection",
    "entity_swap": "ragstone.attacks.entity_swap:EntitySwap",
    "number_swap": "ragstone.attacks.number_swap:NumberSwap",
    "negation": "ragstone.attacks.negation:Negation",
    "subtle_manipulation": "ragstone.attacks.subtle_manipulation:SubtleManipulation",
    "mixed": "ragstone.attacks.mixed:Mixed",
    "crafted": "ragstone.attacks.crafted:Crafted",
    "collision": "ragstone.attacks.collision:Collision",
    "generated": "ragstone.attacks.generated:Generated",
    "secure_contradiction": "ragstone.attacks.secure:SecureContradiction",
    "secure_instruction_injection": "ragstone.attacks.secure:SecureInstructionInjection",
    "secure_entity_swap": "ragstone.attacks.secure:SecureEntitySwap",
    "secure_subtle_manipulation": "ragstone.attacks.secure:SecureSubtleManipulation",
    "secure_mixed": "ragstone.attacks.secure:SecureMixed",
}


def open_attack(name: str, **options: Any) -> Attack:
    """The attack called ``name``, made with ``options`` (see its class).

    Raises InputError for an unknown name, an unknown option, or a missing one: ``collision`` needs an ``embedder``,
    ``generated`` a ``generator``.
    """
    if name not in ATTACKS:
        raise InputError(f"unknown attack {name!r}; known: {', '.join(sorted(ATTACKS))}")
    module, _, attribute = ATTACKS[name].partition(":")
    try:
        return cast(Attack, getattr(import_module(module), attribute)(**options))
    except TypeError as error:
        raise InputError(f"attack {name!r} cannot be made with {sorted(options) or 'no options'}: {error}") from error
