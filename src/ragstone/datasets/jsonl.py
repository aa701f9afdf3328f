"""Any data set as JSON lines: ``jsonl:PATH``.

Each line has ``question`` and ``answer`` (or ``expected``), and optionally ``text`` (the document; by default question
and answer), ``id`` and ``split``. Lines without a split are split by hash of the question, 40 % to ``tune``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragstone.corpus import Document
from ragstone.datasets.samples import Dataset, Sample, hashed_split
from ragstone.datasets.sources import SAMPLES, Source, json_lines, origin_of, text_field
from ragstone.errors import InputError

__all__ = ["load"]


def load(argument: str | None = None, data: str | Path | None = None) -> Dataset:
    """The samples of one file, by ``jsonl:PATH``; without a path, the file that ``data`` names."""
    if argument is not None:
        path = Path(argument)
        if not path.is_file():
            raise InputError(f"jsonl:{argument}: there is no such file")
    elif data is None:
        raise InputError("the data set 'jsonl' needs a file: jsonl:PATH")
    else:
        path = Source("jsonl", ("jsonl/norrvik.jsonl",), "Name a file: jsonl:PATH.").locate(data)
    samples: dict[str, Sample] = {}
    for number, (place, row) in enumerate(json_lines(path), start=1):
        sample = _sample(number, row, place, path.name.partition(".")[0])
        if sample.id in samples:
            raise InputError(f"{place}: the id {sample.id!r} is used twice")
        samples[sample.id] = sample
    if not samples:
        raise InputError(f"{path} holds no samples")
    name = SAMPLES if str(data) == SAMPLES else path.name
    return Dataset(f"jsonl:{name}", origin_of([path]), tuple(samples.values()))


def _sample(number: int, row: dict[str, Any], place: str, stem: str) -> Sample:
    question, answer = text_field(row, place, "question"), text_field(row, place, "answer", "expected")
    text = text_field(row, place, "text") if row.get("text") is not None else f"{question} {answer}"
    identifier = str(row["id"]) if row.get("id") not in (None, "") else f"{stem}-{number:05d}"
    split = row.get("split")
    if split is not None and not isinstance(split, str):
        raise InputError(f"{place}: 'split' must be a string, got {split!r}")
    return Sample(identifier, question, answer, Document(identifier, text), split or hashed_split(question))
