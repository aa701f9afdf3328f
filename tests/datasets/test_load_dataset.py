"""Data sets by name: what each gives, how it is split, and what is said when it is not to be had."""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from ragstone.datasets import DATASETS, load_dataset
from ragstone.datasets.fever import detokenised
from ragstone.datasets.samples import hashed_split
from ragstone.errors import InputError


@pytest.mark.parametrize("name", sorted(DATASETS))
def test_the_shipped_samples_load_and_documents_give_no_label_away(name: str) -> None:
    dataset = load_dataset(name, data="samples")
    assert len(dataset.samples) >= 4
    ids = [d.id for s in dataset.samples for d in (s.document, *s.companions, *s.hostile)]
    assert len(set(ids)) == len(ids)
    for sample in dataset.samples:
        assert sample.question.strip()
        assert sample.expected.strip()
        assert sample.split in ("paper", "tune", "report")
        for document in (sample.document, *sample.companions, *sample.hostile):
            assert document.text.strip()
            assert not document.metadata
            assert document.title is document.source is None


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="jsonl:PATH, poisonedrag"):
        load_dataset("squad")
    with pytest.raises(InputError, match="unknown data set 'fever:x'"):
        load_dataset("fever:x", data="samples")


def test_an_unknown_split_lists_those_there_are() -> None:
    with pytest.raises(InputError, match=r"'truthfulqa'.*'tuning'.*paper \(12\), and all"):
        load_dataset("truthfulqa", split="tuning", data="samples")


@pytest.mark.parametrize("name", sorted(set(DATASETS) - {"securecode", "jsonl"}))
def test_absent_data_says_where_it_looked_and_where_to_get_it(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none of .*https://"):
        load_dataset(name, data=tmp_path)


def test_poisonedrag_has_no_public_home_to_fall_back_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAGSTONE_DATA", raising=False)
    with pytest.raises(InputError, match=r"RAGSTONE_DATA \(not set\).*github"):
        load_dataset("poisonedrag")


def test_the_folder_of_the_environment_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "TruthfulQA.csv").write_text("Question,Best Answer\nWho?,Ann\n")
    monkeypatch.setenv("RAGSTONE_DATA", str(tmp_path))
    (sample,) = load_dataset("truthfulqa").samples
    assert (sample.question, sample.expected, sample.document.text) == ("Who?", "Ann", "Who? Ann")


def test_truthfulqa_is_split_by_row(tmp_path: Path) -> None:
    file = tmp_path / "TruthfulQA.csv"
    file.write_text("Question,Best Answer\n" + "".join(f"Q{i}?,A{i}\n" for i in range(1, 818)))
    assert load_dataset("truthfulqa", data=file).splits == {"paper": 50, "tune": 350, "report": 417}
    assert load_dataset("truthfulqa", split="tune", data=file).samples[0].question == "Q51?"


def test_truthfulqa_as_the_hub_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"question": " Who? ", "best_answer": "Ann"}]
    parquet = SimpleNamespace(read_table=lambda path, columns: SimpleNamespace(to_pylist=lambda: rows))
    monkeypatch.setitem(sys.modules, "pyarrow", SimpleNamespace(parquet=parquet))
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", parquet)
    file = tmp_path / "validation.parquet"
    file.write_bytes(b"PAR1")
    (sample,) = load_dataset("truthfulqa", data=file).samples
    assert sample.document.text == "Who? Ann"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Question,Answer\nWho?,Ann\n", "'Best Answer'"),
        ("Question,Best Answer\nWho?,\n", ":2: a row needs"),
        ("Question,Best Answer\nWho?\n", ":2: a row needs"),
    ],
)
def test_a_file_that_is_not_truthfulqa_is_refused(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "TruthfulQA.csv"
    file.write_text(content)
    with pytest.raises(InputError, match=message):
        load_dataset("truthfulqa", data=file)


def test_fever_comes_in_three_forms() -> None:
    texts = {name: load_dataset(name, data="samples").samples[1] for name in ("fever", "fever-bare", "fever-evidence")}
    claim = "The salt store of Norrvik is a concert hall."
    question = f"Is the following claim true or false? {claim}"
    assert {sample.question for sample in texts.values()} == {question}
    assert texts["fever"].document.text == f"{question} The claim is refuted by evidence. {claim}"
    assert texts["fever-bare"].document.text == claim
    assert texts["fever-evidence"].document.text.startswith("The salt store, built in 1642, houses")
    assert texts["fever-evidence"].expected == f"It is false that {claim}"


def test_fever_leaves_out_repeated_claims_and_those_without_a_verdict(tmp_path: Path) -> None:
    rows = [{"claim": f"Claim {i}.", "evidence": "E.", "label": "SUPPORTS"} for i in range(60)]
    rows += [rows[0], {"claim": "Open.", "label": "NOT ENOUGH INFO"}]
    file = tmp_path / "fever_dev.jsonl.gz"
    file.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    dataset = load_dataset("fever", data=tmp_path)
    assert len(dataset.samples) == 60
    assert dataset.splits["paper"] == 50
    assert all(s.split == hashed_split(f"Claim {i}.") for i, s in enumerate(dataset.samples) if i >= 50)


def test_fever_as_the_hub_has_it(tmp_path: Path) -> None:
    row = {"claim": "A.", "label": "REFUTES", "evidence": [["Page", 0, "First ."], ["Page", 1, "Second ."]]}
    file = tmp_path / "valid.jsonl"
    file.write_text(json.dumps(row))
    (sample,) = load_dataset("fever-evidence", data=file).samples
    assert sample.document.text == "First. Second."
    assert sample.split == hashed_split("A.")


def test_ramdocs_as_the_hub_has_it(tmp_path: Path) -> None:
    documents = [{"text": t, "type": k, "answer": "x"} for t, k in (("Wrong.", "misinfo"), ("Right.", "correct"))]
    row = {"question": "Q?", "documents": documents, "gold_answers": ["yes"], "wrong_answers": ["no"]}
    file = tmp_path / "RAMDocs_test.jsonl"
    file.write_text(json.dumps(row))
    (sample,) = load_dataset("ramdocs", data=file).samples
    assert (sample.document.text, sample.expected) == ("Right.", "yes")
    assert [document.text for document in sample.hostile] == ["Wrong."]


def test_hostile_passages_are_apart_from_the_sound_ones() -> None:
    sample = load_dataset("poisonedrag", data="samples").samples[0]
    assert "Gustav Roos" in sample.document.text
    assert all("Olof Strand" in document.text for document in sample.hostile)
    assert len(sample.hostile) == 3
    assert not any("Olof" in document.text for document in sample.companions)


def test_any_file_of_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text('{"question": "Q?", "answer": "A", "split": "mine"}\n\n{"question": "R?", "expected": "B"}\n')
    first, second = load_dataset(f"jsonl:{file}").samples
    assert (first.document.text, first.split) == ("Q? A", "mine")
    assert (second.expected, second.split) == ("B", hashed_split("R?"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"question": "Q?"}', ":1: expected some text under 'answer' or 'expected'; found question"),
        ('{"question": "Q?", "answer": "A"}\n{"question": ', ":2: not valid JSON"),
        ('["Q?"]', ":1: expected a JSON object, got list"),
        ("", "holds no samples"),
        ('{"id": "a", "question": "Q?", "answer": "A"}\n{"id": "a", "question": "R?", "answer": "A"}', "used twice"),
    ],
)
def test_bad_lines_are_named(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(content)
    with pytest.raises(InputError, match=message):
        load_dataset(f"jsonl:{file}")


def test_the_hashed_split_gives_two_in_five_to_tuning() -> None:
    counts = Counter(hashed_split(f"question {i}") for i in range(5000))
    assert abs(counts["tune"] / 5000 - 0.4) < 0.02


def test_treebank_tokens_become_running_text() -> None:
    text = "He -LRB- born 1971 -RRB- wrote `` The Sea '' , his sister 's book , and does n't regret it ."
    assert detokenised(text) == "He (born 1971) wrote \"The Sea\", his sister's book, and doesn't regret it."


def test_the_real_files_load(data_folder: Path) -> None:
    if not (data_folder / "truthfulqa").is_dir():
        pytest.skip(f"no truthfulqa/ under {data_folder}")
    assert load_dataset("truthfulqa", data=data_folder).splits["paper"] == 50
    ramdocs = load_dataset("ramdocs", data=data_folder)
    assert sum(bool(sample.hostile) for sample in ramdocs.samples) > 200
    assert all(len(s.hostile) == 5 for s in load_dataset("poisonedrag", data=data_folder).samples)
