"""TruthfulQA (Lin et al., ACL 2022): a document is the question followed by its best answer (paper 000, section IV).

Splits by row: ``paper`` is the first 50, which paper 000 reports on and which nothing may be tuned on; ``tune`` is 51
to 400; ``report`` is the rest. The rows are those of the file at hand: the file first published has 817, its authors'
later revision 790.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from ragstone.corpus import Document
from ragstone.datasets.samples import Dataset, Sample
from ragstone.datasets.sources import HubFile, Source, origin_of
from ragstone.errors import InputError, optional_import

__all__ = ["load"]

SOURCE = Source(
    dataset="truthfulqa",
    places=("truthfulqa/TruthfulQA.csv", "TruthfulQA.csv"),
    advice="Put TruthfulQA.csv of https://github.com/sylinrl/TruthfulQA into a folder and name that folder by --data "
    "or RAGSTONE_DATA.",
    hub=HubFile(
        "truthfulqa/truthful_qa",
        "741b8276f2d1982aa3d5b832d3ee81ed3b896490",
        "generation/validation-00000-of-00001.parquet",
    ),
)
_PAPER, _TUNE = 50, 400


def load(argument: str | None = None, data: str | Path | None = None) -> Dataset:
    """All rows. Raises InputError for a file that is not TruthfulQA's."""
    path = SOURCE.locate(data)
    rows = _parquet_rows(path) if path.suffix == ".parquet" else _csv_rows(path)
    samples = tuple(_sample(number, question, answer) for number, (question, answer) in enumerate(rows, start=1))
    return Dataset("truthfulqa", origin_of([path]), samples)


def _sample(number: int, question: str, answer: str) -> Sample:
    identifier = f"truthfulqa-{number:03d}"
    split = "paper" if number <= _PAPER else "tune" if number <= _TUNE else "report"
    return Sample(identifier, question, answer, Document(identifier, f"{question} {answer}"), split)


def _csv_rows(path: Path) -> list[tuple[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            if not {"Question", "Best Answer"} <= set(reader.fieldnames or ()):
                raise InputError(f"{path}: expected the columns 'Question' and 'Best Answer', got {reader.fieldnames}")
            return [_stripped(f"{path}:{reader.line_num}", row["Question"], row["Best Answer"]) for row in reader]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not a CSV file in UTF-8: {error}") from error


def _parquet_rows(path: Path) -> list[tuple[str, str]]:
    parquet = optional_import("pyarrow.parquet", extra="hub", purpose="reading TruthfulQA as the hub has it")
    table = parquet.read_table(path, columns=["question", "best_answer"]).to_pylist()
    return [_stripped(f"{path}, row {i}", row["question"], row["best_answer"]) for i, row in enumerate(table, 1)]


def _stripped(place: str, question: Any, answer: Any) -> tuple[str, str]:
    if not isinstance(question, str) or not isinstance(answer, str) or not question.strip() or not answer.strip():
        raise InputError(f"{place}: a row needs a question and a best answer")
    return question.strip(), answer.strip()
