"""What an attack takes and gives.

An attack changes one passage. It returns the poisoned text together with the edits that lead from the original to
it, so that what was changed is known without comparing texts, and it says so when it could change nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ragstone.errors import InputError

__all__ = ["Attack", "Edit", "Poisoned", "append", "apply_edits", "changed", "unchanged"]


@dataclass(frozen=True, slots=True)
class Edit:
    """``text[start:end] == before`` in the original is replaced by ``after``; an insertion has ``start == end``."""

    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Poisoned:
    """The outcome of an attack on one passage.

    ``changed`` is False when the attack could not be applied: ``text`` is then the original, ``edits`` is empty and
    ``reason`` says why. Such a passage must not be counted as poisoned. ``strategy`` is the name of the strategy that
    made the edits (of the one drawn, for ``mixed``).
    """

    text: str
    edits: tuple[Edit, ...]
    strategy: str
    changed: bool
    reason: str | None = None


@runtime_checkable
class Attack(Protocol):
    """A poisoning strategy.

    ``poison`` draws all its chance from ``rng``: the same text, question and state of ``rng`` give the same outcome in
    every process. ``question`` is the question the passage answers, when known: in a passage that repeats it, the
    question itself is left alone as long as anything else can be edited.
    """

    @property
    def name(self) -> str: ...
    def poison(self, text: str, *, rng: random.Random, question: str | None = None) -> Poisoned: ...


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """``text`` with ``edits`` made; raises InputError when an edit does not fit the text or overlaps another."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if not position <= edit.start <= edit.end <= len(text) or text[edit.start : edit.end] != edit.before:
            raise InputError(
                f"edit {edit.before!r} -> {edit.after!r} at {edit.start}:{edit.end} does not fit the text of "
                f"{len(text)} characters or overlaps another edit; edits must be those made on this very text"
            )
        pieces += [text[position : edit.start], edit.after]
        position = edit.end
    return "".join([*pieces, text[position:]])


def changed(strategy: str, text: str, edits: Iterable[Edit], *, otherwise: str = "nothing to change") -> Poisoned:
    """The outcome of making ``edits``; unchanged with the reason ``otherwise`` when they come to nothing."""
    kept = sorted((edit for edit in edits if edit.before != edit.after), key=lambda edit: (edit.start, edit.end))
    result = apply_edits(text, kept)
    if result == text:
        return unchanged(strategy, text, otherwise)
    return Poisoned(result, tuple(kept), strategy, changed=True)


def unchanged(strategy: str, text: str, reason: str) -> Poisoned:
    """The outcome of an attack that does not apply."""
    return Poisoned(text, (), strategy, changed=False, reason=reason)


def append(strategy: str, text: str, sentence: str) -> Poisoned:
    """Add a sentence after the passage's last non-blank character, with the full stop and blank it needs before it."""
    end = len(text.rstrip())
    last = text[:end].rstrip("\"'”’)]")[-1:]
    joint = "" if not end else " " if last in ".!?:;…" else ". "
    return changed(strategy, text, [Edit(end, end, "", joint + sentence)])
