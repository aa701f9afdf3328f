"""Exact cosine search: a FAISS flat inner-product index over unit vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ragstone.backends.embedders.vectors import unit_rows
from ragstone.backends.index import storage
from ragstone.backends.protocols import Vectors
from ragstone.errors import IndexMismatchError, InputError
from ragstone.types import Passage

if TYPE_CHECKING:
    from faiss import IndexIDMap2

__all__ = ["FlatIndex"]


class FlatIndex:
    """Passages by their vectors, in memory. ``identity`` is that of the embedder that makes the vectors.

    Not locked: searches may run side by side, but not while passages are added or deleted.
    """

    def __init__(self, identity: str, dimensions: int) -> None:
        import faiss

        self.identity = identity
        self.dimensions = dimensions
        self._index: IndexIDMap2 = faiss.IndexIDMap2(faiss.IndexFlatIP(dimensions))
        self._passages: dict[int, Passage] = {}
        self._rows: dict[str, list[int]] = {}
        self._documents: dict[str, str] = {}
        self._next = 0

    def __len__(self) -> int:
        """How many passages there are."""
        return len(self._passages)

    @property
    def document_ids(self) -> tuple[str, ...]:
        """In the order in which the documents were added."""
        return tuple(self._rows)

    def add(self, passages: Sequence[Passage], vectors: Vectors, *, replacing: Iterable[str] = ()) -> None:
        """Add passages and their vectors, of shape (len(passages), dimensions).

        A document (``metadata["document_id"]``, else the passage's id) that is here already is replaced, and so are
        those named in ``replacing``. Raises InputError for a passage id used twice and BackendError for vectors of
        another shape or not finite; the index is then as before.
        """
        rows = unit_rows(vectors, count=len(passages), dimensions=self.dimensions, origin=self.identity)
        replaced = {storage.document_of(passage) for passage in passages} | set(replacing)
        identifiers = [passage.id for passage in passages]
        kept = {name for name in identifiers if name in self._documents and self._documents[name] not in replaced}
        twice = [name for name, count in Counter(identifiers).items() if count > 1 or name in kept]
        if twice:
            raise InputError(f"passage id {twice[0]!r} is used twice; ids must be unique within an index")
        for document_id in replaced:
            self.delete(document_id)
        numbers = range(self._next, self._next + len(passages))
        self._next += len(passages)
        self._index.add_with_ids(rows, np.array(numbers, dtype=np.int64))
        self._register(numbers, passages)

    def delete(self, document_id: str) -> int:
        """Remove a document; returns how many passages it had, 0 when it is not here."""
        numbers = self._rows.pop(document_id, [])
        if numbers:
            import faiss

            self._index.remove_ids(faiss.IDSelectorBatch(np.array(numbers, dtype=np.int64)))
            for number in numbers:
                del self._documents[self._passages.pop(number).id]
        return len(numbers)

    def search(self, vector: Vectors, k: int) -> tuple[Passage, ...]:
        """The ``k`` nearest passages (all, when there are fewer), with their cosine as ``score`` and ``rank`` from 1.

        Passages of equal score stand in the order of their ids, also at the end of the list.
        """
        if k < 1:
            raise InputError(f"k is {k}; expected at least 1")
        total = len(self._passages)
        wanted = min(k, total)
        if wanted == 0:
            return ()
        query = unit_rows(vector[None], count=1, dimensions=self.dimensions, origin=self.identity)
        fetched = min(wanted + 1, total)
        scores, numbers = self._index.search(query, fetched)
        # FAISS picks any of the passages that tie for the last place; fetch them all to pick by id.
        while fetched < total and scores[0, -1] == scores[0, wanted - 1]:
            fetched = min(2 * fetched, total)
            scores, numbers = self._index.search(query, fetched)
        found = [(float(s), self._passages[int(number)]) for s, number in zip(scores[0], numbers[0], strict=True)]
        found.sort(key=lambda pair: (-pair[0], pair[1].id))
        return tuple(
            replace(passage, score=max(-1.0, min(1.0, score)), rank=rank)
            for rank, (score, passage) in enumerate(found[:wanted], start=1)
        )

    def save(self, folder: str | Path) -> storage.IndexInfo:
        """Write the index to ``folder``, replacing one that is there in a single step. Raises InputError."""
        import faiss

        return storage.write_index_files(
            folder,
            lambda path: faiss.write_index(self._index, str(path)),
            self._passages.values(),
            embedder=self.identity,
            dimensions=self.dimensions,
        )

    @classmethod
    def load(cls, folder: str | Path, identity: str) -> FlatIndex:
        """Read the index of ``folder`` for use with the embedder called ``identity``.

        Raises InputError when there is no index, IndexMismatchError when it was built by another embedder or damaged.
        """
        info = storage.read_info(folder)
        if info.embedder != identity:
            raise IndexMismatchError(
                f"{folder}: this index was built with the embedder {info.embedder!r}, whose vectors cannot be compared "
                f"with those of {identity!r}. Load it with the first, or build it again with the second"
            )
        vectors = storage.verified_file(Path(folder), storage.VECTORS, info.vectors_sha256)
        texts = storage.verified_file(Path(folder), storage.PASSAGES, info.passages_sha256)
        index = cls(identity, info.dimensions)
        index._fill(vectors, storage.read_passages(texts))
        return index

    def _fill(self, vectors: Path, passages: list[Passage]) -> None:
        import faiss

        try:
            stored = faiss.read_index(str(vectors))
        except RuntimeError as error:
            raise IndexMismatchError(f"{vectors}: not a FAISS index: {error}. {storage.REBUILD}") from error
        if not isinstance(stored, faiss.IndexIDMap2) or (stored.d, stored.ntotal) != (self.dimensions, len(passages)):
            raise IndexMismatchError(
                f"{vectors}: holds {stored.ntotal} vectors of {stored.d} dimensions; "
                f"expected {len(passages)} of {self.dimensions}. {storage.REBUILD}"
            )
        numbers = [int(number) for number in faiss.vector_to_array(stored.id_map)]
        self._index = stored
        self._next = max(numbers, default=-1) + 1
        self._register(numbers, passages)

    def _register(self, numbers: Iterable[int], passages: Sequence[Passage]) -> None:
        for number, passage in zip(numbers, passages, strict=True):
            document_id = storage.document_of(passage)
            self._passages[number] = passage
            self._rows.setdefault(document_id, []).append(number)
            self._documents[passage.id] = document_id
