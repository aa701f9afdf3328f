"""RAMDocs (Wang et al., 2025): retrieved passages with conflicting answers, some of them misinformation.

A sample's document is the first passage that supports a correct answer, its other correct passages are companions,
and passages labelled misinformation are its hostile ones. Passages labelled noise are left out: some of them state a
wrong answer. Questions without a correct passage are left out too. Splits by hash of the question, 40 % to ``tune``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragstone.corpus import Document
from ragstone.datasets.samples import Dataset, Sample, hashed_split
from ragstone.datasets.sources import HubFile, Source, json_lines, origin_of, text_field
from ragstone.errors import InputError

__all__ = ["load"]

SOURCE = Source(
    dataset="ramdocs",
    places=("conflicts/ramdocs.jsonl.gz", "conflicts/ramdocs.jsonl", "ramdocs.jsonl.gz", "RAMDocs_test.jsonl"),
    advice="Put RAMDocs_test.jsonl of https://huggingface.co/datasets/HanNight/RAMDocs into a folder and name that "
    "folder by --data or RAGSTONE_DATA.",
    hub=HubFile(
        "HanNight/RAMDocs",
        "9c041bfd158c603b615883d9a931b00cbc141494",
        "RAMDocs_test.jsonl",
        "c67f699c97349f00cf1bd08d1dbf8ca1d0cc38c306715c93a10a4f961dcf28b7",
    ),
)
_LABELS = ("correct", "misinfo", "noise")


def load(argument: str | None = None, data: str | Path | None = None) -> Dataset:
    """All questions that have a correct passage."""
    path = SOURCE.locate(data)
    questions: dict[str, list[tuple[str, str]]] = {}
    expected: dict[str, str] = {}
    for place, row in json_lines(path):
        question = text_field(row, place, "question").strip()
        expected.setdefault(question, _gold(row, place))
        questions.setdefault(question, []).extend(_passages(row, place))
    samples = [_sample(n, q, expected[q], passages) for n, (q, passages) in enumerate(questions.items(), start=1)]
    return Dataset("ramdocs", origin_of([path]), tuple(sample for sample in samples if sample is not None))


def _passages(row: dict[str, Any], place: str) -> list[tuple[str, str]]:
    """(text, label) of a row: one passage a line, or all of a question under ``documents`` as the hub has them."""
    documents = row.get("documents")
    if documents is None:
        return [(text_field(row, place, "text").strip(), _label(row.get("label"), place))]
    if not isinstance(documents, list) or not all(isinstance(item, dict) for item in documents):
        raise InputError(f"{place}: 'documents' must be a list of objects with 'text' and 'type'")
    return [(text_field(item, place, "text").strip(), _label(item.get("type"), place)) for item in documents]


def _label(value: Any, place: str) -> str:
    if value not in _LABELS:
        raise InputError(f"{place}: a passage is labelled {', '.join(_LABELS)}, got {value!r}")
    return str(value)


def _gold(row: dict[str, Any], place: str) -> str:
    answers = row.get("gold", row.get("gold_answers"))
    if not isinstance(answers, list) or not answers or not isinstance(answers[0], str):
        raise InputError(f"{place}: expected a list of correct answers under 'gold' or 'gold_answers', got {answers!r}")
    return answers[0]


def _sample(number: int, question: str, expected: str, passages: list[tuple[str, str]]) -> Sample | None:
    documents: dict[str, list[Document]] = {label: [] for label in _LABELS}
    for position, (text, label) in enumerate(dict.fromkeys(passages)):
        documents[label].append(Document(f"ramdocs-{number:03d}-{position:02d}", text))
    correct = documents["correct"]
    if not correct:
        return None
    return Sample(
        id=f"ramdocs-{number:03d}",
        question=question,
        expected=expected,
        document=correct[0],
        split=hashed_split(question),
        companions=tuple(correct[1:]),
        hostile=tuple(documents["misinfo"]),
    )
