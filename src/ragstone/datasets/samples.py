"""What a data set gives: questions with their expected answers, each with the document that answers it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from ragstone.corpus import Document
from ragstone.errors import InputError

__all__ = ["ALL", "Dataset", "Sample", "hashed_split"]

ALL = "all"
_TUNE_SHARE = 0.4


@dataclass(frozen=True, slots=True)
class Sample:
    """A question, the answer expected to it, and the aligned document (paper 000, section IV).

    ``companions`` are further sound documents about the question. ``hostile`` are false ones that the data set itself
    brings along; they are no part of a clean corpus, and nothing in their ids or metadata tells them from the others.
    """

    id: str
    question: str
    expected: str
    document: Document
    split: str
    companions: tuple[Document, ...] = ()
    hostile: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """Samples in the order of the source; ``origin`` says which file they come from, with the start of its SHA-256."""

    name: str
    origin: str
    samples: tuple[Sample, ...]
    split: str = ALL

    @property
    def splits(self) -> dict[str, int]:
        """How many samples each split has, by first appearance."""
        counts: dict[str, int] = {}
        for sample in self.samples:
            counts[sample.split] = counts.get(sample.split, 0) + 1
        return counts

    def only(self, split: str) -> Dataset:
        """The samples of one split; ``all`` for every one. Raises InputError when there are none."""
        if split == ALL:
            return self
        chosen = tuple(sample for sample in self.samples if sample.split == split)
        if not chosen:
            known = ", ".join(f"{name} ({count})" for name, count in self.splits.items())
            raise InputError(f"data set {self.name!r} has no samples in split {split!r}; it has {known}, and {ALL}")
        return replace(self, samples=chosen, split=split)


def hashed_split(key: str) -> str:
    """``tune`` for two keys in five, else ``report``, by SHA-256: the same for a key in every file and version."""
    number = int.from_bytes(hashlib.sha256(key.encode("utf-8", errors="surrogatepass")).digest()[:8], "big")
    return "tune" if number / 2**64 < _TUNE_SHARE else "report"


Loader = Callable[..., Dataset]
"""``load(argument, data)``: the text after the colon of ``NAME:ARGUMENT``, and where the user says the data is."""
