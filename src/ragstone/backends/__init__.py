"""Backends by name: one table for each kind, resolved when first asked for.

A name is ``NAME`` or ``NAME:ARGUMENT``, e.g. ``minilm``, ``openai:llama3.3:70b``, ``gguf:/models/llama.gguf``.
Each entry points at a function ``open(argument: str | None, settings: Settings)`` that returns the backend.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from ragstone.backends.protocols import NLI, Embedder, Generator
from ragstone.errors import InputError
from ragstone.settings import Settings

__all__ = ["EMBEDDERS", "GENERATORS", "NLI_MODELS", "open_embedder", "open_generator", "open_nli"]

EMBEDDERS = {
    "minilm": "ragstone.backends.embedders.minilm:open_minilm",
    "openai": "ragstone.backends.embedders.openai:open_openai",
    "sentence-transformers": "ragstone.backends.embedders.sentence_transformers:open_sentence_transformers",
}
NLI_MODELS = {
    "embedded": "ragstone.backends.nli.onnx:open_embedded",
    "onnx": "ragstone.backends.nli.onnx:open_onnx",
    "transformers": "ragstone.backends.nli.transformers:open_transformers",
}
GENERATORS = {
    "smollm2": "ragstone.backends.generators.llama:open_smollm2",
    "gguf": "ragstone.backends.generators.llama:open_gguf",
    "openai": "ragstone.backends.generators.openai:open_openai",
    "replay": "ragstone.backends.generators.replay:open_replay",
}


def open_embedder(name: str, settings: Settings | None = None) -> Embedder:
    """The embedder called ``name``; raises InputError for an unknown name."""
    return cast(Embedder, _open("embedder", EMBEDDERS, name, settings))


def open_nli(name: str, settings: Settings | None = None) -> NLI:
    """The NLI model called ``name``; raises InputError for an unknown name."""
    return cast(NLI, _open("NLI model", NLI_MODELS, name, settings))


def open_generator(name: str, settings: Settings | None = None) -> Generator:
    """The generator called ``name``; raises InputError for an unknown name."""
    return cast(Generator, _open("generator", GENERATORS, name, settings))


def _open(kind: str, table: dict[str, str], name: str, settings: Settings | None) -> Any:
    key, _, argument = name.partition(":")
    if key not in table:
        raise InputError(f"unknown {kind} {name!r}; known: {', '.join(sorted(table))} (also NAME:ARGUMENT)")
    module, _, function = table[key].partition(":")
    return getattr(import_module(module), function)(argument or None, settings or Settings())
