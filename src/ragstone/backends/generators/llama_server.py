"""llama.cpp inside this process: one model in memory, one request at a time.

xllamacpp runs llama.cpp's own server on a thread of this process. What that asks for, and how it is met:

- Only one server exists at a time. Asking for another model closes the first, which is loaded again when it is next
  asked for; callers that alternate between two large models should keep them in two processes.
- The server also listens on a port. It is bound to 127.0.0.1 at a port chosen by the system, behind a random key that
  is never stored, and without its status pages.
- A server that is closed before its loop has started never ends. It therefore generates one token when it is opened.
- Its prompt cache changes the numbers of a repeated prompt, and its fitting of parameters to free memory makes them
  depend on the machine's state; both are off.
- A forked child inherits a server without its threads. The child forgets it, and opens its own when it needs one.
  (Children of ``multiprocessing`` end well; after a bare ``os.fork`` the child must end with ``os._exit``, since
  llama.cpp's log waits for its thread otherwise.)
"""

from __future__ import annotations

import atexit
import ctypes
import os
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from ragstone.errors import BackendError, ModelError, optional_import

__all__ = ["ServerSpec", "chat_chunks", "close", "load_library"]

# Small enough that a time-out or an interrupt is noticed within a second or two while a prompt is read.
_BATCH = 256
_SECONDS_TO_CLOSE = 10.0
_END = object()


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """A GGUF file and how to run it; ``context`` is the longest prompt plus answer, in tokens."""

    path: Path
    threads: int
    context: int


class _Process:
    """The process-wide state: the open server, and the lock that is held while it is used or exchanged."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.spec: ServerSpec | None = None
        self.server: Any = None


_process = _Process()


def load_library() -> Any:
    """The module xllamacpp; raises MissingDependencyError with the line that installs it."""
    # Read once by the OpenMP runtime when it is loaded. Spinning threads starve each other on a machine that is busy.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    return optional_import("xllamacpp", extra="llama", purpose="a local GGUF model")


def chat_chunks(spec: ServerSpec, body: Mapping[str, Any], *, timeout: float) -> Iterator[dict[str, Any]]:
    """The server's answer to a chat request, chunk by chunk as in the OpenAI protocol; errors are chunks too.

    Closing the iterator stops the generation. ``timeout`` is in seconds, for the wait until earlier requests are done
    and again for the answer; loading the model does not count. Raises ModelError when the model cannot be loaded and
    BackendError when the time is over or the server fails.
    """
    server = _acquire(spec, timeout)
    chunks: SimpleQueue[Any] = SimpleQueue()
    cancelled = threading.Event()
    worker = threading.Thread(target=_answer, args=(server, dict(body), chunks, cancelled), name="llama.cpp")
    try:
        worker.start()
    except BaseException:
        _process.lock.release()
        raise
    del server
    deadline = time.monotonic() + timeout
    try:
        while (chunk := _next(chunks, deadline, timeout)) is not _END:
            if isinstance(chunk, BaseException):
                raise BackendError(f"llama.cpp failed with {spec.path.name}: {chunk}") from chunk
            yield chunk
    finally:
        cancelled.set()


def close() -> None:
    """Free the model in memory, if any; the next request loads its model again."""
    if _process.lock.acquire(timeout=_SECONDS_TO_CLOSE):
        try:
            _process.server = _process.spec = None
        finally:
            _process.lock.release()


def _acquire(spec: ServerSpec, timeout: float) -> Any:
    """The server for ``spec``, with the lock held."""
    if not _process.lock.acquire(timeout=timeout):
        raise BackendError(f"the local model is busy with another request, still after {timeout:g} s")
    try:
        if _process.spec != spec:
            _process.server = _process.spec = None
            _process.server = _open(spec)
            _process.spec = spec
    except BaseException:
        _process.lock.release()
        raise
    return _process.server


def _open(spec: ServerSpec) -> Any:
    library = load_library()
    params = library.CommonParams()
    params.model.path = str(spec.path)
    params.n_ctx = spec.context
    params.n_batch = _BATCH
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = spec.threads
    params.fit_params = params.cache_prompt = params.warmup = params.endpoint_slots = False
    params.cache_ram_mib = 0
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [secrets.token_hex(32)]
    params.verbosity = 0
    try:
        server = library.Server(params)
        server.handle_completions({"prompt": "a", "max_tokens": 1, "cache_prompt": False})
    except RuntimeError as error:
        raise ModelError(
            f"llama.cpp cannot load {spec.path} ({error}). The file is damaged, of an architecture it does not know, "
            "or too large for this machine's memory"
        ) from error
    return server


def _answer(server: Any, body: dict[str, Any], chunks: SimpleQueue[Any], cancelled: threading.Event) -> None:
    main = threading.main_thread()

    def receive(chunk: dict[str, Any]) -> bool:
        chunks.put(chunk)
        return cancelled.is_set() or not main.is_alive()

    try:
        server.handle_chat_completions(body, receive)
        chunks.put(_END)
    except BaseException as error:
        chunks.put(error)
    finally:
        del server
        _process.lock.release()


def _next(chunks: SimpleQueue[Any], deadline: float, timeout: float) -> Any:
    try:
        return chunks.get(timeout=max(0.0, deadline - time.monotonic()))
    except Empty:
        raise BackendError(
            f"the local model did not finish within {timeout:g} s; raise generation.timeout or lower "
            "generation.max_tokens"
        ) from None


def _forget_in_child() -> None:
    global _process
    if _process.server is not None:
        # Destroying it would wait for threads that the child does not have.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(_process.server))
    _process = _Process()


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
