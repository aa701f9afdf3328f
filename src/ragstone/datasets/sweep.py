"""What the robustness sweep asks, and of which corpus: queries and documents together (paper 001, section II-E).

    built-in   ten rich passages and 110 sentences, which come along
    fever      the ten passages, and every sentence of FEVER's development evidence
    ramdocs    another corpus with its own questions: the sound passages of RAMDocs
    PATH       a file or folder of one's own

A document's ``source`` says where it was published; the built-in ones come from invented publications.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from ragstone.corpus import Document, read_corpus
from ragstone.datasets import load_dataset
from ragstone.datasets.samples import Sample
from ragstone.datasets.sources import json_lines
from ragstone.datasets.sweep_queries import BUILT_IN, QueryType, SweepQuery, load_queries, load_unanswerable
from ragstone.errors import InputError
from ragstone.text.dates import find_dates
from ragstone.text.entities import EntityKind, find_entities
from ragstone.text.quantities import find_quantities
from ragstone.text.sentences import sentences

__all__ = ["SweepSet", "load_evidence", "load_passages", "load_sweep_set"]

SLOTS = 49
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class SweepSet:
    """Queries by slot and the corpus they are asked of; ``origin`` says where it all comes from.

    ``unanswerable`` are questions that the corpus does not answer; none where nobody knows such.
    """

    name: str
    origin: str
    queries: tuple[SweepQuery, ...]
    documents: tuple[Document, ...]
    unanswerable: tuple[str, ...] = ()


def load_sweep_set(corpus: str = BUILT_IN, queries: str = BUILT_IN, data: str | Path | None = None) -> SweepSet:
    """The documents of ``corpus`` with the queries of the file ``queries``.

    ``data`` is where public data sets are looked for, by default ``RAGSTONE_DATA``. With ``ramdocs`` and no file of
    queries, the first 49 questions of RAMDocs are asked. Raises InputError for what cannot be found or read.
    """
    if corpus == "ramdocs":
        return _ramdocs(queries, data)
    asked = load_queries(queries)
    if corpus == BUILT_IN:
        unanswerable = load_unanswerable()
        return SweepSet(corpus, "ragstone", asked, (*load_passages(), *load_evidence()), unanswerable)
    if corpus == "fever":
        dataset = load_dataset("fever-evidence", data=data)
        documents = (*load_passages(), *_fever_sentences(dataset.samples))
        return SweepSet(corpus, dataset.origin, asked, documents, load_unanswerable())
    documents = tuple(read_corpus(corpus))
    if not documents:
        raise InputError(f"{corpus} holds no documents; known corpora: {BUILT_IN}, fever, ramdocs, or a path")
    return SweepSet(Path(corpus).name, str(corpus), asked, documents)


def load_passages() -> tuple[Document, ...]:
    """The ten information-rich passages."""
    return tuple(_shipped("passages.jsonl"))


def load_evidence() -> tuple[Document, ...]:
    """110 sentences: 60 restate facts of the ten passages, 50 are about their neighbours."""
    return tuple(_shipped("evidence.jsonl"))


def _shipped(name: str) -> Iterator[Document]:
    with as_file(files("ragstone").joinpath("data", "sweep", name)) as path:
        for _, row in json_lines(path):
            yield Document(row["id"], row["text"], row.get("title"), row["source"])


def _fever_sentences(samples: Sequence[Sample]) -> Iterator[Document]:
    """Distinct sentences; one that only names a thing is too short to be evidence."""
    texts = dict.fromkeys(sample.document.text for sample in samples)
    seen: set[str] = set()
    for number, text in enumerate(texts, start=1):
        for position, span in enumerate(sentences(text), start=1):
            if span.text not in seen and len(span.text.split()) >= _FEWEST_WORDS:
                seen.add(span.text)
                yield Document(f"fever-{number:04d}-{position:02d}", span.text, source=f"fever-{number:04d}")


def _ramdocs(queries: str, data: str | Path | None) -> SweepSet:
    dataset = load_dataset("ramdocs", data=data)
    by_text = {d.text: d for sample in dataset.samples for d in (sample.document, *sample.companions)}
    documents = tuple(Document(d.id, d.text, source=d.id) for d in by_text.values())
    if queries != BUILT_IN:
        return SweepSet("ramdocs", dataset.origin, load_queries(queries), documents)
    asked = tuple(_ramdocs_query(slot, sample) for slot, sample in enumerate(dataset.samples[:SLOTS], start=1))
    return SweepSet("ramdocs", dataset.origin, asked, documents)


def _ramdocs_query(slot: int, sample: Sample) -> SweepQuery:
    return SweepQuery(
        slot=slot,
        id=sample.id,
        question=sample.question,
        type=_type_of(sample.expected),
        keyword=sample.expected,
        references=(sample.expected,),
        claim=f"{sample.question} {sample.expected.rstrip('.')}.",
        gold=sample.document.id,
    )


def _type_of(answer: str) -> QueryType:
    if find_dates(answer):
        return "date"
    if find_quantities(answer):
        return "count"
    kinds = {entity.kind for entity in find_entities(answer)}
    if EntityKind.PERSON in kinds:
        return "person"
    return "place" if EntityKind.PLACE in kinds else "other"
