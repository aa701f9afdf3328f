"""The protocol of the detection benchmark (paper 000, section IV): which questions meet which corpus.

Part A asks N questions of the clean corpus; part B asks the same N of a corpus with a share of its documents poisoned,
paired by index. Beyond the paper, a control asks them of a corpus with as many documents edited without harm.
Every document has the same id in all corpora, so that only its text can give it away.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.attacks import ATTACKS, Attack, open_attack
from ragstone.attacks.corpus import poison_corpus
from ragstone.backends.protocols import Embedder
from ragstone.corpus import Document
from ragstone.datasets.samples import Dataset, Sample
from ragstone.errors import InputError
from ragstone.experiments.benign_edits import BenignEdit
from ragstone.experiments.detection_record import Part, record_key

__all__ = [
    "NATIVE",
    "CorpusArm",
    "Plan",
    "Task",
    "attack_options",
    "clean_arm",
    "control_arm",
    "poisoned_arm",
    "strategies_for",
]

NATIVE = "native"
"""The strategy that adds the data set's own hostile passages instead of editing documents."""

_GENERAL = ("instruction_injection", "contradiction", "subtle_manipulation", "entity_swap", "mixed")
_SECURE = tuple(f"secure_{name}" for name in _GENERAL)


@dataclass(frozen=True)
class CorpusArm:
    """One corpus and what was done to it. ``changed`` maps document ids to the strategy (or the kind of benign edit).

    ``applied`` maps the index of a sample to the strategy by which its own document was changed.
    """

    part: Part
    strategy: str
    documents: tuple[Document, ...]
    changed: Mapping[str, str]
    applied: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Task:
    """One question of one arm in one repeat."""

    arm: CorpusArm
    repeat: int
    index: int
    sample: Sample

    @property
    def key(self) -> str:
        return record_key(self.arm.part, self.arm.strategy, self.repeat, self.index)


@dataclass(frozen=True)
class Plan:
    """All that a run will ask. Part A is asked once a repeat and shared by the strategies: asked again, the same prompt
    and seed would give the same sample. The control is asked once."""

    samples: tuple[Sample, ...]
    clean: CorpusArm
    poisoned: tuple[CorpusArm, ...]
    control: CorpusArm | None
    repeats: int

    def tasks(self) -> Iterator[Task]:
        for repeat in range(self.repeats):
            yield from self._arm(self.clean, repeat)
            if self.control is not None and repeat == 0:
                yield from self._arm(self.control, repeat)
            for arm in self.poisoned:
                yield from self._arm(arm, repeat)

    def _arm(self, arm: CorpusArm, repeat: int) -> Iterator[Task]:
        for index, sample in enumerate(self.samples):
            yield Task(arm, repeat, index, sample)

    def __len__(self) -> int:
        return len(self.samples) * (self.repeats * (1 + len(self.poisoned)) + (self.control is not None))


def strategies_for(dataset: Dataset, wanted: str) -> tuple[str, ...]:
    """The strategies meant by ``all``, by one name or by several with commas.

    ``all``: the four of the paper and their mixture, in the versions of section V-G for the secure-coding rules, and
    ``native`` as well where the data set has hostile passages. Raises InputError for an unknown name.
    """
    has_native = any(sample.hostile for sample in dataset.samples)
    if wanted == "all":
        return (*(_SECURE if dataset.name == "securecode" else _GENERAL), *([NATIVE] if has_native else []))
    names = tuple(dict.fromkeys(name.strip() for name in wanted.split(",") if name.strip()))
    for name in names:
        if name == NATIVE and not has_native:
            raise InputError(
                f"data set {dataset.name!r} has no hostile passages of its own for the strategy {NATIVE!r}"
            )
        if name != NATIVE and name not in ATTACKS:
            raise InputError(f"unknown strategy {name!r}; known: all, {NATIVE}, {', '.join(sorted(ATTACKS))}")
    if not names:
        raise InputError("name at least one strategy, or all")
    return names


def clean_arm(samples: Sequence[Sample]) -> CorpusArm:
    """The corpus of part A: every sample's document, then its companions."""
    documents = [s.document for s in samples] + [companion for s in samples for companion in s.companions]
    return CorpusArm(Part.CLEAN, "none", tuple(documents), {}, {})


def poisoned_arm(
    samples: Sequence[Sample], strategy: str, *, share: float, seed: int, options: Mapping[str, Any] | None = None
) -> CorpusArm:
    """The corpus of part B: ``ceil(share * N)`` of the samples' documents poisoned; companions stay as they are.

    Where a strategy does not apply to a document another one is drawn, so that strategies meet equally many poisoned
    documents as far as they can. ``options`` go to the attack. Raises InputError when nothing could be poisoned.
    """
    if strategy == NATIVE:
        return _native_arm(samples, share, seed)
    arm = _edited(samples, open_attack(strategy, **(options or {})), Part.POISONED, strategy, share, seed)
    if share > 0 and not arm.applied:
        raise InputError(f"strategy {strategy!r} does not apply to any of the {len(samples)} documents")
    return arm


def control_arm(samples: Sequence[Sample], *, share: float, seed: int) -> CorpusArm:
    """The control: as many documents as in part B, edited without harm."""
    # Another seed than part B's: the control must not depend on which documents the attacks were given.
    return _edited(samples, BenignEdit(), Part.CONTROL, "benign", share, seed + 1)


def attack_options(strategy: str, embedder: Embedder) -> dict[str, Any]:
    """What an attack needs beside its name."""
    return {"embedder": embedder, "base": open_attack("mixed")} if strategy == "collision" else {}


def _edited(samples: Sequence[Sample], attack: Attack, part: Part, strategy: str, share: float, seed: int) -> CorpusArm:
    questions = {sample.document.id: sample.question for sample in samples}
    documents, labels = poison_corpus(
        [sample.document for sample in samples],
        attack,
        share,
        seed,
        question_of=lambda document: questions[document.id],
        fill=True,
    )
    changed = {label.id: label.strategy for label in labels if label.changed}
    applied = {index: changed[s.document.id] for index, s in enumerate(samples) if s.document.id in changed}
    companions = [companion for sample in samples for companion in sample.companions]
    return CorpusArm(part, strategy, (*documents, *companions), changed, applied)


def _native_arm(samples: Sequence[Sample], share: float, seed: int) -> CorpusArm:
    able = [index for index, sample in enumerate(samples) if sample.hostile]
    wanted = min(len(able), math.ceil(round(share * len(samples), 9)))
    chosen = sorted(random.Random(f"{seed}:native").sample(able, wanted))
    if share > 0 and not chosen:
        raise InputError("none of these samples has hostile passages")
    hostile = [document for index in chosen for document in samples[index].hostile]
    return CorpusArm(
        Part.POISONED,
        NATIVE,
        (*clean_arm(samples).documents, *hostile),
        {document.id: NATIVE for document in hostile},
        dict.fromkeys(chosen, NATIVE),
    )
