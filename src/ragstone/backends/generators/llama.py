"""Local language models in GGUF files, run by llama.cpp through xllamacpp (both MIT), on the CPU, without a network.

The embedded generator is SmolLM2-135M-Instruct (Apache-2.0, GGUF Q4_1, 98 MB): small enough to come along, good for
short factual questions over short passages, and weak beyond that. It hardly ever abstains, errs on yes / no questions
and follows a poisoned passage readily, which makes it a fair test of the screening and a poor adviser.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ragstone import models
from ragstone.backends.generators.chat import as_chat
from ragstone.backends.generators.llama_server import ServerSpec, chat_chunks, load_library
from ragstone.backends.onnx_session import thread_count
from ragstone.backends.protocols import Generation, Message
from ragstone.errors import BackendError, InputError, ModelError
from ragstone.settings import Settings

__all__ = ["LlamaGenerator", "open_gguf", "open_smollm2"]

CONTEXT = 4096
_MAGIC = b"GGUF"
_PROBE_BYTES = 16 << 20


class LlamaGenerator:
    """A chat model in the GGUF file ``path``, with the chat template that the file carries.

    ``context`` bounds prompt plus answer, in tokens; ``timeout`` bounds an answer, in seconds. The model is loaded
    when it is first asked, and one model is in memory at a time (see :mod:`.llama_server`). The same messages,
    temperature and seed give the same text, in every process and with any number of threads; without a seed and
    above temperature 0 the text is random. Safe to share between threads, which wait for each other.
    """

    def __init__(
        self, path: Path, *, identity: str, threads: int, context: int = CONTEXT, timeout: float = 120.0
    ) -> None:
        _check_gguf(path)
        load_library()
        self.identity = identity
        self._spec = ServerSpec(path, threads, context)
        self._timeout = timeout

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        """Raises BackendError when the prompt is longer than the context, when the time is over or the model fails, and
        ModelError when it cannot be loaded."""
        pieces: list[str] = []
        usage: Mapping[str, Any] = {}
        finish_reason = None
        for chunk in self._chunks(messages, temperature, max_tokens, seed, stop):
            pieces.append(_content(chunk))
            usage = chunk.get("usage") or usage
            for choice in chunk.get("choices") or ():
                finish_reason = choice.get("finish_reason") or finish_reason
        return Generation("".join(pieces), usage.get("prompt_tokens"), usage.get("completion_tokens"), finish_reason)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Iterator[str]:
        """The pieces of what :meth:`generate` would return; closing the iterator stops the model."""
        for chunk in self._chunks(messages, temperature, max_tokens, seed, stop):
            if piece := _content(chunk):
                yield piece

    def _chunks(
        self, messages: Sequence[Message], temperature: float, max_tokens: int, seed: int | None, stop: Sequence[str]
    ) -> Iterator[dict[str, Any]]:
        body: dict[str, Any] = {
            "messages": as_chat(messages),
            "temperature": temperature,
            "max_tokens": max_tokens,
            "stop": list(stop),
            "cache_prompt": False,
            "stream": True,
            "stream_options": {"include_usage": True},
            # Sends a chunk after each batch of the prompt, so that a time-out can end its reading.
            "return_progress": True,
        }
        if seed is not None:
            body["seed"] = seed
        for chunk in chat_chunks(self._spec, body, timeout=self._timeout):
            if "error" in chunk:
                raise self._failure(chunk["error"])
            yield chunk

    def _failure(self, error: Mapping[str, Any]) -> BackendError:
        if error.get("type") == "exceed_context_size_error":
            return BackendError(
                f"the prompt has {error.get('n_prompt_tokens')} tokens, but {self.identity} reads at most "
                f"{error.get('n_ctx')} with its answer; give it fewer or shorter passages (retrieval.top_k, "
                "retrieval.chunk_tokens)"
            )
        return BackendError(f"llama.cpp failed with {self.identity}: {error.get('message', error)}")


def open_smollm2(argument: str | None, settings: Settings) -> LlamaGenerator:
    """The embedded generator. Raises ModelError with the command that brings its file when that is absent or wrong."""
    if argument is not None:
        raise InputError(f"the generator 'smollm2' takes no argument, got {argument!r}; a GGUF file is gguf:PATH")
    load_library()
    path = models.require("smollm2")
    return _opened(path, f"SmolLM2-135M-Instruct-Q4_1@{models.digest(path)[:12]}", settings)


def open_gguf(argument: str | None, settings: Settings) -> LlamaGenerator:
    """``gguf:PATH``: any chat model in one GGUF file. Its identity is its name and the start of its SHA-256."""
    if argument is None:
        raise InputError("the generator 'gguf' needs a file: gguf:PATH, e.g. gguf:models/llama-3.1-8b-q4_k_m.gguf")
    path = Path(argument).expanduser()
    _check_gguf(path)
    return _opened(path, f"gguf:{path.name}@{models.digest(path)[:12]}", settings)


def idle_cores(cores: int) -> int:
    """How many of ``cores`` this process would really get now, at least 1; takes some hundredths of a second.

    llama.cpp's threads wait for each other after every step, hundreds of times a token. Where other programs hold the
    cores, two of its threads are many times slower than one.
    """
    data = bytes(_PROBE_BYTES)

    def share(_: int) -> float:
        start, own = time.perf_counter(), time.thread_time()
        hashlib.sha256(data)
        return (time.thread_time() - own) / (time.perf_counter() - start)

    with ThreadPoolExecutor(cores) as pool:
        return max(1, min(cores, round(sum(pool.map(share, range(cores))))))


def _opened(path: Path, identity: str, settings: Settings) -> LlamaGenerator:
    threads = settings.models.threads or idle_cores(thread_count(0))
    return LlamaGenerator(path, identity=identity, threads=threads, timeout=settings.generation.timeout)


def _check_gguf(path: Path) -> None:
    try:
        with path.open("rb") as stream:
            magic = stream.read(len(_MAGIC))
    except OSError as error:
        raise ModelError(f"cannot read the model file {path}: {error.strerror}") from error
    if magic != _MAGIC:
        raise ModelError(f"{path} is not a GGUF file: it begins with {magic!r}, expected {_MAGIC!r}")


def _content(chunk: Mapping[str, Any]) -> str:
    return "".join((choice.get("delta") or {}).get("content") or "" for choice in chunk.get("choices") or ())
