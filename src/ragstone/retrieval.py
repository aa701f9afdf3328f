"""Embedder and index together: documents in, ranked passages out.

retriever = Retriever()
retriever.index(read_corpus("handbook/"))
retriever.search("How are passwords stored?")       # five passages, best first
retriever.save("handbook.index")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ragstone.backends import open_embedder
from ragstone.backends.protocols import Embedder, Vectors
from ragstone.corpus import Document, chunk_documents
from ragstone.errors import InputError
from ragstone.settings import Settings
from ragstone.types import Passage, readable

if TYPE_CHECKING:
    from ragstone.backends.index.faiss import FlatIndex

__all__ = ["Retriever"]

Progress = Callable[[int, int], None]
# Passages embedded between two reports of progress.
_STEP = 32


class Retriever:
    """Exact cosine search over chunks of documents.

    ``embedder`` is any :class:`ragstone.backends.protocols.Embedder`; by default that of the settings, opened when it
    is first needed. Chunk size, overlap and K are those of ``settings.retrieval``. May be used from several threads.
    """

    def __init__(self, embedder: Embedder | None = None, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._embedder = embedder
        self._index: FlatIndex | None = None
        self._lock = Lock()

    @property
    def embedder(self) -> Embedder:
        """The embedder; opening it may raise ModelError or MissingDependencyError."""
        if self._embedder is None:
            self._embedder = open_embedder(self._settings.models.embedder, self._settings)
        return self._embedder

    def __len__(self) -> int:
        """How many passages are indexed."""
        return len(self._index) if self._index is not None else 0

    @property
    def document_ids(self) -> tuple[str, ...]:
        """In the order in which the documents were added."""
        return self._index.document_ids if self._index is not None else ()

    def index(self, documents: Iterable[Document], *, on_progress: Progress | None = None) -> None:
        """Index ``documents`` in place of all that was indexed before; ``on_progress(done, total)`` counts passages.

        Raises InputError for documents that :func:`ragstone.chunk_documents` refuses and BackendError when the
        embedder fails; the earlier index is then as it was.
        """
        fresh = self._new_index()
        _, passages, vectors = self._embedded(documents, on_progress)
        fresh.add(passages, vectors)
        with self._lock:
            self._index = fresh

    def add(self, documents: Iterable[Document], *, on_progress: Progress | None = None) -> None:
        """Add ``documents`` to what is indexed; a document whose id is there already replaces it. Raises as `index`."""
        identifiers, passages, vectors = self._embedded(documents, on_progress)
        with self._lock:
            if self._index is None:
                self._index = self._new_index()
            self._index.add(passages, vectors, replacing=identifiers)

    def delete(self, document_id: str) -> int:
        """Remove a document; returns how many passages it had, 0 when it is not indexed."""
        with self._lock:
            return self._index.delete(readable(document_id)) if self._index is not None else 0

    def search(self, question: str, k: int | None = None) -> tuple[Passage, ...]:
        """The ``k`` passages nearest to ``question`` (default: ``settings.retrieval.top_k``), best first.

        Each has its cosine similarity in [-1, 1] as ``score`` and its ``rank`` from 1; equal scores stand in the order
        of their ids. Fewer, or none, when the index holds fewer. Raises InputError for a blank question, for ``k``
        below 1 and when nothing was indexed yet.
        """
        if not isinstance(question, str) or not question.strip():
            raise InputError(f"question: expected a text that is not blank, got {question!r}")
        wanted = self._settings.retrieval.top_k if k is None else k
        self._required()
        vector = self.embedder.embed([readable(question)])[0]
        with self._lock:
            return self._required().search(vector, wanted)

    def save(self, folder: str | Path) -> None:
        """Write the index to ``folder``, replacing one that is there in a single step.

        Raises InputError when nothing was indexed yet or the folder cannot be written.
        """
        with self._lock:
            self._required().save(folder)

    @classmethod
    def load(cls, folder: str | Path, embedder: Embedder | None = None, settings: Settings | None = None) -> Retriever:
        """The retriever that :meth:`save` wrote to ``folder``, with the embedder it was built with.

        Raises InputError when there is no index, IndexMismatchError when it was built by another embedder or is
        damaged.
        """
        from ragstone.backends.index.faiss import FlatIndex

        retriever = cls(embedder, settings)
        retriever._index = FlatIndex.load(folder, retriever.embedder.identity)
        return retriever

    def _embedded(
        self, documents: Iterable[Document], on_progress: Progress | None
    ) -> tuple[list[str], list[Passage], Vectors]:
        given = list(documents)
        sizes = self._settings.retrieval
        passages = chunk_documents(given, tokens=sizes.chunk_tokens, overlap=sizes.chunk_overlap)
        parts = [np.empty((0, self.embedder.dimensions), dtype=np.float32)]
        for start in range(0, len(passages), _STEP):
            step = passages[start : start + _STEP]
            parts.append(self.embedder.embed([passage.text for passage in step]))
            if on_progress is not None:
                on_progress(start + len(step), len(passages))
        return [readable(document.id) for document in given], passages, np.concatenate(parts)

    def _new_index(self) -> FlatIndex:
        from ragstone.backends.index.faiss import FlatIndex

        return FlatIndex(self.embedder.identity, self.embedder.dimensions)

    def _required(self) -> FlatIndex:
        if self._index is None:
            raise InputError("nothing is indexed yet: call index(documents), or Retriever.load(folder)")
        return self._index
