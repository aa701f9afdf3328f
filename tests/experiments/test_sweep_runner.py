"""Running a sweep: what is asked with which seed, what is stored, and that nothing is lost or done twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from fakes import WordEmbedder
from ragstone.backends.protocols import Generator
from ragstone.errors import BackendError, InputError
from ragstone.experiments.sweep.records import CellRecord, ControlRecord, read_records
from ragstone.experiments.sweep.runner import run_sweep
from ragstone.experiments.sweep.scored import load_sweep
from sweeps import Reader, first_passage, run_small, small_setup


def cells_of(folder: Path) -> list[CellRecord]:
    return [record for record in read_records(folder) if isinstance(record, CellRecord)]


def test_every_cell_is_answered_twice_and_every_control_once(tmp_path: Path) -> None:
    reader = Reader()
    result = run_small(tmp_path, reader)
    assert (result.total, dict(result.failed)) == (4 * 3 * 4 + 1, {})
    records = list(read_records(tmp_path))
    assert len(records) == result.total == len({record.key for record in records})
    assert len(reader.asked) == 2 * 48 + 1
    assert {(temperature, tokens) for _, temperature, tokens, _ in reader.asked} == {(0.1, 96)}
    control = records[-1]
    assert isinstance(control, ControlRecord)
    assert len(control.passages) == 3


def test_both_answers_are_given_from_the_same_passages_in_the_same_order(tmp_path: Path) -> None:
    reader = Reader()
    run_small(tmp_path, reader)
    for record, clean, poisoned in zip(cells_of(tmp_path), reader.asked[::2], reader.asked[1::2], strict=False):
        lines = list(zip(clean[0].splitlines(), poisoned[0].splitlines(), strict=True))
        changed = {number for number, (a, b) in enumerate(lines) if a != b}
        assert changed == {change.position for change in record.poisoned}
        assert record.clean.text == first_passage(clean[0])
        assert record.attacked.text == first_passage(poisoned[0])


def test_independent_answers_have_seeds_of_their_own(tmp_path: Path) -> None:
    run_small(tmp_path)
    seeds = [answer.seed for record in cells_of(tmp_path) for answer in (record.clean, record.attacked)]
    assert len(set(seeds)) == len(seeds) == 96
    assert not any(record.clean.reused for record in cells_of(tmp_path))


def test_locked_pairs_share_a_seed_and_generate_the_clean_answer_once(tmp_path: Path) -> None:
    reader = Reader(lambda prompt, seed: f"{first_passage(prompt)} {seed}")
    run_small(tmp_path, reader, small_setup(overrides={"decoding": ["locked"]}))
    records = cells_of(tmp_path)
    assert all(record.clean.seed == record.attacked.seed for record in records)
    assert len({record.clean.seed for record in records}) == 4
    assert len(reader.asked) == 4 + 48 + 1
    assert Counter(record.clean.reused for record in records) == {True: 44, False: 4}
    run = load_sweep(tmp_path)
    assert all(cell.identical for cell in run.cells if cell.record.level == 0)


def test_a_nondeterministic_generator_shows_in_the_residual(tmp_path: Path) -> None:
    counter = iter(range(10_000))
    reader = Reader(lambda prompt, seed: f"{first_passage(prompt)} {next(counter)}")
    run_small(tmp_path, reader, small_setup(overrides={"decoding": ["locked"]}))
    assert not any(cell.identical for cell in load_sweep(tmp_path).cells)


def test_seeds_and_draws_make_replicates(tmp_path: Path) -> None:
    setup = small_setup(2, 0, {"decoding_seeds": 2, "corruption_draws": 2, "decoding": ["locked"]})
    run_small(tmp_path, setup=setup)
    records = cells_of(tmp_path)
    assert len(records) == 2 * 12 * 4
    by_seed = {(r.slot, r.seed): r.clean.seed for r in records}
    assert len(set(by_seed.values())) == 4
    edits = {(r.slot, r.strategy, r.level, r.draw): r.poisoned for r in records}
    assert any(edits[1, "entity_swap", 1, 0] != edits[s, "entity_swap", 1, 1] for s in (1, 2))


def test_resuming_repeats_nothing(tmp_path: Path) -> None:
    run_small(tmp_path / "whole")
    stop_after = 30

    def failing(prompt: str, seed: int) -> str:
        if len(reader.asked) > stop_after:
            raise KeyboardInterrupt
        return first_passage(prompt)

    reader = Reader(failing)
    with pytest.raises(KeyboardInterrupt):
        run_small(tmp_path / "parts", reader)
    before = (tmp_path / "parts" / "samples.jsonl").read_bytes()
    assert before.count(b"\n") == stop_after // 2
    with (tmp_path / "parts" / "samples.jsonl").open("ab") as stream:
        stream.write(b'{"kind": "cell", "key": "k3/ent')
    (tmp_path / "parts" / "contexts.jsonl.part").write_text("torn")
    again = Reader()
    run_small(tmp_path / "parts", again)
    assert len(again.asked) == 97 - stop_after
    assert (tmp_path / "parts" / "samples.jsonl").read_bytes().startswith(before)
    assert _answers(tmp_path / "parts") == _answers(tmp_path / "whole")


def _answers(folder: Path) -> dict[str, tuple[object, ...]]:
    return {r.key: (r.poisoned, r.clean.text, r.clean.seed, r.attacked.text, r.attacked.seed) for r in cells_of(folder)}


_CHILD = """
import sys, time
from pathlib import Path
from sweeps import Reader, first_passage, run_small, small_setup
def slow(prompt, seed):
    time.sleep(0.004)
    return first_passage(prompt)
run_small(Path(sys.argv[1]), Reader(slow), small_setup(2, 1))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_at_any_moment_the_same_sweep_comes_out(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    kills = 0
    for tail in (0.0, 0.03, 0.07):
        child = subprocess.Popen([sys.executable, "-c", _CHILD, str(folder)], env=environment)
        deadline = time.monotonic() + 60
        size = _size(folder)
        while child.poll() is None and _size(folder) == size and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(tail)
        child.kill()
        kills += child.wait() == -signal.SIGKILL
    assert kills >= 1
    run_small(folder, setup=small_setup(2, 1))
    run_small(tmp_path / "whole", setup=small_setup(2, 1))
    assert _answers(folder) == _answers(tmp_path / "whole")
    assert len(list(read_records(folder))) == 25


def _size(folder: Path) -> int:
    path = folder / "samples.jsonl"
    return path.stat().st_size if path.exists() else 0


def test_an_empty_answer_is_an_answer(tmp_path: Path) -> None:
    run_small(tmp_path, Reader(lambda prompt, seed: "  "), small_setup(1, 0))
    records = cells_of(tmp_path)
    assert len(records) == 12
    assert all(r.clean.text == "" and "no text" in (r.clean.reason or "") for r in records)


def test_a_cell_that_fails_is_tried_again(tmp_path: Path) -> None:
    def too_long(prompt: str, seed: int) -> str:
        if len(reader.asked) % 8 == 3:
            raise BackendError("the prompt is too long")
        return first_passage(prompt)

    reader = Reader(too_long)
    result = run_small(tmp_path, reader, small_setup(1, 0))
    assert result.failed
    assert set(result.failed.values()) == {"the prompt is too long"}
    assert len(cells_of(tmp_path)) == 12 - len(result.failed)
    assert not run_small(tmp_path, setup=small_setup(1, 0)).failed
    assert len(cells_of(tmp_path)) == 12


def test_a_generator_that_is_gone_ends_the_sweep(tmp_path: Path) -> None:
    def gone(prompt: str, seed: int) -> str:
        raise BackendError("no connection")

    with pytest.raises(BackendError, match="5 cells in a row failed, the last with: no connection"):
        run_small(tmp_path, Reader(gone))


def test_another_sweep_does_not_go_on_in_the_same_folder(tmp_path: Path) -> None:
    run_small(tmp_path, setup=small_setup(1, 0))
    with pytest.raises(InputError, match="run with other settings"):
        run_small(tmp_path, setup=small_setup(1, 0, {"seed": 1}))
    with pytest.raises(InputError, match="other settings"):
        run_small(tmp_path, setup=small_setup(2, 0))


class Caching(Reader):
    """A reader whose prompt cache can be switched; remembers which variant was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.variants = {True: Reader(), False: Reader()}

    def with_prompt_cache(self, enabled: bool) -> Generator:
        return self.variants[enabled]


def test_the_prompt_cache_is_switched_where_the_generator_offers_one(tmp_path: Path) -> None:
    setup = small_setup(1, 0, {"prompt_cache": [False, True], "decoding": ["locked"]})
    caching = Caching()
    run_small(tmp_path / "caching", caching, setup)
    assert len(caching.variants[False].asked) == 1 + 12
    assert len(caching.variants[True].asked) == 12 + 12
    seeds = {on: {asked[3] for asked in reader.asked} for on, reader in caching.variants.items()}
    assert seeds[True] == seeds[False]
    with pytest.raises(InputError, match="offers no prompt cache"):
        run_small(tmp_path / "plain", Reader(), setup)


def test_attacks_that_need_a_model_get_it(tmp_path: Path) -> None:
    setup = small_setup(1, 0, {"strategies": ["generated"], "levels": [1]})
    run_sweep(setup, WordEmbedder(), Reader(lambda prompt, seed: "The tower is in Oslo."), tmp_path)
    assert cells_of(tmp_path)[0].strategy == "generated"


def test_a_folder_that_is_no_sweep_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"it has no meta\.json"):
        load_sweep(tmp_path)
    (tmp_path / "meta.json").write_text(json.dumps({"format": 1, "run": {"experiment": "detection"}}))
    with pytest.raises(InputError, match="no sweep"):
        load_sweep(tmp_path)


def test_a_changed_line_is_named(tmp_path: Path) -> None:
    run_small(tmp_path, setup=small_setup(1, 0))
    with (tmp_path / "samples.jsonl").open("a") as stream:
        stream.write('{"kind": "cell", "key": "x"}\n')
    with pytest.raises(InputError, match=r"samples\.jsonl:13: field"):
        load_sweep(tmp_path)
