"""With a stand-in for the library, which is large; its real release 6.2 was tried by hand."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ragstone.backends import open_embedder
from ragstone.backends.protocols import Embedder
from ragstone.errors import BackendError, InputError, MissingDependencyError, ModelError


class Tokenizer:
    def num_special_tokens_to_add(self) -> int:
        return 2

    def __call__(self, text: str, **options: Any) -> dict[str, list[str]]:
        assert options == {"add_special_tokens": False, "truncation": False, "verbose": False}
        return {"input_ids": text.split()}


class Model:
    """Vectors of (words, 1); refuses more than ``max_seq_length`` words, where the real one would cut."""

    max_seq_length: int | None = 12
    tokenizer = Tokenizer()

    def __init__(self, name: str, revision: str | None = None) -> None:
        if name == "absent":
            raise OSError("no such model")
        self.name, self.revision = name, revision

    def get_sentence_embedding_dimension(self) -> int:
        return 2

    def encode(self, texts: list[str], **options: Any) -> Any:
        assert len(texts) == 1
        if texts == ["fail"]:
            raise RuntimeError("out of memory")
        words = len(texts[0].split())
        assert self.max_seq_length is None or words <= self.max_seq_length - 2
        return np.array([[words, 1.0]], dtype=np.float32)


@pytest.fixture(autouse=True)
def _library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Model))


def test_texts_are_encoded_alone() -> None:
    embedder = open_embedder("sentence-transformers:org/name@abc123")
    assert isinstance(embedder, Embedder)
    assert embedder.identity == "sentence-transformers:org/name@abc123"
    assert embedder.dimensions == 2
    vectors = embedder.embed(["one two three", "one", "one two three"])
    assert vectors == pytest.approx(np.array([[3, 1], [1, 1], [3, 1]]) / np.sqrt([[10], [2], [10]]))
    assert embedder.embed([]).shape == (0, 2)


def test_the_revision_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Model] = []

    def record(name: str, revision: str | None = None) -> Model:
        made.append(Model(name, revision))
        return made[-1]

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=record))
    open_embedder("sentence-transformers:org/name@abc123")
    open_embedder("sentence-transformers:org/name")
    assert [(model.name, model.revision) for model in made] == [("org/name", "abc123"), ("org/name", None)]


def test_long_texts_are_windowed() -> None:
    sentence = "This sentence has six words here."
    (vector,) = open_embedder("sentence-transformers:m").embed([f"{sentence} " * 2 + "And three more."])
    # Windows of 6 and of 6 + 3 words, by their weights 6 and 9.
    expected = 6 * np.array([6, 1]) / 37**0.5 + 9 * np.array([9, 1]) / 82**0.5
    assert vector == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)


def test_a_model_without_a_limit_reads_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Model, "max_seq_length", None)
    (vector,) = open_embedder("sentence-transformers:m").embed(["word " * 100])
    assert vector == pytest.approx(np.array([100, 1]) / 10001**0.5, abs=1e-6)


def test_what_goes_wrong_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"needs a model: sentence-transformers:NAME\[@REVISION\]"):
        open_embedder("sentence-transformers")
    with pytest.raises(ModelError, match="'absent' cannot be loaded: OSError: no such model"):
        open_embedder("sentence-transformers:absent")
    with pytest.raises(BackendError, match="sentence-transformers:m failed: RuntimeError: out of memory"):
        open_embedder("sentence-transformers:m").embed(["fail"])
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'ragstone\[sentence-transformers\]'"):
        open_embedder("sentence-transformers:m")
