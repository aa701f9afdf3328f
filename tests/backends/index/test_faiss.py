from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragstone.backends.index.faiss import FlatIndex
from ragstone.backends.index.storage import read_info
from ragstone.errors import BackendError, IndexMismatchError, InputError
from ragstone.types import Passage


def unit(*rows: Sequence[float]) -> NDArray[np.float32]:
    matrix = np.array(rows, dtype=np.float32)
    result: NDArray[np.float32] = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    return result


def part(identifier: str, document: str | None = None, **metadata: Any) -> Passage:
    return Passage(
        identifier, f"Text of {identifier}.", metadata=({"document_id": document} if document else {}) | metadata
    )


@pytest.fixture
def index() -> FlatIndex:
    made = FlatIndex("model-1", 2)
    made.add(
        [part("a#0", "a"), part("a#1", "a"), part("b"), part("c", note={"deep": [1]})],
        unit([1, 0], [0, 1], [1, 1], [-1, 0]),
    )
    return made


QUERY = np.array([1, 0], dtype=np.float32)


def test_search_gives_cosines_in_order(index: FlatIndex) -> None:
    found = index.search(QUERY, 3)
    assert [(passage.id, passage.rank) for passage in found] == [("a#0", 1), ("b", 2), ("a#1", 3)]
    assert [passage.score for passage in found] == pytest.approx([1.0, 0.5**0.5, 0.0])
    assert found[0].text == "Text of a#0."
    assert [passage.id for passage in index.search(QUERY, 99)] == ["a#0", "b", "a#1", "c"]


def test_scores_are_cosines_whatever_the_rounding() -> None:
    rows = np.random.default_rng(1).normal(size=(200, 48)).astype(np.float32)
    made = FlatIndex("model-1", 48)
    made.add([part(f"{number:03}") for number in range(200)], rows)
    for number, row in enumerate(rows):
        (best,) = made.search(row, 1)
        assert best.id == f"{number:03}"
        assert best.score is not None
        assert 0.999999 < best.score <= 1.0


def test_ties_stand_in_the_order_of_ids_also_at_the_end() -> None:
    names = [f"p{number:02}" for number in range(40)]
    shuffled = list(np.random.default_rng(5).permutation(names))
    made = FlatIndex("model-1", 2)
    made.add([part("best"), *map(part, shuffled)], unit([1, 0.1], *[[1, 1]] * 40))
    assert [passage.id for passage in made.search(QUERY, 4)] == ["best", "p00", "p01", "p02"]


def test_adding_a_document_again_replaces_it(index: FlatIndex) -> None:
    index.add([part("a", "a")], unit([0, -1]))
    assert len(index) == 3
    assert [passage.id for passage in index.search(QUERY, 9)] == ["b", "a", "c"]
    assert list(index.document_ids) == ["b", "c", "a"]
    index.add([], np.empty((0, 2), dtype=np.float32), replacing=["b", "never there"])
    assert list(index.document_ids) == ["c", "a"]


def test_delete_removes_all_of_a_document(index: FlatIndex) -> None:
    assert index.delete("a") == 2
    assert index.delete("a") == 0
    assert [passage.id for passage in index.search(QUERY, 9)] == ["b", "c"]
    assert index.delete("b") + index.delete("c") == 2
    assert index.search(QUERY, 5) == ()
    assert len(index) == 0


def test_a_refused_add_changes_nothing(index: FlatIndex) -> None:
    before = index.search(QUERY, 9)
    with pytest.raises(InputError, match="passage id 'x' is used twice"):
        index.add([part("x", "a"), part("x", "d")], unit([1, 0], [1, 0]))
    with pytest.raises(InputError, match="passage id 'a#0' is used twice"):
        index.add([part("a#0", "other")], unit([1, 0]))
    with pytest.raises(BackendError, match=r"model-1 returned vectors of shape \(1, 2\); expected \(2, dimensions\)"):
        index.add([part("x", "a"), part("y", "a")], unit([1, 0]))
    with pytest.raises(BackendError, match="NaN"):
        index.add([part("x", "a")], np.array([[np.nan, 1]], dtype=np.float32))
    assert index.search(QUERY, 9) == before


def test_bad_queries_are_refused(index: FlatIndex) -> None:
    with pytest.raises(InputError, match="k is 0; expected at least 1"):
        index.search(QUERY, 0)
    with pytest.raises(BackendError, match="of 3 dimensions; expected 2"):
        index.search(np.ones(3, dtype=np.float32), 1)


def test_saved_and_loaded_it_is_the_same(index: FlatIndex, tmp_path: Path) -> None:
    index.delete("a")
    info = index.save(tmp_path / "deep" / "index")
    loaded = FlatIndex.load(tmp_path / "deep" / "index", "model-1")
    assert loaded.search(QUERY, 9) == index.search(QUERY, 9)
    assert loaded.document_ids == index.document_ids
    assert info == read_info(tmp_path / "deep" / "index")
    assert (info.embedder, info.dimensions, info.passages, info.documents) == ("model-1", 2, 2, 2)
    loaded.add([part("new")], unit([1, 0]))
    assert [passage.id for passage in loaded.search(QUERY, 2)] == ["new", "b"]
    assert loaded.delete("c") == 1


def test_an_empty_index_can_be_kept(tmp_path: Path) -> None:
    FlatIndex("model-1", 2).save(tmp_path)
    loaded = FlatIndex.load(tmp_path, "model-1")
    assert loaded.search(QUERY, 5) == ()
    loaded.add([part("a")], unit([1, 0]))
    assert len(loaded) == 1


def test_saving_again_leaves_only_the_new_files(index: FlatIndex, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    index.save(tmp_path)
    index.delete("b")
    index.save(tmp_path)
    names = sorted(path.name.split("-")[0] for path in tmp_path.iterdir())
    assert names == ["meta.json", "notes.txt", "passages", "vectors"]


def test_an_interrupted_save_leaves_the_earlier_index(
    index: FlatIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    index.save(tmp_path)
    before = index.search(QUERY, 9)
    index.delete("b")
    replace, calls = os.replace, []

    def interrupted(source: Path, target: Path) -> None:
        calls.append(target.name)
        if target.name == "meta.json":
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        index.save(tmp_path)
    assert len(calls) == 3
    assert FlatIndex.load(tmp_path, "model-1").search(QUERY, 9) == before


def test_another_embedder_is_refused(index: FlatIndex, tmp_path: Path) -> None:
    index.save(tmp_path)
    with pytest.raises(IndexMismatchError, match=r"built with the embedder 'model-1'.*'model-2'.*build it again"):
        FlatIndex.load(tmp_path, "model-2")


def test_no_index_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no index here, meta\.json is absent; make one with ragstone index"):
        FlatIndex.load(tmp_path, "model-1")


@pytest.mark.parametrize("pattern", ["vectors-*.faiss", "passages-*.jsonl"])
def test_damaged_and_absent_files_are_refused(index: FlatIndex, tmp_path: Path, pattern: str) -> None:
    index.save(tmp_path)
    (path,) = tmp_path.glob(pattern)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(IndexMismatchError, match=r"damaged: expected SHA-256 .* found .*Build the index again"):
        FlatIndex.load(tmp_path, "model-1")
    path.unlink()
    with pytest.raises(IndexMismatchError, match="a file of the index is absent"):
        FlatIndex.load(tmp_path, "model-1")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "index format 2; this version reads format 1"),
        ({"format": "1"}, "damaged at 'format'"),
        ({"dimensions": 0}, "damaged at 'dimensions'"),
        ({"vectors_sha256": "../../etc/passwd"}, "damaged at 'vectors_sha256'"),
        ({"dimensions": 3}, "holds 4 vectors of 2 dimensions; expected 4 of 3"),
    ],
)
def test_a_changed_description_is_refused(
    index: FlatIndex, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    index.save(tmp_path)
    path = tmp_path / "meta.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(IndexMismatchError, match=message):
        FlatIndex.load(tmp_path, "model-1")


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00", '{"format": 1}'])
def test_a_broken_description_is_refused(index: FlatIndex, tmp_path: Path, text: str) -> None:
    index.save(tmp_path)
    (tmp_path / "meta.json").write_text(text)
    with pytest.raises(IndexMismatchError, match=r"meta\.json: damaged at .*Build the index again"):
        FlatIndex.load(tmp_path, "model-1")


def test_metadata_that_json_does_not_have_is_named(index: FlatIndex, tmp_path: Path) -> None:
    index.add([part("d", when=object())], unit([1, 0]))
    with pytest.raises(InputError, match="passage 'd': its metadata cannot be saved as JSON"):
        index.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(index: FlatIndex, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="the index cannot be saved here"):
        index.save(tmp_path / "file")


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 3)), max_size=25), st.integers(1, 6))
def test_any_history_searches_like_a_sorted_list(history: list[tuple[str, int]], k: int) -> None:
    made = FlatIndex("model-1", 2)
    model: dict[str, float] = {}
    for name, value in history:
        if value == 0:
            assert made.delete(name) == int(model.pop(name, None) is not None)
        else:
            vector = unit([1, value])
            made.add([part(name)], vector)
            model[name] = float(vector[0, 0])
    expected = sorted(model, key=lambda name: (-model[name], name))[:k]
    assert [passage.id for passage in made.search(QUERY, k)] == expected
