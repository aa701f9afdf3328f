"""Any sentence-transformers model, by hub name or folder: ``sentence-transformers:NAME[@REVISION]``.

Give a revision (a commit of the hub's repository) where results must be reproducible: without one, the name means
whatever its owner publishes next.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ragstone.backends.embedders.vectors import checked_texts, unit_rows, weighted_unit_mean
from ragstone.backends.protocols import Vectors
from ragstone.errors import BackendError, InputError, ModelError, optional_import
from ragstone.settings import Settings
from ragstone.text.sentences import windows
from ragstone.types import readable

__all__ = ["SentenceTransformerEmbedder", "open_sentence_transformers"]


class SentenceTransformerEmbedder:
    """Wraps a ``SentenceTransformer``. Each text is encoded alone, so that its vector does not depend on a batch.

    A text beyond the model's ``max_seq_length`` is split into windows of whole sentences and gets the mean of their
    vectors, weighted by their tokens, where the library itself would cut it off.
    """

    def __init__(self, model: Any, identity: str) -> None:
        self._model = model
        self.identity = identity
        # The older of the two names is deprecated from release 5.4 on.
        measure = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        self.dimensions = int(measure())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 of shape (len(texts), dimensions), rows of norm 1. Raises InputError and BackendError."""
        given = checked_texts(texts)
        vectors = {text: self._vector(readable(text)) for text in dict.fromkeys(given)}
        if not given:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return np.stack([vectors[text] for text in given])

    def _vector(self, text: str) -> Vectors:
        try:
            parts = self._windows(text)
            rows = [self._model.encode([part], convert_to_numpy=True, show_progress_bar=False)[0] for part in parts]
        except Exception as error:
            raise BackendError(f"the embedder {self.identity} failed: {type(error).__name__}: {error}") from error
        matrix = unit_rows(rows, count=len(parts), dimensions=self.dimensions, origin=self.identity)
        if len(parts) == 1:
            return np.asarray(matrix[0])
        return weighted_unit_mean(matrix, [self._count(part) for part in parts])

    def _windows(self, text: str) -> list[str]:
        limit = self._model.max_seq_length
        if limit is None:
            return [text]
        spans = windows(text, self._count, max(1, limit - self._model.tokenizer.num_special_tokens_to_add()))
        return [span.text for span in spans] if len(spans) > 1 else [text]

    def _count(self, text: str) -> int:
        encoded = self._model.tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)
        return len(encoded["input_ids"])


def open_sentence_transformers(argument: str | None, settings: Settings) -> SentenceTransformerEmbedder:
    """Load the model. Raises MissingDependencyError without the extra, ModelError when it cannot be loaded."""
    if argument is None:
        raise InputError("the embedder 'sentence-transformers' needs a model: sentence-transformers:NAME[@REVISION]")
    library = optional_import(
        "sentence_transformers", extra="sentence-transformers", purpose="the embedder 'sentence-transformers'"
    )
    name, revision = argument, None
    if "@" in argument and not Path(argument).exists():
        name, _, revision = argument.rpartition("@")
    try:
        model = library.SentenceTransformer(name, revision=revision)
    except Exception as error:
        raise ModelError(
            f"the sentence-transformers model {argument!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if settings.models.threads > 0:
        optional_import("torch", extra="sentence-transformers", purpose="models.threads").set_num_threads(
            settings.models.threads
        )
    return SentenceTransformerEmbedder(model, f"sentence-transformers:{argument}")
