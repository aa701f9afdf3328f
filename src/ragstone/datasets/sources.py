"""Where the files of a data set are: a folder or file the user names, ``RAGSTONE_DATA``, or the set's public home.

Public homes are on the Hugging Face hub, pinned by commit and, where it is known, by the file's SHA-256.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

from ragstone.errors import BackendError, InputError, optional_import

__all__ = ["SAMPLES", "HubFile", "Source", "json_lines", "origin_of", "text_field"]

SAMPLES = "samples"
VARIABLE = "RAGSTONE_DATA"


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a data set repository at a commit; ``sha256`` is checked when it is known."""

    repository: str
    revision: str
    name: str
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The file of one data set: its possible places under a data folder, where to get it, and its public home."""

    dataset: str
    places: tuple[str, ...]
    advice: str
    hub: HubFile | None = None

    def locate(self, data: str | Path | None) -> Path:
        """The file under ``data``, else under ``$RAGSTONE_DATA``, else fetched from the hub.

        ``data`` is a folder, the file itself, or ``samples`` for the tiny invented ones. Raises InputError saying where
        it looked, BackendError when a download fails, and MissingDependencyError without the extra ``hub``.
        """
        if data is not None:
            folder = _samples() if str(data) == SAMPLES else Path(data)
            if folder.is_file():
                return folder
            return self._under(folder) or self._absent(f"none of {self._names()} under {folder}")
        variable = os.environ.get(VARIABLE)
        if variable and (found := self._under(Path(variable))):
            return found
        if self.hub is None:
            self._absent(f"none of {self._names()} under {VARIABLE} ({variable or 'not set'})")
        return self._fetched(self.hub)

    def _under(self, folder: Path) -> Path | None:
        return next((folder / place for place in self.places if (folder / place).is_file()), None)

    def _names(self) -> str:
        return ", ".join(self.places)

    def _absent(self, where: str) -> NoReturn:
        raise InputError(f"data set {self.dataset!r} was not found: {where}. {self.advice}")

    def _fetched(self, hub: HubFile) -> Path:
        client = optional_import("huggingface_hub", extra="hub", purpose=f"downloading the data set {self.dataset!r}")
        try:
            path = Path(client.hf_hub_download(hub.repository, hub.name, repo_type="dataset", revision=hub.revision))
        except Exception as error:  # the client raises errors of several libraries, by what went wrong
            raise BackendError(
                f"cannot download {hub.name} of {hub.repository} at {hub.revision[:12]} ({type(error).__name__}: "
                f"{error}). {self.advice}"
            ) from error
        if hub.sha256 is not None and _sha256(path) != hub.sha256:
            raise BackendError(f"{path} is not the file pinned by SHA-256 {hub.sha256[:12]}…; delete it and try again")
        return path


def origin_of(paths: Sequence[Path]) -> str:
    """File names with the start of their SHA-256, for a report; no folder."""
    return ", ".join(f"{path.name} (sha256 {_sha256(path)[:12]})" for path in paths)


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(``file:line``, object) for each line of a ``.jsonl`` or ``.jsonl.gz`` file that is not blank."""
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise InputError(f"{path}:{number}: expected a JSON object, got {type(row).__name__}")
                    yield f"{path}:{number}", row
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}:{number}: not valid JSON: {error}") from error


def text_field(row: dict[str, Any], place: str, *names: str) -> str:
    """The first of ``names`` that holds a string which is not blank; raises InputError naming the place."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value
    raise InputError(
        f"{place}: expected some text under {' or '.join(map(repr, names))}; found {', '.join(row) or '-'}"
    )


def _samples() -> Path:
    return Path(str(files("ragstone").joinpath("data", "samples")))


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
