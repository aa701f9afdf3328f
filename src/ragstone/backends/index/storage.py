"""The folder an index is kept in: vectors, passages, and ``meta.json``, which says which of them belong together.

The two large files carry their hash in their names, and ``meta.json`` is replaced last, in one step: whoever is cut
off while saving leaves the earlier index as it was. One writer at a time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.backends.onnx_session import file_sha256
from ragstone.errors import IndexMismatchError, InputError, ModelError
from ragstone.types import Passage

__all__ = ["FORMAT", "IndexInfo", "document_of", "read_info", "read_passages", "verified_file", "write_index_files"]

FORMAT = 1
META = "meta.json"
VECTORS, PASSAGES = "vectors-{}.faiss", "passages-{}.jsonl"
REBUILD = "Build the index again from its corpus (ragstone index build)"

_Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class IndexInfo(BaseModel):
    """What ``meta.json`` says: ``embedder`` is the identity of the one that made the vectors; counts are totals."""

    model_config = ConfigDict(frozen=True, strict=True)

    format: int
    embedder: str
    dimensions: Annotated[int, Field(ge=1)]
    passages: Annotated[int, Field(ge=0)]
    documents: Annotated[int, Field(ge=0)]
    vectors_sha256: _Hash
    passages_sha256: _Hash


def document_of(passage: Passage) -> str:
    """Id of the document a passage was cut from; its own id when it was not."""
    return str(passage.metadata.get("document_id", passage.id))


def read_info(folder: str | Path) -> IndexInfo:
    """What is in an index folder, without reading its vectors.

    Raises InputError when there is no index, IndexMismatchError when ``meta.json`` is damaged or of another version.
    """
    path = Path(folder) / META
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputError(
            f"{folder}: there is no index here, {META} is absent; make one with ragstone index build"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise IndexMismatchError(f"{path}: cannot be read: {error}. {REBUILD}") from error
    try:
        info = IndexInfo.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or META
        raise IndexMismatchError(f"{path}: damaged at {where!r}: {first['msg']}. {REBUILD}") from error
    if info.format != FORMAT:
        raise IndexMismatchError(f"{path}: index format {info.format}; this version reads format {FORMAT}. {REBUILD}")
    return info


def verified_file(folder: Path, pattern: str, sha256: str) -> Path:
    """The file of ``folder`` with that hash. Raises IndexMismatchError when it is absent or its content differs."""
    path = folder / pattern.format(sha256[:16])
    try:
        found = file_sha256(path)
    except ModelError as error:
        raise IndexMismatchError(f"{path}: a file of the index is absent or cannot be read. {REBUILD}") from error
    if found != sha256:
        raise IndexMismatchError(f"{path}: damaged: expected SHA-256 {sha256}, found {found}. {REBUILD}")
    return path


def read_passages(path: Path) -> list[Passage]:
    """The passages of a file that :func:`verified_file` has checked."""
    with path.open(encoding="utf-8") as stream:
        return [Passage(**json.loads(line)) for line in stream]


def write_index_files(
    folder: str | Path,
    write_vectors: Callable[[Path], None],
    passages: Iterable[Passage],
    *,
    embedder: str,
    dimensions: int,
) -> IndexInfo:
    """Save an index; ``write_vectors`` writes the vectors, in the order of ``passages``, to the path it is given.

    Raises InputError when the folder cannot be written, or when metadata is of a kind that JSON does not have.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target, prefix=".saving-") as temporary:
            vectors, texts, meta = (Path(temporary, name) for name in ("vectors", "passages", "meta"))
            write_vectors(vectors)
            count, documents = _write_passages(texts, passages)
            info = IndexInfo(
                format=FORMAT,
                embedder=embedder,
                dimensions=dimensions,
                passages=count,
                documents=documents,
                vectors_sha256=file_sha256(vectors),
                passages_sha256=file_sha256(texts),
            )
            meta.write_text(info.model_dump_json(indent=2) + "\n", encoding="utf-8")
            for file in (vectors, texts, meta):
                _flush_to_disk(file)
            kept = {VECTORS.format(info.vectors_sha256[:16]), PASSAGES.format(info.passages_sha256[:16])}
            os.replace(vectors, target / VECTORS.format(info.vectors_sha256[:16]))
            os.replace(texts, target / PASSAGES.format(info.passages_sha256[:16]))
            os.replace(meta, target / META)
        for pattern in (VECTORS, PASSAGES):
            for stale in target.glob(pattern.format("*")):
                if stale.name not in kept:
                    stale.unlink()
    except (OSError, RuntimeError) as error:  # FAISS has RuntimeError for what goes wrong with its file
        raise InputError(f"{folder}: the index cannot be saved here: {error}") from error
    return info


def _write_passages(path: Path, passages: Iterable[Passage]) -> tuple[int, int]:
    count, documents = 0, set[str]()
    with path.open("w", encoding="utf-8") as stream:
        for passage in passages:
            count += 1
            documents.add(document_of(passage))
            record = {"id": passage.id, "text": passage.text, "source": passage.source}
            try:
                stream.write(json.dumps(record | {"metadata": dict(passage.metadata)}) + "\n")
            except (TypeError, ValueError) as error:
                raise InputError(f"passage {passage.id!r}: its metadata cannot be saved as JSON: {error}") from error
    return count, len(documents)


def _flush_to_disk(path: Path) -> None:
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())
