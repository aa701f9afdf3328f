"""``ragstone attack``: labels beside the corpus, never in it; the same seed gives the same files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ragstone.attacks.corpus import read_labels
from ragstone.cli.main import app
from ragstone.errors import InputError

TEXTS = [
    "The ferry to Lund leaves at 9:40 and takes 35 minutes.",
    "Anna Berg has led the harbour office since 2014.",
    "The lighthouse is 31 metres high and was built in 1888.",
    "Visitors may enter the tower on Sundays.",
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    rows = [{"id": f"d{i}", "text": text, "kept": i} for i, text in enumerate(TEXTS)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_labels_tell_what_was_changed_and_the_corpus_does_not(corpus: Path) -> None:
    result = CliRunner().invoke(app, ["attack", str(corpus), "--strategy", "negation", "--share", "0.5", "--json"])
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert (summary["documents"], summary["chosen"]) == (4, 2)
    rows = [json.loads(line) for line in Path(summary["corpus"]).read_text().splitlines()]
    assert [set(row) for row in rows] == [{"id", "text", "kept"}] * 4
    labels = {label.id: label for label in read_labels(summary["labels"])}
    changed = {row["id"] for row, text in zip(rows, TEXTS, strict=True) if row["text"] != text}
    assert changed == {name for name, label in labels.items() if label.changed}
    assert len(changed) == summary["poisoned"] == 2


def test_the_same_seed_gives_the_same_files(corpus: Path, tmp_path: Path) -> None:
    texts = []
    for name in ("a.jsonl", "b.jsonl"):
        target = tmp_path / name
        CliRunner().invoke(app, ["attack", str(corpus), "--out", str(target), "--labels", str(tmp_path / f"l-{name}")])
        texts.append((target.read_text(), (tmp_path / f"l-{name}").read_text()))
    assert texts[0] == texts[1]


def test_an_unknown_strategy_lists_the_known_ones(corpus: Path) -> None:
    result = CliRunner().invoke(app, ["attack", str(corpus), "--strategy", "bribery"])
    assert isinstance(result.exception, InputError)
    assert "contradiction" in str(result.exception)
