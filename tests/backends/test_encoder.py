"""Vectors from any embedder: checked, each text embedded once, texts themselves not kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from fakes import WordEmbedder
from ragstone.backends.encoder import Encoder
from ragstone.errors import BackendError, ModelError


class Answering:
    """An embedder that gives whatever ``function`` makes of the texts."""

    identity = "answering"
    dimensions = 2

    def __init__(self, function: Any) -> None:
        self.function = function
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        return self.function(texts)


def fail(error: Exception) -> Any:
    def raising(texts: Sequence[str]) -> Any:
        raise error

    return raising


@pytest.mark.parametrize("error", [RuntimeError("no memory"), KeyError("x"), TimeoutError("late"), ModelError("gone")])
def test_whatever_an_embedder_raises_is_a_backend_error(error: Exception) -> None:
    with pytest.raises(BackendError, match="answering"):
        Encoder(Answering(fail(error))).encode(["a"])


def test_a_backend_error_is_passed_on_as_it_is() -> None:
    error = BackendError("refused")
    with pytest.raises(BackendError) as caught:
        Encoder(Answering(fail(error))).encode(["a"])
    assert caught.value is error


@pytest.mark.parametrize(
    "rows",
    [
        [[float("nan"), 1.0]],
        [[float("inf"), 1.0]],
        [[0.0, 0.0]],
        [[1.0, 0.0], [0.0, 1.0]],
        [],
        [[[1.0]]],
        [1.0],
        [[1.0], [1.0, 2.0]],
        "text",
        None,
    ],
)
def test_what_is_no_vector_is_a_failure_and_never_a_similarity(rows: Any) -> None:
    with pytest.raises(BackendError, match="answering"):
        Encoder(Answering(lambda texts: rows)).encode(["a"])


def test_vectors_of_another_width_than_before_are_a_failure() -> None:
    encoder = Encoder(Answering(lambda texts: [[1.0] * len(text) for text in texts]))
    encoder.encode(["ab"])
    with pytest.raises(BackendError, match="3 dimensions"):
        encoder.encode(["abc"])


def test_rows_are_scaled_to_norm_one() -> None:
    assert Encoder(Answering(lambda texts: [[3.0, 4.0]])).encode(["a"]) == pytest.approx(np.array([[0.6, 0.8]]))


def test_each_text_is_embedded_once_and_never_depends_on_its_company() -> None:
    embedder = Answering(lambda texts: [[float(len(text)), 1.0] for text in texts])
    encoder = Encoder(embedder)
    together = encoder.encode(["a", "bb", "a", "ccc"])
    assert embedder.texts == ["a", "bb", "ccc"]
    assert np.array_equal(encoder.encode(["ccc", "a"]), together[[3, 0]])
    assert embedder.texts == ["a", "bb", "ccc"]
    assert np.array_equal(Encoder(embedder).encode(["ccc"])[0], together[3])


def test_changing_a_result_does_not_change_what_is_cached() -> None:
    encoder = Encoder(WordEmbedder())
    first = encoder.encode(["a"])
    first[:] = 0
    assert np.linalg.norm(encoder.encode(["a"])) == pytest.approx(1.0)


def test_no_texts_no_rows() -> None:
    assert Encoder(WordEmbedder()).encode([]).shape == (0, 64)


def test_the_cache_does_not_keep_long_texts_alive() -> None:
    encoder = Encoder(WordEmbedder())
    encoder.encode(["word " * 100_000])
    assert sum(len(key) for key in encoder._cache._values) < 100
