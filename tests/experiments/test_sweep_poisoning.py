"""Contexts and their poisoning: which passages, in which order, and what is left alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.attacks import open_attack
from ragstone.attacks.base import Poisoned, append, unchanged
from ragstone.errors import InputError
from ragstone.experiments.sweep.contexts import (
    ContextKey,
    diversified,
    read_contexts,
    retrieve_contexts,
    write_contexts,
)
from ragstone.experiments.sweep.design import Cell, Configuration, SweepDesign, load_design
from ragstone.experiments.sweep.poisoning import Poisoning, poison_cell, poisoned_copy
from ragstone.types import Passage

PASSAGES = tuple(Passage(f"p{n}", f"Text {n} is here.", source, 0.9 - n / 10, n + 1) for n, source in enumerate("aabc"))


@dataclass
class Marks:
    """Appends a mark, but not to the passages named."""

    refuses: str = ""
    name: str = "negation"

    def poison(self, text: str, *, rng: random.Random, question: str | None = None) -> Poisoned:
        if self.refuses and self.refuses in text:
            return unchanged(self.name, text, "refused")
        return append(self.name, text, f"Mark {rng.randrange(10**6)}.")


def cell(level: int, slot: int = 1, strategy: str = "negation", draw: int = 0, k: int = 4) -> Cell:
    return Cell(Configuration(k, False, "independent", False), strategy, level, slot, draw, 0)


def poison(level: int, design: SweepDesign | None = None, attack: Marks | None = None, slot: int = 1) -> Poisoning:
    return poison_cell(cell(level, slot), "Q?", PASSAGES, attack or Marks(), design or load_design())


def positions(outcome: Poisoning) -> set[int]:
    return {change.position for change in outcome.poisoned}


@pytest.mark.parametrize("level", range(5))
def test_as_many_passages_are_poisoned_as_the_level_says(level: int) -> None:
    outcome = poison(level)
    assert len(outcome.poisoned) == outcome.reached == level
    copy = poisoned_copy(PASSAGES, outcome.poisoned)
    assert [a.id for a in copy] == [p.id for p in PASSAGES]
    assert {n for n, (a, b) in enumerate(zip(PASSAGES, copy, strict=True)) if a.text != b.text} == positions(outcome)


def test_the_same_cell_is_poisoned_in_the_same_way() -> None:
    assert poison(2) == poison(2)
    assert poison(2) != poison(2, load_design(None, {"seed": 7}))


def test_nested_levels_add_a_passage_and_change_nothing_else() -> None:
    for slot in range(1, 20):
        found = [poison(level, slot=slot) for level in range(5)]
        for lower, higher in pairwise(found):
            assert set(lower.poisoned) < set(higher.poisoned)


def test_independent_positions_are_drawn_anew_for_each_level() -> None:
    design = load_design(None, {"positions": "independent"})
    nested = [positions(poison(1, design, slot=s)) <= positions(poison(2, design, slot=s)) for s in range(1, 40)]
    assert not all(nested)


def test_every_position_is_poisoned_about_equally_often() -> None:
    first = [min(positions(poison(1, slot=slot))) for slot in range(1, 401)]
    assert all(70 < first.count(position) < 130 for position in range(4))


def test_strategies_share_positions_but_not_their_chance() -> None:
    other = poison_cell(cell(2, strategy="number_swap"), "Q?", PASSAGES, Marks(), load_design())
    assert positions(other) == positions(poison(2))
    assert other.poisoned != poison(2).poisoned


def test_where_an_attack_does_not_apply_another_passage_is_tried() -> None:
    outcome = poison(3, attack=Marks(refuses="Text 2"))
    assert positions(outcome) == {0, 1, 3}
    assert outcome.reached == 3
    all_but_one = poison(4, attack=Marks(refuses="Text 2"))
    assert all_but_one.reached == 3
    assert all_but_one.unchanged == {2: "refused"}


def test_a_source_is_poisoned_whole() -> None:
    design = load_design(None, {"unit": "source"})
    for slot in range(1, 30):
        changed = positions(poison(1, design, slot=slot))
        assert changed in ({0, 1}, {2}, {3})
    assert poison(3, design).reached == 3
    assert positions(poison(3, design)) == {0, 1, 2, 3}
    assert poison(4, design).reached == 3


def test_real_attacks_make_edits_that_give_the_poisoned_text() -> None:
    passages = (Passage("p1", "The Eiffel Tower is in Paris, France."), Passage("p2", "It was completed in 1889."))
    for name in ("entity_swap", "number_swap", "negation", "crafted"):
        outcome = poison_cell(
            cell(2, strategy=name, k=2), "Where is the Eiffel Tower?", passages, open_attack(name), load_design()
        )
        assert outcome.reached >= 1, name
        assert poisoned_copy(passages, outcome.poisoned) != passages


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=12), st.integers(1, 12))
def test_diversity_takes_one_passage_of_every_source_first(sources: list[str], k: int) -> None:
    ranked = [Passage(f"p{n}", "x", source) for n, source in enumerate(sources)]
    chosen = diversified(ranked, k)
    assert len(chosen) == min(k, len(ranked))
    assert [p.id for p in chosen] == sorted((p.id for p in chosen), key=lambda i: int(i[1:]))
    counts = [[p.source for p in chosen].count(source) for source in set(sources)]
    left = [sources.count(source) for source in set(sources)]
    spare = [count for count, total in zip(counts, left, strict=True) if count < total]
    assert not spare or max(counts) - min(spare) <= 1


class Shelf:
    """Finds the same ranked passages for every question, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int | None]] = []

    def search(self, question: str, k: int | None = None) -> tuple[Passage, ...]:
        self.asked.append((question, k))
        return PASSAGES[:k]


def test_contexts_are_retrieved_once_and_read_back_as_they_were(tmp_path: Path) -> None:
    shelf = Shelf()
    keys = [ContextKey("Q?", 2, False), ContextKey("Q?", 2, True)]
    contexts = retrieve_contexts(keys, shelf, lambda: None)
    assert shelf.asked == [("Q?", 2), ("Q?", 20)]
    assert [p.id for p in contexts[keys[0]]] == ["p0", "p1"]
    assert [p.id for p in contexts[keys[1]]] == ["p0", "p2"]
    assert read_contexts(tmp_path) == {}
    write_contexts(tmp_path, contexts)
    assert _texts(read_contexts(tmp_path)[keys[1]]) == _texts(contexts[keys[1]])
    (tmp_path / "contexts.jsonl").write_text('{"question": "Q?"}\n')
    with pytest.raises(InputError, match=r"contexts\.jsonl:1: not a retrieved context"):
        read_contexts(tmp_path)


def _texts(passages: Sequence[Passage]) -> list[tuple[str, str, str | None]]:
    return [(p.id, p.text, p.source) for p in passages]
