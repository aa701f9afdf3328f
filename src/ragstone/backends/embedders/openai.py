"""Embeddings from any OpenAI-compatible ``/v1/embeddings`` endpoint: Ollama, vLLM, llama-server, hosted ones.

    ragstone index build --embedder openai:snowflake-arctic-embed2   # base URL from the settings

What such an endpoint does with a text beyond its model's window is its own affair; keep chunks below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ragstone.backends.embedders.vectors import checked_texts, unit_rows
from ragstone.backends.endpoint import resolve_endpoint
from ragstone.backends.protocols import Vectors
from ragstone.errors import BackendError, InputError, optional_import
from ragstone.settings import Settings
from ragstone.types import readable

__all__ = ["OpenAIEmbedder", "open_openai"]

BATCH = 64
_LONGEST_MESSAGE = 300


class OpenAIEmbedder:
    """``model`` behind ``endpoint``, a name; ``client`` is an ``openai.OpenAI``."""

    def __init__(self, client: Any, model: str, endpoint: str) -> None:
        self._client = client
        self._model = model
        self._dimensions: int | None = None
        self.identity = f"openai:{model}@{endpoint}"

    @property
    def dimensions(self) -> int:
        """Known from the first answer of the endpoint, which is asked for one when there was none yet."""
        if self._dimensions is None:
            self.embed(["dimensions"])
        assert self._dimensions is not None
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 of shape (len(texts), dimensions), rows of norm 1; blank texts are sent as a single space.

        Raises BackendError when the endpoint fails after its retries or answers with other than one finite vector
        of the same width for each text.
        """
        given = [readable(text) if text.strip() else " " for text in checked_texts(texts)]
        distinct = list(dict.fromkeys(given))
        vectors: dict[str, Vectors] = {}
        for start in range(0, len(distinct), BATCH):
            batch = distinct[start : start + BATCH]
            vectors.update(zip(batch, self._request(batch), strict=True))
        if not given:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return np.stack([vectors[text] for text in given])

    def _request(self, batch: list[str]) -> Vectors:
        try:
            # "float", because the client's own default, base64, is unknown to many local servers.
            answer = self._client.embeddings.create(model=self._model, input=batch, encoding_format="float")
            items = sorted(answer.data, key=lambda item: item.index)
            rows = [item.embedding for item in items]
        except Exception as error:
            text = f"{type(error).__name__}: {error}"[:_LONGEST_MESSAGE]
            raise BackendError(f"the embeddings endpoint {self.identity} failed: {text}") from error
        if len(rows) != len(batch):
            raise BackendError(f"{self.identity} returned {len(rows)} vectors for {len(batch)} texts")
        matrix = unit_rows(rows, count=len(batch), dimensions=self._dimensions, origin=self.identity)
        self._dimensions = matrix.shape[1]
        return matrix


def open_openai(argument: str | None, settings: Settings) -> OpenAIEmbedder:
    """``openai:MODEL`` at the endpoint of :func:`ragstone.backends.endpoint.resolve_endpoint`.

    Time-out and retries are those of ``settings.generation``. Raises InputError without a model name, SettingsError
    for a URL that is none or without a key where one is needed.
    """
    if argument is None:
        raise InputError("the embedder 'openai' needs a model name: openai:MODEL, e.g. openai:snowflake-arctic-embed2")
    openai = optional_import("openai", extra="openai", purpose="the embedder 'openai'")
    endpoint = resolve_endpoint(settings.generation)
    client = openai.OpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key,
        timeout=settings.generation.timeout,
        max_retries=settings.generation.retries,
    )
    return OpenAIEmbedder(client, argument, endpoint.name)
