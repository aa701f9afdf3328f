"""PoisonedRAG (Zou et al., USENIX Security 2025): questions with five crafted passages each that state a wrong answer.

Two files: the crafted passages, and contexts that hold sound passages for the same questions. A sample's document is
the first sound passage that contains the right answer, the other sound ones are companions; questions for which
none contains it are left out. The attack's own files have no sound passages, which come from BEIR's corpora. Splits by
hash of the question, 40 % to ``tune``.
"""

from __future__ import annotations

from pathlib import Path

from ragstone.corpus import Document
from ragstone.datasets.samples import Dataset, Sample, hashed_split
from ragstone.datasets.sources import Source, json_lines, origin_of, text_field
from ragstone.errors import InputError

__all__ = ["load"]

_ADVICE = (
    "It needs poisonedrag_nq_msmarco.jsonl(.gz) ('qid', 'question', 'text', 'gold', 'wrong' on each line, from "
    "results/adv_targeted_results of https://github.com/sleeepeer/PoisonedRAG) and contexts.jsonl(.gz) ('query', "
    "'correct_answer', 'docs' with 'text' and 'poisoned') in one folder, named by --data or RAGSTONE_DATA."
)
CRAFTED = Source(
    "poisonedrag",
    ("poisonedrag/poisonedrag_nq_msmarco.jsonl.gz", "poisonedrag/poisonedrag_nq_msmarco.jsonl"),
    _ADVICE,
)
CONTEXTS = Source("poisonedrag", ("poisonedrag/contexts.jsonl.gz", "poisonedrag/contexts.jsonl"), _ADVICE)


def load(argument: str | None = None, data: str | Path | None = None) -> Dataset:
    """All questions with a sound passage that answers them."""
    crafted_path, contexts_path = CRAFTED.locate(data), CONTEXTS.locate(data)
    crafted: dict[str, list[str]] = {}
    gold: dict[str, str] = {}
    for place, row in json_lines(crafted_path):
        question = text_field(row, place, "question").strip()
        gold.setdefault(question, text_field(row, place, "gold"))
        crafted.setdefault(question, []).append(text_field(row, place, "text").strip())
    sound = _sound_passages(contexts_path)
    samples = [
        sample
        for number, (question, texts) in enumerate(crafted.items(), start=1)
        if (sample := _sample(number, question, gold[question], sound.get(question, []), texts)) is not None
    ]
    return Dataset("poisonedrag", origin_of([crafted_path, contexts_path]), tuple(samples))


def _sound_passages(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for place, row in json_lines(path):
        documents = row.get("docs")
        if not isinstance(documents, list) or not all(isinstance(item, dict) for item in documents):
            raise InputError(f"{place}: 'docs' must be a list of objects with 'text' and 'poisoned'")
        passages = found.setdefault(text_field(row, place, "query").strip(), [])
        passages += [text_field(item, place, "text").strip() for item in documents if not item.get("poisoned")]
    return found


def _sample(number: int, question: str, gold: str, sound: list[str], crafted: list[str]) -> Sample | None:
    texts = list(dict.fromkeys(sound))
    answering = next((text for text in texts if gold.lower() in text.lower()), None)
    if answering is None:
        return None
    others = [text for text in texts if text != answering]
    documents = [Document(f"poisonedrag-{number:03d}-{i}", t) for i, t in enumerate([answering, *others, *crafted])]
    border = 1 + len(others)
    return Sample(
        id=f"poisonedrag-{number:03d}",
        question=question,
        expected=gold,
        document=documents[0],
        split=hashed_split(question),
        companions=tuple(documents[1:border]),
        hostile=tuple(documents[border:]),
    )
