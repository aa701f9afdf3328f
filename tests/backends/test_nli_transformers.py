"""The wrapper around transformers, with stand-ins for that library and for torch."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ragstone.backends.nli.transformers as wrapper
from ragstone.backends import open_nli
from ragstone.errors import BackendError, ModelError

BART = {0: "contradiction", 1: "neutral", 2: "entailment"}


class Logits(list[float]):
    def tolist(self) -> list[float]:
        return list(self)


class Tokenizer:
    model_max_length = 10**30

    def __call__(self, *texts: str, **options: Any) -> dict[str, Any]:
        return {"input_ids": " ".join(texts).split()}


class Model:
    """Contradiction 0.1, neutral 0.2, entailment 0.7."""

    def __init__(self, commit: str | None = None) -> None:
        self.config = SimpleNamespace(id2label=BART, max_position_embeddings=1024, _commit_hash=commit)
        self.failure: Exception | None = None

    def eval(self) -> Model:
        return self

    def __call__(self, **encoded: Any) -> Any:
        if self.failure is not None:
            raise self.failure
        return SimpleNamespace(logits=[Logits([0.1, 0.2, 0.7])])


class Library:
    """``transformers`` as far as it is used; remembers what was asked for."""

    def __init__(self, model: Model | Exception) -> None:
        self.model = model
        self.asked: list[tuple[str, str | None]] = []
        self.AutoTokenizer = SimpleNamespace(from_pretrained=lambda path, revision: Tokenizer())
        self.AutoModelForSequenceClassification = SimpleNamespace(from_pretrained=self._load)

    def _load(self, path: str, revision: str | None) -> Model:
        self.asked.append((path, revision))
        if isinstance(self.model, Exception):
            raise self.model
        return self.model


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Any:
    def put(model: Model | Exception) -> Library:
        library = Library(model)
        torch = SimpleNamespace(inference_mode=nullcontext, softmax=lambda logits, dim: logits)
        modules = {"transformers": library, "torch": torch}
        monkeypatch.setattr(wrapper, "optional_import", lambda module, extra, purpose: modules[module])
        return library

    return put


def test_labels_are_put_in_order_and_the_limit_is_the_smaller_one(install: Any) -> None:
    install(Model())
    nli = open_nli("transformers:facebook/bart-large-mnli")
    assert nli.score([("a", "b")])[0] == pytest.approx([0.7, 0.2, 0.1])
    assert nli.max_tokens == 1024
    assert nli.count_tokens("one two three") == 3


def test_a_revision_is_passed_on_and_the_commit_names_the_version(install: Any) -> None:
    library = install(Model("0123456789abcdef"))
    nli = open_nli("transformers:owner/name@v2")
    assert library.asked == [("owner/name", "v2")]
    assert nli.identity == "transformers:owner/name@0123456789ab"


def test_a_model_in_a_folder_is_named_by_its_content(install: Any, tmp_path: Path) -> None:
    folder = tmp_path / "model@home"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"one")
    library = install(Model())
    first = open_nli(f"transformers:{folder}").identity
    assert library.asked == [(str(folder), None)]
    assert open_nli(f"transformers:{folder}").identity == first
    (folder / "model.safetensors").write_bytes(b"two")
    assert open_nli(f"transformers:{folder}").identity != first


@pytest.mark.parametrize("error", [OSError("absent"), KeyError("architecture"), ImportError("sentencepiece")])
def test_a_model_that_cannot_be_loaded_is_a_model_error(install: Any, error: Exception) -> None:
    install(error)
    with pytest.raises(ModelError, match="owner/name"):
        open_nli("transformers:owner/name")


@pytest.mark.parametrize("error", [RuntimeError("no memory"), IndexError("position 514")])
def test_a_model_that_fails_is_a_backend_error(install: Any, error: Exception) -> None:
    model = Model()
    install(model)
    nli = open_nli("transformers:owner/name")
    model.failure = error
    with pytest.raises(BackendError, match="owner/name"):
        nli.score([("a", "b")])
