"""Designs: the paper's cells, any factorial from a file, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragstone.datasets.sweep_queries import load_queries
from ragstone.errors import InputError
from ragstone.experiments.sweep.design import Configuration, designs, load_design

QUERIES = load_queries()


def test_the_default_is_the_papers_588_cells() -> None:
    cells = list(load_design().cells(QUERIES))
    assert len(cells) == 49 * 3 * 4 == 588
    assert {cell.strategy for cell in cells} == {"entity_swap", "number_swap", "negation"}
    assert {cell.level for cell in cells} == {0, 1, 2, 3}
    assert load_design("paper") == load_design()


@pytest.mark.parametrize(
    ("name", "cells"), [("paper", 588), ("locked", 1176), ("repeats", 5292), ("strategies", 1764), ("depth", 3234)]
)
def test_every_design_that_comes_along_has_as_many_cells_as_it_says(name: str, cells: int) -> None:
    assert name in designs()
    keys = [cell.key for cell in load_design(name).cells(QUERIES)]
    assert len(keys) == len(set(keys)) == cells


def test_a_design_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'strategies = ["negation", { attack = "entity_swap", consistent = true }]\n'
        'k = [1, 5]\nsource_diversity = [false, true]\nlevels = [0, 2]\ndecoding = ["locked"]\nprompt_cache = [true]\n'
    )
    design = load_design(path, {"corruption_draws": 2, "seed": None})
    assert [strategy.name for strategy in design.strategies] == ["negation", "entity_swap_consistent"]
    assert design.levels_of(Configuration(1, False, "locked", True)) == (0,)
    assert design.levels_of(Configuration(5, False, "locked", True)) == (0, 2)
    assert [c.name for c in design.configurations] == [
        "k1-locked-cached",
        "k1-diverse-locked-cached",
        "k5-locked-cached",
        "k5-diverse-locked-cached",
    ]
    assert len(list(design.cells(QUERIES))) == 49 * 2 * 2 * (1 + 1 + 2 + 2)


def test_replicates_come_last_so_that_a_part_is_a_whole_sweep() -> None:
    cells = list(load_design(None, {"decoding_seeds": 2, "corruption_draws": 2}).cells(QUERIES))
    assert [(c.seed, c.draw) for c in cells[::588]] == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"strategies": ["entity_swop"]}, "unknown attack; known: .*entity_swap.*'entity_swop'"),
        ({"strategies": []}, "strategies"),
        ({"strategy": "negation"}, "unknown field 'strategy'; known: .*strategies"),
        ({"k": [0]}, "k.0: .*greater than or equal to 1"),
        ({"k": [3, 3]}, "k lists a value twice"),
        ({"strategies": ["negation", "negation"]}, "strategies lists a value twice"),
        ({"temperature": float("nan")}, "temperature"),
        ({"decoding": ["random"]}, "decoding.0"),
    ],
)
def test_what_a_design_cannot_be(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_design(None, values)


def test_files_that_are_no_design(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="neither a file nor one of depth, locked, paper"):
        load_design(tmp_path / "absent.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("k = [")
    with pytest.raises(InputError, match="not valid TOML"):
        load_design(broken)
    with pytest.raises(InputError, match="cannot read"):
        load_design(tmp_path)
