"""Embeddings from any OpenAI-compatible ``/v1/embeddings`` endpoint: Ollama, vLLM, llama-server, hosted ones.

    ragstone index build --embedder openai:snowflake-arctic-embed2   # base URL from the settings

What such an endpoint does with a text beyond its model's window is its own affair; keep chunks below it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from ragstone.backends.embedders.vectors import checked_texts, unit_rows
from ragstone.backends.protocols import Vectors
from ragstone.errors import BackendError, InputError, SettingsError, optional_import
from ragstone.settings import Settings
from ragstone.types import readable

__all__ = ["OpenAIEmbedder", "open_openai"]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
BATCH = 64
# Local servers ask for no key, but the client refuses to be made without one.
_NO_KEY = "none"
_LONGEST_MESSAGE = 300


class OpenAIEmbedder:
    """``model`` behind ``base_url``; ``client`` is an ``openai.OpenAI`` or anything with its ``embeddings.create``."""

    def __init__(self, client: Any, model: str, base_url: str) -> None:
        self._client = client
        self._model = model
        self._dimensions: int | None = None
        self.identity = f"openai:{model}@{_without_secrets(base_url)}"

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
    """``openai:MODEL`` at ``generation.base_url``, else ``$OPENAI_BASE_URL``, else the public OpenAI endpoint.

    The key is read from the variable named by ``generation.api_key_variable``; time-out and retries are those of
    ``generation``. Raises InputError without a model name, SettingsError without a key where one is needed.
    """
    if argument is None:
        raise InputError("the embedder 'openai' needs a model name: openai:MODEL, e.g. openai:snowflake-arctic-embed2")
    openai = optional_import("openai", extra="openai", purpose="the embedder 'openai'")
    given = settings.generation
    base_url = given.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
    key = os.environ.get(given.api_key_variable)
    if not key and base_url == DEFAULT_BASE_URL:
        raise SettingsError(
            f"the endpoint {base_url} needs a key: set the environment variable {given.api_key_variable}, "
            "or generation.base_url to a local endpoint"
        )
    client = openai.OpenAI(base_url=base_url, api_key=key or _NO_KEY, timeout=given.timeout, max_retries=given.retries)
    return OpenAIEmbedder(client, argument, base_url)


def _without_secrets(url: str) -> str:
    """Host and path only: user info and query may hold a key, and an identity is written into files."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"
