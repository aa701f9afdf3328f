"""NLI by an ONNX sequence classifier: the embedded model, or one from a folder or the hub.

Every pair runs alone, several pairs at a time on threads of their own: no padding, and a score that cannot depend on
what else is in the batch, also where activations are quantised at run time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ragstone.backends.nli.labels import label_order, read_json
from ragstone.backends.onnx_session import file_sha256, open_session, thread_count, verify_file
from ragstone.backends.protocols import Vectors
from ragstone.backends.wordpiece import TOKENIZER_SHA256, load_tokenizer
from ragstone.errors import BackendError, InputError, ModelError, optional_import
from ragstone.settings import Settings
from ragstone.types import readable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["OnnxNLI", "open_embedded", "open_onnx"]

DEFAULT_MAX_TOKENS = 512
# Characters up to which a text's count is remembered, so that the memory it takes is bounded.
LONGEST_REMEMBERED = 1000


class OnnxNLI:
    """A three-class cross-encoder. ``order`` gives the outputs' positions of entailment, neutral, contradiction."""

    def __init__(
        self,
        model: Path,
        tokenizer: Tokenizer,
        *,
        identity: str,
        order: tuple[int, int, int],
        max_tokens: int,
        threads: int = 0,
    ) -> None:
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens)  # a last guard: callers window what is longer
        self._tokenizer = tokenizer
        self._session = open_session(model)
        self._inputs = {node.name for node in self._session.get_inputs()}
        self._order = list(order)
        self._identity = identity
        self._max_tokens = max_tokens
        self._workers = thread_count(threads)
        self._count = lru_cache(maxsize=20_000)(self._count_tokens)

    @property
    def identity(self) -> str:
        return self._identity

    @property
    def max_tokens(self) -> int | None:
        return self._max_tokens

    def count_tokens(self, text: str) -> int:
        return self._count(text) if len(text) <= LONGEST_REMEMBERED else self._count_tokens(text)

    def score(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """See :class:`ragstone.backends.protocols.NLI`."""
        if not pairs:
            return np.zeros((0, 3), dtype=np.float32)
        encodings = self._tokenizer.encode_batch([(readable(p), readable(h)) for p, h in pairs])
        if self._workers == 1 or len(encodings) == 1:
            rows = [self._run(e) for e in encodings]
        else:
            with ThreadPoolExecutor(min(self._workers, len(encodings))) as pool:
                rows = list(pool.map(self._run, encodings))
        logits = np.stack(rows)[:, self._order]
        exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
        result: Vectors = exponentials / exponentials.sum(axis=1, keepdims=True)
        return result

    def _run(self, encoding: Any) -> Vectors:
        feed = {
            "input_ids": np.array([encoding.ids], dtype=np.int64),
            "attention_mask": np.array([encoding.attention_mask], dtype=np.int64),
            "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
        }
        try:
            logits = self._session.run(None, {name: feed[name] for name in feed if name in self._inputs})[0]
        except Exception as error:  # onnxruntime's own exceptions share no public base class
            raise BackendError(f"NLI model {self._identity} failed: {error}") from error
        row: Vectors = np.asarray(logits, dtype=np.float32)[0]
        return row

    def _count_tokens(self, text: str) -> int:
        # The tokenizer may be shared by threads and truncates, so count beyond its limit by parts of words.
        encoding = self._tokenizer.encode(readable(text), add_special_tokens=False)
        return len(encoding.ids) + sum(len(rest.ids) for rest in encoding.overflowing)


def open_embedded(argument: str | None, settings: Settings) -> OnnxNLI:
    """The model in the package, its weights checked against their SHA-256. Made by ``training/nli``."""
    if argument is not None:
        raise InputError(f"the embedded NLI model takes no argument, got {argument!r}; use onnx:FOLDER for another")
    with as_file(files("ragstone") / "data" / "nli") as folder:
        manifest = read_json(folder / "manifest.json")
        name, weights, limit = (manifest.get(key) for key in ("name", "sha256", "max_tokens"))
        if not (isinstance(name, str) and isinstance(weights, str) and isinstance(limit, int)):
            raise ModelError(f"{folder / 'manifest.json'} lacks name, sha256 or max_tokens. Install ragstone again.")
        verify_file(folder / "model.onnx", weights, remedy="Install ragstone again.")
        order = label_order(read_json(folder / "config.json"), "the embedded NLI model")
        return OnnxNLI(
            folder / "model.onnx",
            load_tokenizer(),
            identity=f"{name}@{_digest(weights, TOKENIZER_SHA256, order, limit)}",
            order=order,
            max_tokens=limit,
            threads=settings.models.threads,
        )


def open_onnx(argument: str | None, settings: Settings) -> OnnxNLI:
    """``onnx:FOLDER`` or ``onnx:OWNER/NAME[@REVISION]`` (hub): config.json, tokenizer.json and model.onnx."""
    if argument is None:
        raise InputError("name a model: onnx:FOLDER, or onnx:OWNER/NAME[@REVISION] from the hub")
    folder = Path(argument) if Path(argument).is_dir() else _from_hub(argument)
    model = next((p for p in (folder / "model.onnx", folder / "onnx" / "model.onnx") if p.is_file()), None)
    if model is None or not (folder / "tokenizer.json").is_file():
        raise ModelError(f"{folder} must hold tokenizer.json and model.onnx (or onnx/model.onnx)")
    config = read_json(folder / "config.json")
    order, limit = label_order(config, argument), _limit(config, argument)
    tokenizer = _tokenizer(folder / "tokenizer.json")
    hashes = file_sha256(model), file_sha256(folder / "tokenizer.json")
    return OnnxNLI(
        model,
        tokenizer,
        identity=f"onnx:{Path(argument).name}@{_digest(*hashes, order, limit)}",
        order=order,
        max_tokens=limit,
        threads=settings.models.threads,
    )


def _digest(*parts: object) -> str:
    """12 hex digits over all that decides a score: weights, tokenizer, order of labels, longest pair."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def _limit(config: Mapping[str, Any], where: str) -> int:
    limit = config.get("max_position_embeddings", DEFAULT_MAX_TOKENS)
    if not isinstance(limit, int) or limit < 1:
        raise ModelError(f"{where}: max_position_embeddings in config.json must be a number of tokens, got {limit!r}")
    return min(limit, DEFAULT_MAX_TOKENS)


def _tokenizer(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exceptions
        raise ModelError(f"{path} cannot be read as a tokenizer: {error}") from error


def _from_hub(argument: str) -> Path:
    hub = optional_import("huggingface_hub", extra="hub", purpose=f"fetching {argument!r} from the hub")
    name, _, revision = argument.partition("@")
    wanted = ["config.json", "tokenizer.json", "model.onnx", "onnx/model.onnx"]
    try:
        return Path(hub.snapshot_download(name, revision=revision or None, allow_patterns=wanted))
    except Exception as error:  # the hub's client raises many unrelated types
        raise ModelError(f"{argument!r} is no folder here and could not be fetched from the hub: {error}") from error
