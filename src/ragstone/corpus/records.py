"""Documents from files of records: JSON Lines as BEIR has them, and CSV."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from ragstone.corpus.document import Document
from ragstone.errors import InputError

__all__ = ["csv_documents", "jsonl_documents"]

TEXT_COLUMNS = ("text", "content", "passage")
QUESTION_COLUMNS = ("question",)
ANSWER_COLUMNS = ("answer", "best answer", "best_answer")
_JSONL_FIELDS = frozenset({"_id", "id", "title", "text", "source", "metadata"})


def jsonl_documents(path: Path, name: str) -> Iterator[tuple[Document, str]]:
    """Documents of a ``.jsonl`` or ``.jsonl.gz`` file, each with its place ``file:line``.

    An object a line: ``text``, and optionally ``_id`` or ``id`` (default: ``name:line``), ``title``, ``source``
    (default: the file) and ``metadata``; other fields join the metadata. Blank lines are passed over. Raises InputError
    naming file and line.
    """
    for number, line in _lines(path):
        place = f"{path}:{number}"
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{place}: not valid JSON: {error}") from error
        if not isinstance(record, dict):
            raise InputError(f"{place}: expected a JSON object with 'text', got {type(record).__name__}")
        yield _from_record(record, place, f"{name}:{number}", str(path)), place


def _from_record(record: dict[str, Any], place: str, default_id: str, source: str) -> Document:
    text, title, named_source = record.get("text"), record.get("title"), record.get("source")
    if not isinstance(text, str):
        found = ", ".join(sorted(record)) if "text" not in record else f"'text' of type {type(text).__name__}"
        raise InputError(f"{place}: expected a string under 'text'; found {found or 'no fields'}")
    if title is not None and not isinstance(title, str):
        raise InputError(f"{place}: 'title' must be a string, got {title!r}")
    if named_source is not None and not isinstance(named_source, str):
        raise InputError(f"{place}: 'source' must be a string, got {named_source!r}")
    identifier = record.get("_id", record.get("id"))
    if isinstance(identifier, bool) or not isinstance(identifier, str | int | None):
        raise InputError(f"{place}: the id must be a string or an integer, got {identifier!r}")
    if isinstance(identifier, str) and not identifier.strip():
        raise InputError(f"{place}: the id is blank")
    metadata = record.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        raise InputError(f"{place}: 'metadata' must be an object, got {metadata!r}")
    others = {key: value for key, value in record.items() if key not in _JSONL_FIELDS}
    document_id = default_id if identifier is None else str(identifier)
    return Document(document_id, text, title or None, named_source or source, {**others, **metadata})


def csv_documents(path: Path, name: str) -> Iterator[tuple[Document, str]]:
    """Documents of a comma-separated file with a header row, each with its place ``file:line``.

    The text is the column ``text``, ``content`` or ``passage``; else ``question`` and ``answer`` (or ``best answer``)
    joined by a space; else ``answer`` alone. ``id`` or ``_id``, ``title`` and ``source`` are used if there; other
    columns are metadata. Column names in any case. Raises InputError naming file and line.
    """
    reader = csv.reader((line for _, line in _lines(path)), strict=True)
    try:
        header = [column.strip().lower() for column in next(reader, [])]
        columns = _text_columns(header, path)
        if repeated := sorted({column for column in header if header.count(column) > 1}):
            raise InputError(f"{path}:1: the header names columns twice: {', '.join(repeated)}")
        for row in filter(None, reader):
            place = f"{path}:{reader.line_num}"
            if len(row) > len(header):
                raise InputError(
                    f"{place}: {len(row)} fields under a header of {len(header)}; "
                    'a field with a comma in it must be in "double quotes"'
                )
            values = dict(zip(header, row, strict=False))
            yield _from_row(values, columns, f"{name}:{reader.line_num}", str(path)), place
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not valid CSV: {error}") from error


def _text_columns(header: list[str], path: Path) -> list[str]:
    for column in TEXT_COLUMNS:
        if column in header:
            return [column]
    answer = next((column for column in ANSWER_COLUMNS if column in header), None)
    if answer is None:
        raise InputError(
            f"{path}:1: no column holds the text; expected one called {', '.join(TEXT_COLUMNS)} or answer, or question "
            f"and answer together; found {', '.join(header) or 'an empty file'}"
        )
    return [*(column for column in QUESTION_COLUMNS if column in header), answer]


def _from_row(values: dict[str, str], columns: list[str], default_id: str, source: str) -> Document:
    text = " ".join(part for column in columns if (part := values.get(column, "").strip()))
    identifier = values.get("_id", values.get("id", "")).strip()
    used = {*columns, "id", "_id", "title", "source"}
    metadata = {key: value for key, value in values.items() if key and key not in used}
    title, named_source = (values.get(column, "").strip() for column in ("title", "source"))
    return Document(identifier or default_id, text, title or None, named_source or source, metadata)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    number = 0
    try:
        with _opened(path) as stream:
            for number, line in enumerate(stream, start=1):
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}:{number}: not UTF-8: {error.reason}; convert the file to UTF-8") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: not a complete gzip file (good up to line {number}): {error}") from error


def _opened(path: Path) -> BinaryIO | gzip.GzipFile:
    return gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb")
