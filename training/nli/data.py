"""The training mixture: human pairs, part of the weak pairs, and pairs made by ``pairs.make``.

Reads ``nli/train.jsonl.gz``, ``nli/train_weak.jsonl.gz`` (keys premise, hypothesis, label, source).
Dev files are never read here.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path

LABELS = ("entailment", "neutral", "contradiction")
WEAK_SHARE = {"inli": 0.45, "conjnli": 0.5, "monli": 1.0, "help_mono": 0.12, "semantic_fragments": 0.25}
SKIP = {"nli4ct"}  # tables of whole trials, 170 words and more: no window of them holds the answer
SYNTHETIC = 42_000
HELD_OUT = 3_000  # from the human pairs, for the temperature only
WINDOW_WORDS = 75
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"(])")


def read(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def window(premise: str, hypothesis: str) -> str:
    """The run of sentences of at most WINDOW_WORDS words that shares most words with the hypothesis."""
    if len(premise.split()) <= WINDOW_WORDS:
        return premise
    sentences = SENTENCE.split(premise)
    wanted = {w.lower().strip(".,;:()") for w in hypothesis.split() if len(w) > 3}
    best, best_score = premise, -1.0
    for i in range(len(sentences)):
        run: list[str] = []
        for sentence in sentences[i:]:
            if run and sum(len(s.split()) for s in run) + len(sentence.split()) > WINDOW_WORDS:
                break
            run.append(sentence)
        words = {w.lower().strip(".,;:()") for s in run for w in s.split()}
        if (score := len(wanted & words)) > best_score:
            best, best_score = " ".join(run), score
    return best


def mixture(folder: Path, seed: int = 42) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """(training pairs, held-out pairs), deterministic for a seed."""
    rng = random.Random(seed)
    human = [r for r in read(folder / "train.jsonl.gz") if r["source"] not in SKIP]
    for row in human:
        row["premise"] = window(row["premise"], row["hypothesis"])
    rng.shuffle(human)
    held, human = human[:HELD_OUT], human[HELD_OUT:]
    weak = [r for r in read(folder / "train_weak.jsonl.gz") if rng.random() < WEAK_SHARE.get(r["source"], 0)]
    from pairs import make

    sentences = [s for r in human for s in SENTENCE.split(r["premise"])]
    captions = [r["premise"] for r in human if r["source"] == "cad_nli"]
    rows = human + weak + list(make(sentences, SYNTHETIC, seed, captions))
    rng.shuffle(rows)
    return rows, held
