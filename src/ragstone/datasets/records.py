"""Recorded runs: the per-sample signals that were published with paper 000, or others in the same form.

A recording is a folder with two files. ``runs.json`` lists the runs (data set, language model, embedding, K,
strategy, weights); ``records.jsonl.gz`` (or ``records.jsonl``) has one object a line for each sample of each run:
question, answers, label, F, C, P, trust and times.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ragstone.errors import InputError

__all__ = ["AnswerState", "Run", "RunInfo", "SampleRecord", "find_records", "load_records", "select_runs"]

Unit = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Milliseconds = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
_FILE_NAMES = ("records.jsonl.gz", "records.jsonl")
_FOLDER = "trustworthyrag"
_FAILURE_PREFIX = "ERROR"


class AnswerState(StrEnum):
    """Whether a recorded sample has an answer that could be verified at all."""

    ANSWERED = "answered"
    EMPTY = "empty"
    FAILED = "failed"


class RunInfo(BaseModel):
    """How a run was made. ``weights`` are those of F, C and 1 - P; ``ablation`` names them where they were varied."""

    model_config = ConfigDict(frozen=True)

    run: str
    date: str
    dataset: str
    llm: str
    embedding: str
    k: Annotated[int, Field(ge=1)]
    strategy: str
    weights: tuple[Unit, Unit, Unit]
    ablation: str | None = None
    n: Annotated[int, Field(ge=1)]


class SampleRecord(BaseModel):
    """One sample. Scores are in [0, 1], times in milliseconds; ``poisoned`` is the document-level label."""

    model_config = ConfigDict(frozen=True)

    run: str
    sample_id: int
    query: str
    expected_answer: str
    generated_answer: str
    poisoned: bool
    poison_strategy: str
    factuality: Unit
    consistency: Unit
    poison_probability: Unit
    trust: Unit
    trustworthy: bool
    generation_ms: Milliseconds
    evaluation_ms: Milliseconds
    total_ms: Milliseconds

    @property
    def state(self) -> AnswerState:
        """*Failed*: the text of an exception stands where the answer should, and every score is 0 for want of one."""
        answer = self.generated_answer.strip()
        if not answer:
            return AnswerState.EMPTY
        unscored = self.trust == self.factuality == self.consistency == self.poison_probability == 0.0
        return AnswerState.FAILED if unscored and answer.startswith(_FAILURE_PREFIX) else AnswerState.ANSWERED


@dataclass(frozen=True)
class Run:
    """A run with its samples in the order of ``sample_id``; the arrays are columns of them, of one length."""

    info: RunInfo
    samples: tuple[SampleRecord, ...]

    @property
    def name(self) -> str:
        return self.info.run

    @cached_property
    def trust(self) -> NDArray[np.float64]:
        return self.column("trust")

    @cached_property
    def poisoned(self) -> NDArray[np.bool_]:
        return np.array([sample.poisoned for sample in self.samples], dtype=bool)

    @cached_property
    def states(self) -> tuple[AnswerState, ...]:
        return tuple(sample.state for sample in self.samples)

    @property
    def queries(self) -> tuple[str, ...]:
        return tuple(sample.query for sample in self.samples)

    @property
    def trust_of_answers(self) -> list[float | None]:
        """Trust, with None where there was no answer to score."""
        pairs = zip(self.samples, self.states, strict=True)
        return [sample.trust if state is AnswerState.ANSWERED else None for sample, state in pairs]

    def column(self, name: str) -> NDArray[np.float64]:
        """A numeric field of :class:`SampleRecord` over all samples."""
        return np.array([getattr(sample, name) for sample in self.samples], dtype=float)

    def count(self, state: AnswerState) -> int:
        return sum(found is state for found in self.states)


def find_records(path: str | Path | None = None) -> Path:
    """The records file meant by ``path``: the file, its folder, or a data folder that holds ``trustworthyrag/``.

    Without ``path``, the folder named by the environment variable ``RAGSTONE_DATA``. Raises :class:`InputError`
    saying where it looked when there is none.
    """
    chosen = path if path is not None else os.environ.get("RAGSTONE_DATA")
    if not chosen:
        raise InputError(
            "no records to replay: give their path, or set RAGSTONE_DATA to a folder that holds "
            f"{_FOLDER}/{_FILE_NAMES[0]} and {_FOLDER}/runs.json"
        )
    start = Path(chosen)
    if start.is_file():
        return start
    candidates = [folder / name for folder in (start, start / _FOLDER) for name in _FILE_NAMES]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise InputError(
        f"no records under {start}: looked for {', '.join(str(candidate) for candidate in candidates)}; "
        "give the folder that holds the records file and runs.json"
    )


def load_records(path: str | Path | None = None) -> tuple[Run, ...]:
    """All runs under ``path`` (see :func:`find_records`), in the order of ``runs.json``.

    Raises :class:`InputError` naming file and line for anything that cannot be read: a missing ``runs.json``, a field
    that is absent or out of range, a run that is not listed, a sample given twice, or a run with samples missing.
    """
    records = find_records(path)
    infos = _read_infos(records.parent / "runs.json")
    samples: dict[str, dict[int, SampleRecord]] = {name: {} for name in infos}
    for where, sample in _read_samples(records):
        if sample.run not in samples:
            raise InputError(f"{where}: run {sample.run!r} is not listed in {records.parent / 'runs.json'}")
        if sample.sample_id in samples[sample.run]:
            raise InputError(f"{where}: sample {sample.sample_id} of run {sample.run!r} is given twice")
        samples[sample.run][sample.sample_id] = sample
    for name, info in infos.items():
        if len(samples[name]) != info.n:
            raise InputError(f"{records}: run {name!r} should have {info.n} samples, found {len(samples[name])}")
    return tuple(
        Run(info, tuple(samples[name][number] for number in sorted(samples[name]))) for name, info in infos.items()
    )


def select_runs(runs: Iterable[Run], **wanted: Any) -> tuple[Run, ...]:
    """Runs whose :class:`RunInfo` fields equal ``wanted``, oldest first (by date, then name)."""
    chosen = [run for run in runs if all(getattr(run.info, name) == value for name, value in wanted.items())]
    return tuple(sorted(chosen, key=lambda run: (run.info.date, run.name)))


def _read_infos(path: Path) -> dict[str, RunInfo]:
    try:
        infos = TypeAdapter(tuple[RunInfo, ...]).validate_python(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; it must stand beside the records file") from error
    except (ValueError, RecursionError) as error:
        reason = _first_error(error) if isinstance(error, ValidationError) else str(error)
        raise InputError(f"{path} is not a list of runs: {reason}") from error
    names = [info.run for info in infos]
    if len(set(names)) != len(names):
        raise InputError(f"{path}: a run is listed twice: {next(n for n in names if names.count(n) > 1)!r}")
    return {info.run: info for info in infos}


def _read_samples(path: Path) -> Iterator[tuple[str, SampleRecord]]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield f"{path}, line {number}", SampleRecord.model_validate_json(line)
    except ValidationError as error:
        raise InputError(f"{path}, line {number}: {_first_error(error)}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _first_error(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])
