"""The judge against labelled data: a perfect one agrees, one that always entails does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fakes import TableNLI
from ragstone.backends.entailment import Entailment
from ragstone.datasets import load_dataset
from ragstone.errors import InputError
from ragstone.experiments.sweep.validation import validate_judge

Judge = Callable[[str, str], tuple[float, float, float]]


def judged(judge: Judge) -> Entailment:
    return Entailment(TableNLI(judge))


def test_a_judge_that_knows_the_labels_agrees_with_all_of_them() -> None:
    supported = {
        sample.document.text
        for sample in load_dataset("fever-evidence", data="samples").samples
        if not sample.expected.startswith("It is false")
    }
    perfect = judged(lambda p, h: (0.9, 0.1, 0.0) if p in supported else (0.0, 0.1, 0.9))
    found = validate_judge("fever", perfect, size=100, data="samples")
    assert (found.agreement, found.kappa) == (1.0, 1.0)
    assert set(found.confusion) == {("SUPPORTS", "SUPPORTS"), ("REFUTES", "REFUTES")}


def test_a_judge_that_always_entails_agrees_by_chance_only() -> None:
    found = validate_judge("ramdocs", judged(lambda p, h: (0.9, 0.1, 0.0)), size=100, data="samples")
    assert found.kappa == pytest.approx(0.0)
    assert 0.0 < found.agreement < 1.0


def test_the_sample_is_bounded_and_seeded() -> None:
    nli = TableNLI(lambda p, h: (0.1, 0.8, 0.1))
    found = validate_judge("fever", Entailment(nli), size=3, seed=1, data="samples")
    again = TableNLI(lambda p, h: (0.1, 0.8, 0.1))
    validate_judge("fever", Entailment(again), size=3, seed=1, data="samples")
    assert found.items == 3
    assert nli.calls == again.calls


@pytest.mark.parametrize(
    ("name", "size", "message"), [("snli", 5, "known: fever, ramdocs"), ("fever", 0, "at least 1")]
)
def test_what_cannot_be_validated(name: str, size: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        validate_judge(name, judged(lambda p, h: (1.0, 0.0, 0.0)), size=size, data="samples")


def test_the_shared_task_evidence_has_both_verdicts() -> None:
    samples = load_dataset("fever-evidence", data="samples").samples
    supported = [sample.question.endswith(f"? {sample.expected}") for sample in samples]
    assert 0 < sum(supported) < len(supported)
