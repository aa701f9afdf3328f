"""Reading recorded runs: what is accepted, where it is looked for, and what is refused with file and line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ragstone.datasets.records import AnswerState, find_records, load_records, select_runs
from ragstone.errors import InputError

INFO: dict[str, Any] = {
    "run": "first_20260101_000000",
    "date": "20260101",
    "dataset": "truthfulqa",
    "llm": "some-llm",
    "embedding": "some-embedding",
    "k": 5,
    "strategy": "mixed",
    "weights": [0.4, 0.35, 0.25],
    "ablation": None,
    "n": 2,
}
SAMPLE: dict[str, Any] = {
    "run": "first_20260101_000000",
    "sample_id": 0,
    "query": "Why?",
    "expected_answer": "Because.",
    "generated_answer": "Because.",
    "poisoned": False,
    "poison_strategy": "none",
    "factuality": 0.9,
    "consistency": 0.8,
    "poison_probability": 0.1,
    "trust": 0.865,
    "trustworthy": True,
    "generation_ms": 0.0,
    "evaluation_ms": 10.0,
    "total_ms": 12.0,
}


def write(folder: Path, infos: list[dict[str, Any]], samples: list[dict[str, Any]], *, packed: bool = False) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "runs.json").write_text(json.dumps(infos))
    lines = "".join(json.dumps(sample) + "\n" for sample in samples)
    path = folder / ("records.jsonl.gz" if packed else "records.jsonl")
    path.write_bytes(gzip.compress(lines.encode()) if packed else lines.encode())
    return path


@pytest.mark.parametrize("packed", [True, False])
def test_runs_come_with_their_samples_in_order(tmp_path: Path, packed: bool) -> None:
    write(tmp_path, [INFO], [SAMPLE | {"sample_id": 1, "poisoned": True, "trust": 0.2}, SAMPLE], packed=packed)
    (run,) = load_records(tmp_path)
    assert [sample.sample_id for sample in run.samples] == [0, 1]
    assert run.trust.tolist() == [0.865, 0.2]
    assert run.poisoned.tolist() == [False, True]
    assert run.queries == ("Why?", "Why?")


def test_empty_and_failed_answers_are_told_apart(tmp_path: Path) -> None:
    zeros = {"factuality": 0.0, "consistency": 0.0, "poison_probability": 0.0, "trust": 0.0}
    answers: list[dict[str, Any]] = [
        {"generated_answer": " \n"},
        {"generated_answer": "ERROR: connection lost", **zeros},
        {"generated_answer": "ERROR is a Latin word."},
        {"generated_answer": "Because.", **zeros},
    ]
    samples = [SAMPLE | answer | {"sample_id": number} for number, answer in enumerate(answers)]
    write(tmp_path, [INFO | {"n": 4}], samples)
    (run,) = load_records(tmp_path)
    assert run.states == (AnswerState.EMPTY, AnswerState.FAILED, AnswerState.ANSWERED, AnswerState.ANSWERED)
    assert run.trust_of_answers == [None, None, 0.865, 0.0]
    assert run.count(AnswerState.FAILED) == 1


def test_found_as_file_folder_data_folder_and_by_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "trustworthyrag", [INFO], [SAMPLE, SAMPLE | {"sample_id": 1}])
    assert find_records(path) == find_records(path.parent) == find_records(tmp_path) == path
    monkeypatch.setenv("RAGSTONE_DATA", str(tmp_path))
    assert find_records() == path


def test_without_a_path_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAGSTONE_DATA", raising=False)
    with pytest.raises(InputError, match=r"give their path, or set RAGSTONE_DATA .*records\.jsonl\.gz"):
        find_records()


def test_an_empty_folder_is_refused_with_the_places_looked_at(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"looked for .*records\.jsonl\.gz.*trustworthyrag"):
        load_records(tmp_path)


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([SAMPLE | {"trust": 1.5}], r"line 1: trust: .*less than or equal to 1"),
        ([SAMPLE | {"trust": None}], "line 1: trust"),
        ([SAMPLE, {k: v for k, v in SAMPLE.items() if k != "query"}], "line 2: query: Field required"),
        ([SAMPLE | {"run": "other"}], "line 1: run 'other' is not listed"),
        ([SAMPLE, SAMPLE], "line 2: sample 0 of run .* is given twice"),
        ([SAMPLE], "should have 2 samples, found 1"),
    ],
)
def test_bad_samples_are_refused(tmp_path: Path, samples: list[dict[str, Any]], message: str) -> None:
    write(tmp_path, [INFO], samples)
    with pytest.raises(InputError, match=message):
        load_records(tmp_path)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, [INFO], [SAMPLE, SAMPLE | {"sample_id": 1}], packed=True)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="cannot read"):
        load_records(path)
    path.write_bytes(b"no gzip at all")
    with pytest.raises(InputError, match="cannot read"):
        load_records(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "must stand beside"),
        ("{", "is not a list of runs"),
        ("[{}]", "is not a list of runs"),
        (json.dumps([INFO, INFO]), "listed twice"),
    ],
)
def test_bad_run_lists_are_refused(tmp_path: Path, text: str | None, message: str) -> None:
    write(tmp_path, [INFO], [SAMPLE, SAMPLE | {"sample_id": 1}])
    if text is None:
        (tmp_path / "runs.json").unlink()
    else:
        (tmp_path / "runs.json").write_text(text)
    with pytest.raises(InputError, match=message):
        load_records(tmp_path)


def test_selection_is_by_field_and_oldest_first(tmp_path: Path) -> None:
    infos = [
        INFO | {"n": 1, "run": "b", "date": "20260102"},
        INFO | {"n": 1, "run": "c", "date": "20260101", "k": 3},
        INFO | {"n": 1, "run": "a", "date": "20260103"},
    ]
    write(tmp_path, infos, [SAMPLE | {"run": info["run"]} for info in infos])
    runs = load_records(tmp_path)
    assert [run.name for run in select_runs(runs, k=5)] == ["b", "a"]
    assert select_runs(runs, llm="unknown") == ()
