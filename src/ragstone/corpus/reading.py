"""A file or a folder to documents."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from ragstone.corpus.document import Document
from ragstone.corpus.pages import html_document, markdown_document, pdf_document, text_document
from ragstone.corpus.records import csv_documents, jsonl_documents
from ragstone.errors import InputError

__all__ = ["iter_corpus", "read_corpus"]

_Records = Callable[[Path, str], Iterator[tuple[Document, str]]]
_Page = Callable[[Path, str], Document]

RECORDS: dict[str, _Records] = {".jsonl": jsonl_documents, ".jsonl.gz": jsonl_documents, ".csv": csv_documents}
PAGES: dict[str, _Page] = {
    ".txt": text_document,
    ".md": markdown_document,
    ".html": html_document,
    ".htm": html_document,
    ".pdf": pdf_document,
}


def read_corpus(path: str | Path, *, skipped: Callable[[str, str], None] | None = None) -> list[Document]:
    """:func:`iter_corpus` as a list."""
    return list(iter_corpus(path, skipped=skipped))


def iter_corpus(path: str | Path, *, skipped: Callable[[str, str], None] | None = None) -> Iterator[Document]:
    """The documents of a file, or of a folder and the folders in it, in the order of their paths.

    Read are ``.txt``, ``.md``, ``.jsonl`` and ``.jsonl.gz`` (BEIR: ``_id``, ``title``, ``text``, ``metadata``),
    ``.csv``, and with the extra ``files`` ``.html``, ``.htm`` and ``.pdf``. A page's id is its path within the folder.
    Names that start with a dot, and linked folders, are not looked at. A folder's files of other kinds, and documents
    without text, are left out and told to ``skipped(place, reason)``; without it, each is a warning.

    Raises InputError for a path that does not exist, a file of another kind given by itself, an id used twice, and
    whatever cannot be read, with file and line.
    """
    root = Path(path)
    report = skipped or _warn
    places: dict[str, str] = {}
    for file, name in _files(root, report):
        for document, place in _documents(file, name):
            if not document.text.strip():
                report(place, "it has no text")
                continue
            if document.id in places:
                raise InputError(
                    f"{place}: the document id {document.id!r} is already that of {places[document.id]}; "
                    "ids must be unique"
                )
            places[document.id] = place
            yield document


def _files(root: Path, report: Callable[[str, str], None]) -> Iterator[tuple[Path, str]]:
    known = ", ".join([*PAGES, *RECORDS])
    if root.is_file():
        if _kind(root) is None:
            raise InputError(f"{root}: no reader for this kind of file; known: {known}")
        yield root, root.name
        return
    if not root.is_dir():
        raise InputError(f"{root}: there is no such file or folder")
    for file in _walk(root):
        if _kind(file) is None:
            report(str(file), f"no reader for this kind of file; known: {known}")
        else:
            yield file, file.relative_to(root).as_posix()


def _walk(root: Path) -> list[Path]:
    def fail(error: OSError) -> None:
        raise InputError(f"{error.filename}: cannot be read: {error.strerror}") from error

    found = []
    for folder, folders, names in os.walk(root, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(folder, name) for name in names if not name.startswith(".")]
    return sorted(found, key=lambda file: file.relative_to(root).as_posix())


def _documents(file: Path, name: str) -> Iterator[tuple[Document, str]]:
    kind = _kind(file)
    assert kind is not None
    try:
        if kind in RECORDS:
            yield from RECORDS[kind](file, name)
        else:
            yield PAGES[kind](file, name), str(file)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error


def _kind(file: Path) -> str | None:
    lowered = file.name.lower()
    return next((ending for ending in (*RECORDS, *PAGES) if lowered.endswith(ending)), None)


def _warn(place: str, reason: str) -> None:
    warnings.warn(f"left out {place}: {reason}", stacklevel=4)
