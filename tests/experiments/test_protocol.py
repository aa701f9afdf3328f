"""Corpora of the benchmark: which documents are poisoned, and that ids never tell."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.attacks.base import apply_edits
from ragstone.datasets import load_dataset
from ragstone.errors import InputError
from ragstone.experiments.benign_edits import KINDS, BenignEdit
from ragstone.experiments.protocol import NATIVE, clean_arm, control_arm, poisoned_arm, strategies_for

TRUTHFUL = load_dataset("truthfulqa", data="samples")
RAMDOCS = load_dataset("ramdocs", data="samples")


def test_all_means_the_strategies_of_the_paper_for_the_data_set() -> None:
    assert strategies_for(TRUTHFUL, "all") == (
        "instruction_injection",
        "contradiction",
        "subtle_manipulation",
        "entity_swap",
        "mixed",
    )
    assert strategies_for(RAMDOCS, "all")[-1] == NATIVE
    assert strategies_for(load_dataset("securecode"), "all")[-1] == "secure_mixed"
    assert strategies_for(TRUTHFUL, "negation, mixed,negation") == ("negation", "mixed")


@pytest.mark.parametrize(
    ("wanted", "message"), [("bribery", "known: all, native"), (NATIVE, "no hostile"), (" ,", "one")]
)
def test_strategies_that_cannot_be_run_are_named(wanted: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        strategies_for(TRUTHFUL, wanted)


@pytest.mark.parametrize("strategy", strategies_for(TRUTHFUL, "all"))
def test_three_in_ten_documents_are_poisoned_under_their_own_ids(strategy: str) -> None:
    clean = clean_arm(TRUTHFUL.samples)
    arm = poisoned_arm(TRUTHFUL.samples, strategy, share=0.3, seed=42)
    assert [d.id for d in arm.documents] == [d.id for d in clean.documents]
    changed = {b.id for a, b in zip(clean.documents, arm.documents, strict=True) if a.text != b.text}
    assert changed == set(arm.changed)
    assert len(changed) == 4
    assert {TRUTHFUL.samples[i].document.id for i in arm.applied} == changed
    assert arm == poisoned_arm(TRUTHFUL.samples, strategy, share=0.3, seed=42)


def test_native_adds_the_hostile_passages_and_changes_nothing_else() -> None:
    clean = clean_arm(RAMDOCS.samples)
    arm = poisoned_arm(RAMDOCS.samples, NATIVE, share=0.3, seed=42)
    assert arm.documents[: len(clean.documents)] == clean.documents
    added = arm.documents[len(clean.documents) :]
    assert {d.id for d in added} == set(arm.changed)
    assert len(arm.applied) == 2
    assert all(RAMDOCS.samples[index].hostile for index in arm.applied)


def test_companions_are_in_the_clean_corpus_and_hostile_passages_are_not() -> None:
    ids = {document.id for document in clean_arm(RAMDOCS.samples).documents}
    assert all(c.id in ids for sample in RAMDOCS.samples for c in sample.companions)
    assert not any(h.id in ids for sample in RAMDOCS.samples for h in sample.hostile)


def test_the_control_edits_as_many_documents_as_are_poisoned() -> None:
    arm = control_arm(TRUTHFUL.samples, share=0.3, seed=42)
    assert len(arm.applied) == 4
    assert set(arm.applied.values()) <= set(KINDS)


@given(text=st.text(max_size=200), seed=st.integers(0, 1000))
def test_benign_edits_of_any_text_are_what_they_say(text: str, seed: int) -> None:
    outcome = BenignEdit().poison(text, rng=random.Random(seed))
    assert outcome.changed == (outcome.text != text)
    assert apply_edits(text, outcome.edits) == outcome.text
    assert outcome.changed or outcome.reason


def test_a_benign_edit_keeps_the_statement() -> None:
    text = "How high is the tower? The tower is 31 metres high, because it was built in 1888."
    for seed in range(40):
        outcome = BenignEdit().poison(text, rng=random.Random(seed), question="How high is the tower?")
        assert "31 metres" in outcome.text
        assert "1888" in outcome.text
        assert outcome.text.startswith("How high is the tower?")
