from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ragstone.backends.embedders.callable import CallableEmbedder
from ragstone.backends.protocols import Embedder
from ragstone.errors import BackendError, InputError


def lengths(texts: list[str]) -> list[list[float]]:
    return [[len(text), 4.0] for text in texts]


def test_rows_are_scaled_and_dimensions_found() -> None:
    embedder = CallableEmbedder(lengths, "lengths-1")
    assert isinstance(embedder, Embedder)
    assert embedder.identity == "callable:lengths-1"
    assert embedder.dimensions == 2
    assert embedder.embed(["abc"]) == pytest.approx(np.array([[0.6, 0.8]]))
    assert embedder.embed([]).shape == (0, 2)


def test_given_dimensions_are_not_asked_for() -> None:
    calls: list[list[str]] = []

    def counted(texts: list[str]) -> Any:
        calls.append(texts)
        return lengths(texts)

    embedder = CallableEmbedder(counted, "x", dimensions=2)
    assert embedder.embed([]).shape == (0, 2)
    assert calls == []


def test_what_goes_wrong_names_the_embedder() -> None:
    def fails(texts: list[str]) -> Any:
        raise ZeroDivisionError("by zero")

    with pytest.raises(BackendError, match="callable:x failed: ZeroDivisionError: by zero"):
        CallableEmbedder(fails, "x").embed(["a"])
    with pytest.raises(BackendError, match="callable:x returned vectors of 2 dimensions; expected 3"):
        CallableEmbedder(lengths, "x", dimensions=3).embed(["a"])
    with pytest.raises(BackendError, match="callable:x returned vectors of shape"):
        CallableEmbedder(lambda texts: [[1.0]], "x").embed(["a", "b"])


def test_bad_arguments() -> None:
    with pytest.raises(InputError, match="expected a callable from texts to rows, got str"):
        CallableEmbedder("name", "x")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="identity: expected a name"):
        CallableEmbedder(lengths, "")
