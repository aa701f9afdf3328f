"""NLI by any transformers sequence classifier, e.g. the paper's ``transformers:facebook/bart-large-mnli``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ragstone.backends.nli.labels import label_order
from ragstone.backends.onnx_session import file_sha256
from ragstone.backends.protocols import Vectors
from ragstone.errors import BackendError, InputError, ModelError, optional_import
from ragstone.settings import Settings
from ragstone.types import readable

__all__ = ["TransformersNLI", "open_transformers"]

EXTRA = "transformers"


class TransformersNLI:
    """A torch model by hub name (``OWNER/NAME[@REVISION]``) or folder; each pair runs alone, as in the paper."""

    def __init__(self, name: str, *, threads: int = 0) -> None:
        purpose = f"NLI by {name!r}"
        transformers = optional_import("transformers", extra=EXTRA, purpose=purpose)
        self._torch: Any = optional_import("torch", extra=EXTRA, purpose=purpose)
        if threads > 0:
            self._torch.set_num_threads(threads)
        path, revision = name, ""
        if "@" in name and not Path(name).exists():
            path, _, revision = name.rpartition("@")
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(path, revision=revision or None)
            model = transformers.AutoModelForSequenceClassification.from_pretrained(path, revision=revision or None)
        except Exception as error:  # the library raises many unrelated types
            raise ModelError(f"cannot load the NLI model {name!r}: {error}") from error
        self._model = model.eval()
        self._order = list(label_order({"id2label": model.config.id2label}, name))
        version = _folder_digest(Path(path)) if Path(path).is_dir() else getattr(model.config, "_commit_hash", None)
        self._identity = f"transformers:{path}@{(version or revision or 'unknown')[:12]}"
        self._limit = int(min(self._tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", 512)))

    @property
    def identity(self) -> str:
        return self._identity

    @property
    def max_tokens(self) -> int | None:
        return self._limit

    def count_tokens(self, text: str) -> int:
        return len(self._tokenizer(readable(text), add_special_tokens=False, verbose=False)["input_ids"])

    def score(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """See :class:`ragstone.backends.protocols.NLI`."""
        rows = [self._run(readable(premise), readable(hypothesis)) for premise, hypothesis in pairs]
        return np.array(rows, dtype=np.float32).reshape(-1, 3)

    def _run(self, premise: str, hypothesis: str) -> list[float]:
        try:
            encoded = self._tokenizer(premise, hypothesis, truncation=True, max_length=self._limit, return_tensors="pt")
            with self._torch.inference_mode():
                logits = self._model(**encoded).logits[0]
        except Exception as error:
            raise BackendError(f"NLI model {self._identity} failed: {error}") from error
        probabilities: list[float] = self._torch.softmax(logits, dim=-1).tolist()
        return [probabilities[i] for i in self._order]


def _folder_digest(folder: Path) -> str:
    """SHA-256 over names and contents of the files: a model in a folder has no commit that would name it."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return hashlib.sha256("".join(f"{path.name}\0{file_sha256(path)}\0" for path in files).encode()).hexdigest()


def open_transformers(argument: str | None, settings: Settings) -> TransformersNLI:
    """``transformers:NAME``; raises InputError without a name, ModelError when it cannot be loaded."""
    if argument is None:
        raise InputError("name a model, e.g. transformers:facebook/bart-large-mnli")
    return TransformersNLI(argument, threads=settings.models.threads)
