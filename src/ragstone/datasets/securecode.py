"""The secure-coding knowledge base: 40 rules over the OWASP Top 10 (2021) and CWE (paper 000, section V-G).

It exists twice: clean, and with 30 % of its rules poisoned. Both give documents of the same ids, sources and metadata,
so that only the text can give a poisoned rule away; what was changed is told by :func:`load_poison_labels` alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any

from ragstone.corpus import Document

__all__ = [
    "DemoQuestion",
    "Edit",
    "PoisonLabel",
    "Strategy",
    "demo_questions",
    "load_poison_labels",
    "load_poisoned",
    "load_rules",
]


class Strategy(StrEnum):
    """How a rule was poisoned."""

    INSTRUCTION_INJECTION = "instruction_injection"
    CONTRADICTION = "contradiction"
    ENTITY_SWAP = "entity_swap"
    SUBTLE_MANIPULATION = "subtle_manipulation"


@dataclass(frozen=True, slots=True)
class Edit:
    """One change. ``start`` and ``end`` span ``replacement`` in the poisoned document's text.

    ``original`` is the clean wording, empty where text was only added.
    """

    start: int
    end: int
    original: str
    replacement: str


@dataclass(frozen=True, slots=True)
class PoisonLabel:
    """What was done to one rule; ``edits`` are in text order and do not overlap."""

    id: str
    strategy: Strategy
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question and the id of the rule that answers it."""

    question: str
    rule_id: str


def load_rules() -> list[Document]:
    """The 40 clean rules, ids ``sc-01`` to ``sc-40``; a document's text is the question, a space, the answer."""
    return [_document(rule, rule["answer"]) for rule in _lines("rules.jsonl")]


def load_poisoned() -> list[Document]:
    """The same 40 rules in the same order, 12 of them poisoned; :func:`load_poison_labels` tells which."""
    poisoned = {line["id"]: line["answer"] for line in _lines("poisoned.jsonl")}
    return [_document(rule, poisoned.get(rule["id"], rule["answer"])) for rule in _lines("rules.jsonl")]


def load_poison_labels() -> list[PoisonLabel]:
    """One label for each poisoned rule. Spans count characters of ``load_poisoned()``'s text, question included."""
    offsets = {rule["id"]: len(rule["question"]) + 1 for rule in _lines("rules.jsonl")}
    return [
        PoisonLabel(
            id=line["id"],
            strategy=Strategy(line["strategy"]),
            edits=tuple(_edit(edit, offsets[line["id"]]) for edit in line["edits"]),
        )
        for line in _lines("poisoned_labels.jsonl")
    ]


def demo_questions() -> list[DemoQuestion]:
    """Questions whose best rule is a poisoned one in :func:`load_poisoned` and a clean one in :func:`load_rules`."""
    return [DemoQuestion(item["question"], item["rule"]) for item in json.loads(_read("demo.json"))]


def _document(rule: dict[str, Any], answer: str) -> Document:
    return Document(
        id=rule["id"],
        text=f"{rule['question']} {answer}",
        title=rule["question"],
        source=f"{rule['category']} ({', '.join(rule['references'])})",
        metadata={"category": rule["category"], "references": rule["references"]},
    )


def _edit(edit: dict[str, Any], offset: int) -> Edit:
    return Edit(edit["start"] + offset, edit["end"] + offset, edit["from"], edit["to"])


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _read(name).splitlines()]


def _read(name: str) -> str:
    return files("ragstone").joinpath("data", "securecode", name).read_text(encoding="utf-8")
