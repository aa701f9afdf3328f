"""FEVER (Thorne et al., NAACL 2018): claims with a verdict and, in a third form, their gold evidence.

- ``fever``: enriched to question, verdict and claim, 30 to 40 words (paper 000, section IV);
- ``fever-bare``: the claim alone, which left most of the paper's factuality scores on their baseline;
- ``fever-evidence``: the question is the claim, the document is the gold evidence from Wikipedia.

Splits: ``paper`` is the first 50 rows of the shared-task development file, as paper 000 used them; the other claims are
split by hash, 40 % to ``tune``. The hub's file has another order, hence no ``paper``. Claims without a verdict (NOT
ENOUGH INFO) are left out, as are repetitions of a claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragstone.corpus import Document
from ragstone.datasets.samples import Dataset, Sample, hashed_split
from ragstone.datasets.sources import HubFile, Source, json_lines, origin_of, text_field
from ragstone.errors import InputError

__all__ = ["load_bare", "load_enriched", "load_evidence"]

SOURCE = Source(
    dataset="fever",
    places=("fever/fever_dev.jsonl.gz", "fever/fever_dev.jsonl", "fever_dev.jsonl.gz", "fever_dev.jsonl"),
    advice="Put fever_dev.jsonl(.gz), one object a line with 'claim', 'label' and 'evidence' (its text), into a folder "
    "and name that folder by --data or RAGSTONE_DATA; https://fever.ai/dataset/fever.html is FEVER's home.",
    hub=HubFile(
        "copenlu/fever_gold_evidence",
        "a6b8d891d393e97a4efac791afffb2d7de5e57c6",
        "valid.jsonl",
        "5da0ccc0ccf77f974611de13f8aac6f78c6bba6293912835099eb6029baa85d9",
    ),
)
_PAPER = 50
_VERDICTS = {"SUPPORTS": "The claim is supported by evidence.", "REFUTES": "The claim is refuted by evidence."}
_NO_VERDICT = "NOT ENOUGH INFO"
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
_BEFORE_MARK = re.compile(r"\s+(?=[,.;:!?%)\]}])|(?<=[(\[{])\s+|\s+(?='s\b|n't\b)")
_QUOTED = re.compile(r'"\s+([^"]*?)\s+"')


def load_enriched(argument: str | None = None, data: str | Path | None = None) -> Dataset:
    """Documents of question, verdict and claim."""
    return _load("fever", data, lambda row: f"{_question(row)} {_verdict(row)}", _verdict)


def load_bare(argument: str | None = None, data: str | Path | None = None) -> Dataset:
    """Documents of 8 to 12 words: the claim, whether it is true or not."""
    return _load("fever-bare", data, lambda row: str(row["claim"]), _verdict)


def load_evidence(argument: str | None = None, data: str | Path | None = None) -> Dataset:
    """Documents of gold evidence, from which the verdict has to be found."""
    return _load("fever-evidence", data, lambda row: detokenised(str(row["evidence"])), _statement)


Reader = Callable[[dict[str, Any]], str]


def _load(name: str, data: str | Path | None, text_of: Reader, answer_of: Reader) -> Dataset:
    path = SOURCE.locate(data)
    samples: list[Sample] = []
    seen: set[str] = set()
    for number, (place, row) in enumerate(json_lines(path), start=1):
        row = _checked(row, place)
        claim = row["claim"]
        if row["label"] == _NO_VERDICT or claim in seen:
            continue
        seen.add(claim)
        split = "paper" if number <= _PAPER and not row["from_hub"] else hashed_split(claim)
        identifier = f"fever-{number:05d}"
        samples.append(Sample(identifier, _question(row), answer_of(row), Document(identifier, text_of(row)), split))
    return Dataset(name, origin_of([path]), tuple(samples))


def _checked(row: dict[str, Any], place: str) -> dict[str, Any]:
    claim, label = text_field(row, place, "claim").strip(), row.get("label")
    if label not in (*_VERDICTS, _NO_VERDICT):
        raise InputError(f"{place}: 'label' must be {', '.join(_VERDICTS)} or {_NO_VERDICT}, got {label!r}")
    evidence = row.get("evidence", "")
    from_hub = isinstance(evidence, list)
    if from_hub:
        evidence = " ".join(str(item[2]) for item in evidence if isinstance(item, list) and len(item) > 2)
    if label != _NO_VERDICT and (not isinstance(evidence, str) or not evidence.strip()):
        raise InputError(f"{place}: 'evidence' must be the text of the evidence, got {evidence!r}")
    return {"claim": claim, "label": label, "evidence": evidence, "from_hub": from_hub}


def _question(row: dict[str, Any]) -> str:
    return f"Is the following claim true or false? {row['claim']}"


def _verdict(row: dict[str, Any]) -> str:
    return f"{_VERDICTS[row['label']]} {row['claim']}"


def _statement(row: dict[str, Any]) -> str:
    """What holds by the evidence, as an answer that speaks of nothing but the claim."""
    return str(row["claim"]) if row["label"] == "SUPPORTS" else f"It is false that {row['claim']}"


def detokenised(text: str) -> str:
    """Treebank tokens as running text: brackets, quotes, and no blank before a mark."""
    words = " ".join(_BRACKETS.get(word, word) for word in text.split())
    return _BEFORE_MARK.sub("", _QUOTED.sub(r'"\1"', words))
