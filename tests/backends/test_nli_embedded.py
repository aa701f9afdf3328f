"""The model that ships: pinned, and a pair's score its own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import ragstone.backends.nli.onnx as onnx_nli
from ragstone.backends import open_nli
from ragstone.backends.protocols import NLI
from ragstone.errors import ModelError
from ragstone.settings import Settings

PAIRS = [
    ("The bridge was built in 1880 by the town.", "The bridge was built in 1880."),
    ("The bridge was built in 1880 by the town.", "The bridge was not built in 1880."),
    ("The bridge was built in 1880 by the town.", "Bananas contain a good deal of potassium."),
    ("A man is sleeping on a bench in the park.", "A man is awake and running."),
    ("Ann wrote the report " + "and checked it again " * 15, "Ann wrote a report."),
]


@pytest.fixture(scope="module")
def nli() -> NLI:
    return open_nli("embedded")


def test_rows_are_probabilities(nli: NLI) -> None:
    scores = nli.score(PAIRS)
    assert scores.shape == (len(PAIRS), 3)
    assert scores.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (scores >= 0).all()


def test_it_tells_the_three_relations_apart(nli: NLI) -> None:
    assert nli.score(PAIRS).argmax(axis=1).tolist() == [0, 2, 1, 2, 0]


def test_a_score_does_not_depend_on_what_else_is_in_the_batch(nli: NLI) -> None:
    together = nli.score(PAIRS)
    alone = np.concatenate([nli.score([pair]) for pair in PAIRS])
    order = [3, 0, 4, 2, 1]
    permuted = nli.score([PAIRS[i] for i in order])
    assert np.array_equal(together, alone)
    assert np.array_equal(together[order], permuted)


def test_threads_do_not_change_a_score(nli: NLI) -> None:
    single = open_nli("embedded", Settings.model_validate({"models": {"threads": 1}}))
    assert np.array_equal(single.score(PAIRS), nli.score(PAIRS))


def test_no_pairs_give_no_rows(nli: NLI) -> None:
    assert nli.score([]).shape == (0, 3)


def test_tokens_are_counted_beyond_the_limit(nli: NLI) -> None:
    assert nli.count_tokens("word " * 1000) == 1000


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "🙂" * 400, "a" * 5000])
def test_odd_texts_are_scored(nli: NLI, text: str) -> None:
    assert np.isfinite(nli.score([(text, text)])).all()


def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(onnx_nli.__file__).parents[2] / "data" / "nli"
    target = tmp_path / "data" / "nli"
    shutil.copytree(source, target)
    with (target / "model.onnx").open("r+b") as file:
        file.seek(1000)
        file.write(b"\0\1\2\3")
    monkeypatch.setattr(onnx_nli, "files", lambda package: tmp_path)
    with pytest.raises(ModelError, match="not the pinned file"):
        open_nli("embedded")


def test_the_identity_follows_all_that_decides_a_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the labels swapped, the same weights are another model."""
    known = open_nli("embedded").identity
    target = tmp_path / "data" / "nli"
    shutil.copytree(Path(onnx_nli.__file__).parents[2] / "data" / "nli", target)
    config = json.loads((target / "config.json").read_text())
    names = config["id2label"]
    config["id2label"] = {key: names[str(2 - int(key))] for key in names}
    (target / "config.json").write_text(json.dumps(config))
    monkeypatch.setattr(onnx_nli, "files", lambda package: tmp_path)
    assert open_nli("embedded").identity != known


def test_a_manifest_without_a_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "data" / "nli"
    target.mkdir(parents=True)
    (target / "manifest.json").write_text("{}")
    monkeypatch.setattr(onnx_nli, "files", lambda package: tmp_path)
    with pytest.raises(ModelError, match="manifest"):
        open_nli("embedded")


def test_long_texts_are_counted_without_being_kept(nli: NLI) -> None:
    assert isinstance(nli, onnx_nli.OnnxNLI)
    before = nli._count.cache_info().currsize
    assert nli.count_tokens("word " * 5000) == 5000
    assert nli._count.cache_info().currsize == before
