"""How well the inference that adjudicates answers agrees with labelled data: FEVER's verdicts, RAMDocs' passages.

FEVER: does the gold evidence support or refute the claim? RAMDocs: does a passage state the correct answer? A passage
labelled correct should entail it, one labelled misinformation should not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragstone.backends.entailment import Entailed, Entailment
from ragstone.datasets import load_dataset
from ragstone.datasets.samples import Sample
from ragstone.errors import InputError
from ragstone.experiments.sweep.agreement import Agreement, agreement_of
from ragstone.experiments.sweep.outcomes import THRESHOLD
from ragstone.text.claims import contextual_claim

__all__ = ["VALIDATIONS", "validate_judge"]


@dataclass(frozen=True, slots=True)
class _Item:
    premise: str
    hypothesis: str
    label: str


def validate_judge(
    name: str,
    entailment: Entailment,
    *,
    size: int,
    seed: int = 0,
    data: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Agreement:
    """Agreement of the labels of ``size`` items drawn from the data set ``name`` with the judge's.

    Raises InputError for an unknown name, a size below 1 or data that is not to be had; BackendError when the model
    fails.
    """
    if name not in VALIDATIONS:
        raise InputError(f"no validation on {name!r}; known: {', '.join(VALIDATIONS)}")
    if size < 1:
        raise InputError(f"a validation on {size} items; at least 1 is needed")
    read, items_of = VALIDATIONS[name]
    dataset = load_dataset(items_of, data=data)
    items = list(_items(name, dataset.samples))
    chosen = random.Random(f"{seed}:validation").sample(items, min(size, len(items)))
    given: dict[str, str] = {}
    judged: dict[str, str] = {}
    for number, item in enumerate(chosen):
        if progress is not None:
            progress(number + 1, len(chosen))
        given[str(number)] = item.label
        judged[str(number)] = read(entailment.judge([(item.premise, item.hypothesis)])[0])
    found = agreement_of((f"{name} labels", given), ("NLI judge", judged))
    if found is None:
        raise InputError(f"the data set {items_of!r} has no items to validate on")
    return found


def _items(name: str, samples: Sequence[Sample]) -> Iterator[_Item]:
    for sample in samples:
        if name == "fever":
            # The question ends with the claim, and the expected answer is the claim where the evidence supports it.
            claim = sample.question.partition("? ")[2]
            yield _Item(sample.document.text, claim, "SUPPORTS" if sample.expected == claim else "REFUTES")
        else:
            answer = contextual_claim(sample.question, sample.expected)
            for document in (sample.document, *sample.companions):
                yield _Item(document.text, answer, "states it")
            for document in sample.hostile:
                yield _Item(document.text, answer, "does not")


def _verdict(judged: Entailed) -> str:
    if judged.entailment > THRESHOLD:
        return "SUPPORTS"
    return "REFUTES" if judged.contradiction > THRESHOLD else "NOT ENOUGH INFO"


def _states(judged: Entailed) -> str:
    return "states it" if judged.entailment > THRESHOLD else "does not"


VALIDATIONS: dict[str, tuple[Callable[[Entailed], str], str]] = {
    "fever": (_verdict, "fever-evidence"),
    "ramdocs": (_states, "ramdocs"),
}
"""Name to how a judgement is read, and the data set it is of."""
