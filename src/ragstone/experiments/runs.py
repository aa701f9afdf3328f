"""A run folder: what was run (``meta.json``), a line for each sample (``samples.jsonl``) and the answers generated.

    with RunFolder.opened(path, identity) as folder:
        folder.done                  # keys of the samples that are there
        folder.samples.append(row)   # on disk when it returns

A folder is resumed by opening it again with the same identity; another identity is refused. Killing the process at any
point loses at most the sample it was working on, which is then done again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragstone.errors import InputError
from ragstone.experiments.append_log import AppendLog, read_log
from ragstone.experiments.run_lock import hold_lock

__all__ = ["META", "SAMPLES", "RunFolder", "read_meta"]

META, SAMPLES, GENERATIONS, LOCK = "meta.json", "samples.jsonl", "generations.jsonl", "lock"
FORMAT = 1


@dataclass(frozen=True)
class RunFolder:
    """A folder that is open for writing. ``done`` holds the ``key`` of every sample that was there when it opened."""

    path: Path
    samples: AppendLog
    generations: AppendLog
    done: frozenset[str]

    @classmethod
    @contextmanager
    def opened(cls, path: Path, identity: Mapping[str, Any]) -> Iterator[RunFolder]:
        """Open or make the folder. ``identity`` is what its results depend on, as JSON values.

        Raises InputError when the folder holds a run with another identity, is in use, or cannot be written.
        """
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make the run folder {path}: {error.strerror}") from error
        with hold_lock(path / LOCK):
            _check_or_write(path, identity)
            with AppendLog(path / SAMPLES) as samples, AppendLog(path / GENERATIONS) as generations:
                done = frozenset(str(row.get("key")) for _, row in read_log(path / SAMPLES))
                yield cls(path, samples, generations, done)

    def generated(self) -> dict[str, dict[str, Any]]:
        """The stored generations by their key."""
        return {str(row.get("key")): row for _, row in read_log(self.path / GENERATIONS)}


def read_meta(path: Path) -> dict[str, Any]:
    """The identity of the run in the folder ``path``; raises InputError when there is none."""
    file = path / META
    try:
        meta = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path} is no run folder: it has no {META}") from error
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{file} is not valid JSON: {error}") from error
    if not isinstance(meta, dict) or meta.get("format") != FORMAT or not isinstance(meta.get("run"), dict):
        raise InputError(f"{file} is not of format {FORMAT}, which this version reads; run the benchmark again")
    run: dict[str, Any] = meta["run"]
    return run


def _check_or_write(path: Path, identity: Mapping[str, Any]) -> None:
    wanted = json.loads(json.dumps(identity))  # tuples become lists, as they are read back
    if not (path / META).exists():
        if (path / SAMPLES).exists():
            raise InputError(f"{path} holds {SAMPLES} but no {META}; give another folder")
        _write_whole(path / META, json.dumps({"format": FORMAT, "run": wanted}, indent=2, ensure_ascii=False) + "\n")
        return
    found = read_meta(path)
    differing = [key for key in {**found, **wanted} if found.get(key) != wanted.get(key)]
    if differing:
        details = "; ".join(
            f"{key}: {_short(found.get(key))} there, {_short(wanted.get(key))} now" for key in differing
        )
        raise InputError(f"{path} holds a run with other settings ({details}); give another folder, or those settings")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _write_whole(path: Path, text: str) -> None:
    """All of it or nothing: a kill leaves no half-written file under the name."""
    temporary = path.with_suffix(".part")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(temporary, path)
