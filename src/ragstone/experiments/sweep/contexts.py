"""Retrieval, once for each query and setting: both answers of every pair are given from these very passages.

The passages are written to the run folder before the first answer, and read from there when a sweep is resumed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ragstone.errors import InputError
from ragstone.experiments.append_log import read_log
from ragstone.types import Passage

__all__ = [
    "CONTEXTS",
    "ContextKey",
    "Contexts",
    "diversified",
    "read_contexts",
    "retrieve_contexts",
    "source_of",
    "write_contexts",
]

CONTEXTS = "contexts.jsonl"
# Enough candidates to fill k passages from different sources when a few sources dominate the top.
_CANDIDATES = 10


class Searcher(Protocol):
    """What is asked for passages; :class:`ragstone.Retriever` is one."""

    def search(self, question: str, k: int | None = None) -> tuple[Passage, ...]: ...


@dataclass(frozen=True, slots=True, order=True)
class ContextKey:
    """A question, how many passages were wanted, and whether from different sources."""

    question: str
    k: int
    diverse: bool


Contexts = Mapping[ContextKey, tuple[Passage, ...]]


def retrieve_contexts(keys: Iterable[ContextKey], searcher: Searcher, done: Callable[[], None]) -> Contexts:
    """The passages of each key, best first; ``done`` is called after each question."""
    contexts: dict[ContextKey, tuple[Passage, ...]] = {}
    for key in keys:
        if key.diverse:
            contexts[key] = diversified(searcher.search(key.question, key.k * _CANDIDATES), key.k)
        else:
            contexts[key] = searcher.search(key.question, key.k)
        done()
    return contexts


def diversified(ranked: Sequence[Passage], k: int) -> tuple[Passage, ...]:
    """The best ``k`` when every source gives one passage before any gives another, in order of rank."""
    given: dict[str, int] = {}
    turns: list[tuple[int, int]] = []
    for position, passage in enumerate(ranked):
        turn = given.get(source_of(passage), 0)
        given[source_of(passage)] = turn + 1
        turns.append((turn, position))
    return tuple(ranked[position] for position in sorted(position for _, position in sorted(turns)[:k]))


def source_of(passage: Passage) -> str:
    """Where a passage comes from; its document where that is not told."""
    return passage.source or str(passage.metadata.get("document_id", passage.id))


def write_contexts(folder: Path, contexts: Contexts) -> None:
    """All of them or none."""
    lines = [json.dumps(_row(key, passages), ensure_ascii=False) + "\n" for key, passages in contexts.items()]
    temporary = folder / f"{CONTEXTS}.part"
    with temporary.open("w", encoding="utf-8", errors="replace") as stream:
        stream.writelines(lines)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(temporary, folder / CONTEXTS)


def read_contexts(folder: Path) -> Contexts:
    """What :func:`write_contexts` wrote; empty where it has not. Raises InputError for a line that is no context."""
    contexts: dict[ContextKey, tuple[Passage, ...]] = {}
    for place, row in read_log(folder / CONTEXTS):
        try:
            key = ContextKey(row["question"], row["k"], row["diverse"])
            contexts[key] = tuple(_passage(rank, item) for rank, item in enumerate(row["passages"], start=1))
        except (KeyError, TypeError) as error:
            raise InputError(f"{place}: not a retrieved context ({error}); the file was changed by hand") from error
    return contexts


def _row(key: ContextKey, passages: Sequence[Passage]) -> dict[str, Any]:
    found = [
        {"id": p.id, "text": p.text, "source": source_of(p), "score": None if p.score is None else round(p.score, 6)}
        for p in passages
    ]
    return {"question": key.question, "k": key.k, "diverse": key.diverse, "passages": found}


def _passage(rank: int, item: Mapping[str, Any]) -> Passage:
    return Passage(item["id"], item["text"], item["source"], item["score"], rank)
