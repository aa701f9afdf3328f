"""Opening ONNX models: the file's hash first, then a session that gives the same numbers on every run.

A session here computes with as many intra-op threads as it is told, one by default. How a matrix product is split
over threads may move the last bits of its result, so callers that promise reproducible values keep one thread per
call and run several calls at a time (:meth:`InferenceSession.run` may be called from many threads).
"""

from __future__ import annotations

import hashlib
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ragstone.errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["file_sha256", "open_session", "packaged_file", "thread_count", "verify_file"]

_ERRORS_ONLY = 3


def thread_count(threads: int) -> int:
    """``threads``, or the number of cores this process may use when it is 0."""
    if threads > 0:
        return threads
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not offered by macOS and Windows
        return os.cpu_count() or 1


def packaged_file(package: str, filename: str) -> Path:
    """Path of ``filename`` in the installed ``package``, found without importing that package.

    Raises ModelError when the package is not installed or does not hold the file.
    """
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    distribution = package.replace("_", "-")
    for folder in folders:
        path = Path(folder) / filename
        if path.is_file():
            return path
    state = f"holds no {filename}" if folders else "is not installed"
    raise ModelError(
        f"the package {distribution!r} {state}. Install it with: pip install --force-reinstall {distribution}"
    )


def file_sha256(path: Path) -> str:
    """SHA-256 of a file as 64 hex digits; raises ModelError when it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"cannot read the model file {path}: {error.strerror or error}") from error


def verify_file(path: Path, sha256: str, *, remedy: str) -> None:
    """Raise ModelError, ending in ``remedy``, unless the file's SHA-256 is ``sha256``."""
    found = file_sha256(path)
    if found != sha256:
        raise ModelError(f"{path} is not the pinned file: expected SHA-256 {sha256}, found {found}. {remedy}")


def open_session(path: Path, *, threads: int = 1) -> InferenceSession:
    """A CPU session over the model at ``path`` with ``threads`` intra-op threads; call :func:`verify_file` first.

    onnxruntime logs errors only, sends no telemetry and does not spin while it waits for work. Raises ModelError
    when the file cannot be read as a model.
    """
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _ERRORS_ONLY
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if not path.is_file():
        raise ModelError(f"cannot read the model file {path}: there is no such file")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own exceptions share no public base class
        raise ModelError(f"{path} cannot be opened as an ONNX model: {error}") from error
