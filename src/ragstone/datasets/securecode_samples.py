"""The 40 secure-coding rules as a data set: each rule answers its own question (paper 000, section V-G).

There are too few rules to set some apart, so all are in the split ``paper``; nothing may be tuned on them.
"""

from __future__ import annotations

from pathlib import Path

from ragstone.corpus import Document
from ragstone.datasets.samples import Dataset, Sample
from ragstone.datasets.securecode import load_rules

__all__ = ["load"]


def load(argument: str | None = None, data: str | Path | None = None) -> Dataset:
    """All rules; they ship with the package, so ``data`` is not looked at."""
    samples = []
    for rule in load_rules():
        question = rule.title or ""
        # A bare document: category and references would stand beside the clean and the poisoned text alike.
        document = Document(rule.id, rule.text)
        samples.append(Sample(rule.id, question, rule.text.removeprefix(question).strip(), document, "paper"))
    return Dataset("securecode", "shipped with Ragstone", tuple(samples))
