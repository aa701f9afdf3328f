"""The protocol of the benchmark on stand-in models: pairing, labels, answers made once, resuming after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmark_fakes import Parrot, generated_run, run_small, setup_of
from ragstone.errors import BackendError, InputError
from ragstone.experiments.answers import GeneratedAnswers, NoAnswers
from ragstone.experiments.detection_record import DetectionRecord, Part
from ragstone.experiments.stored_runs import StoredRun, load_run
from ragstone.screening.aggregate import batch_poison, passage_poison
from ragstone.settings import load_settings
from ragstone.types import Action, Passage


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> StoredRun:
    folder = tmp_path_factory.mktemp("runs") / "small"
    run_small(folder, "mixed", "instruction_injection")
    return load_run(folder)


def test_every_question_is_asked_of_every_corpus_paired_by_index(run: StoredRun) -> None:
    assert run.complete
    arms = [run.arm(Part.CLEAN), run.arm(Part.CONTROL), *(run.arm(Part.POISONED, s) for s in run.strategies)]
    for arm in arms:
        assert [record.index for record in arm] == list(range(8))
        assert [record.sample_id for record in arm] == [record.sample_id for record in arms[0]]


def test_document_labels_are_those_of_the_aligned_document(run: StoredRun) -> None:
    assert not any(record.poisoned or record.retrieved_poison for record in run.arm(Part.CLEAN))
    for strategy in run.strategies:
        part_b = run.arm(Part.POISONED, strategy)
        assert sum(record.poisoned for record in part_b) == 3  # 30 % of 8, rounded up
        for record in part_b:
            own = next((p for p in record.passages if p.id == record.sample_id), None)
            assert own is None or (own.strategy is not None) == record.poisoned
            assert record.poisoned == (record.applied is not None)


def test_a_clean_question_that_meets_a_poisoned_neighbour_counts_as_poisoned_by_retrieval_only(run: StoredRun) -> None:
    spilled = [r for r in run.arm(Part.POISONED, "mixed") if r.retrieved_poison and not r.poisoned]
    assert spilled
    assert all(any(p.strategy and p.id != r.sample_id for p in r.passages) for r in spilled)


def test_the_control_is_edited_and_never_poisoned(run: StoredRun) -> None:
    control = run.arm(Part.CONTROL)
    assert not any(record.poisoned or record.retrieved_poison for record in control)
    assert {p.edit for record in control for p in record.passages} - {None}


def test_stored_findings_give_the_stored_poison(run: StoredRun) -> None:
    for record in run.records:
        poisons = [passage_poison([f.severity for f in record.findings if f.passage == p.id]) for p in record.passages]
        assert poisons == pytest.approx([p.poison for p in record.passages])
        passages = [Passage(p.id, "", score=p.score) for p in record.passages]
        assert batch_poison(passages, poisons, 0.7) == pytest.approx(record.poison)


def test_a_prompt_and_seed_are_generated_once(tmp_path: Path) -> None:
    parrot = generated_run(tmp_path / "run")
    run = load_run(tmp_path / "run")
    stored = [json.loads(line) for line in (tmp_path / "run" / "generations.jsonl").read_text().splitlines()]
    assert parrot.calls == len(stored) == len({row["key"] for row in stored})
    assert parrot.calls == sum(not record.reused_answer for record in run.records) < len(run.records)
    first, second = run.arm(Part.CLEAN, repeat=0), run.arm(Part.CLEAN, repeat=1)
    assert [r.answer for r in first] != [r.answer for r in second]


def test_a_generator_that_fails_stops_the_run_and_nothing_is_lost(tmp_path: Path) -> None:
    setup = setup_of()
    with pytest.raises(BackendError, match="endpoint is gone"):
        run_small(tmp_path, answers=GeneratedAnswers(Parrot(lasts=5), setup.settings), setup=setup)
    assert len(load_run(tmp_path).records) == 5
    parrot = Parrot()
    run_small(tmp_path, answers=GeneratedAnswers(parrot, setup.settings), setup=setup)
    stored = [json.loads(line) for line in (tmp_path / "generations.jsonl").read_text().splitlines()]
    assert load_run(tmp_path).complete
    assert parrot.calls == len(stored) - 5


def comparable(folder: Path) -> dict[str, dict[str, object]]:
    """Samples without what depends on the moment: times, and what a cache had seen before."""
    run = load_run(folder)
    assert run.complete
    left_out = {"timings", "pairs", "reused_answer"}
    return {record.key: record.model_dump(mode="json", exclude=left_out) for record in run.records}


def test_killed_at_any_point_and_run_again_it_comes_to_the_same(tmp_path: Path) -> None:
    generated_run(tmp_path / "whole")
    folder = tmp_path / "killed"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    program = [sys.executable, str(Path(__file__).parents[1] / "benchmark_fakes.py"), str(folder)]
    for lines in (1, 8, 17):
        with subprocess.Popen(program, env=environment) as process:
            deadline = time.monotonic() + 120
            while process.poll() is None and _lines(folder) < lines and time.monotonic() < deadline:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
        # What a kill in the midst of a write leaves behind.
        for name in ("samples.jsonl", "generations.jsonl"):
            with (folder / name).open("ab") as stream:
                stream.write(b'{"key": "torn')
        assert _lines(folder) >= lines
    generated_run(folder)
    assert comparable(folder) == comparable(tmp_path / "whole")
    keys = [json.loads(line)["key"] for line in (folder / "samples.jsonl").read_text().splitlines()]
    assert len(keys) == len(set(keys))


def _lines(folder: Path) -> int:
    path = folder / "samples.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    run_small(tmp_path, "mixed")
    other = load_settings(environment={}, overrides={"retrieval.top_k": 2, "preset": "paper"})
    with pytest.raises(InputError, match=r'preset: "full" there, "paper" now'):
        run_small(tmp_path, setup=setup_of(settings=other))


def test_a_finished_run_does_nothing_more(tmp_path: Path) -> None:
    run_small(tmp_path, "mixed")
    before = (tmp_path / "samples.jsonl").read_bytes()
    seen: list[tuple[int, int]] = []
    run_small(tmp_path, "mixed", progress=lambda done, total, label: seen.append((done, total)))
    assert (tmp_path / "samples.jsonl").read_bytes() == before
    assert seen == [(24, 24)]


def test_screening_alone_gives_trust_without_an_answer(tmp_path: Path) -> None:
    run_small(tmp_path, "instruction_injection", answers=NoAnswers())
    records = load_run(tmp_path).records
    assert all(record.factuality is None and record.answer is None for record in records)
    assert all(record.trust is not None for record in records)
    top = [r for r in records if r.passages[0].flagged]
    assert top
    assert all(record.action is Action.REJECT for record in top)


def test_an_empty_answer_is_unscored_and_says_why(tmp_path: Path) -> None:
    setup = setup_of()
    run_small(tmp_path, answers=GeneratedAnswers(Parrot(silent=True), setup.settings), setup=setup)
    for record in load_run(tmp_path).records:
        assert record.trust is None
        assert record.action is Action.UNSCORED
        assert "returned no text" in (record.unscored_reason or "")


def test_repeats_without_a_generator_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="would all be the same"):
        run_small(tmp_path, setup=setup_of(repeats=2))


def test_a_record_survives_its_file(run: StoredRun) -> None:
    record = run.records[0]
    assert DetectionRecord.model_validate_json(record.model_dump_json()) == record
