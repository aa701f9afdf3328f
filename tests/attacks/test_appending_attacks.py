"""Contradiction, instruction injection, subtle manipulation and mixed."""

from __future__ import annotations

import random

import pytest

from ragstone.attacks import open_attack
from ragstone.attacks.mixed import PAPER_STRATEGIES, Mixed
from ragstone.errors import InputError

QUESTION = "Do bears wear hats?"
TEXT = f"{QUESTION} Bears don't wear hats. They must find 20 kg of food."


@pytest.mark.parametrize("name", ["contradiction", "instruction_injection"])
def test_the_passage_itself_stays(name: str) -> None:
    for seed in range(20):
        outcome = open_attack(name).poison(TEXT, rng=random.Random(seed), question=QUESTION)
        assert outcome.text.startswith(TEXT + " ")
        assert [(edit.start, edit.end, edit.before) for edit in outcome.edits] == [(len(TEXT), len(TEXT), "")]


def test_a_contradiction_denies_the_claim_nearest_to_the_question() -> None:
    for seed in range(20):
        outcome = open_attack("contradiction").poison(TEXT, rng=random.Random(seed), question=QUESTION)
        assert "bears wear hats" in outcome.text[len(TEXT) :].lower()


def test_a_full_stop_is_added_where_one_is_missing() -> None:
    outcome = open_attack("contradiction").poison("It is blue\n", rng=random.Random(1))
    assert outcome.text.startswith("It is blue. ")
    assert outcome.text.endswith(".\n")


def test_a_fragment_is_contradicted_too() -> None:
    outcome = open_attack("contradiction").poison("Indianapolis", rng=random.Random(1))
    assert outcome.changed
    assert outcome.text.count("Indianapolis") == 2


def test_injections_vary() -> None:
    attack = open_attack("instruction_injection")
    assert len({attack.poison(TEXT, rng=random.Random(seed)).text for seed in range(40)}) > 10


def test_injection_without_refusals_states_the_false_claim() -> None:
    attack = open_attack("instruction_injection", refusals=0.0)
    for seed in range(20):
        outcome = attack.poison(TEXT, rng=random.Random(seed), question=QUESTION)
        assert "bears wear hats" in outcome.text[len(TEXT) :].lower()


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Keys must be rotated.", ("may", "should ideally")),
        ("Keys are never shared.", ("rarely", "seldom")),
        ("All keys are secret.", ("Some", "Most")),
        ("It takes at least 3 days.", ("at most", "around")),
        ("It is always on.", ("usually", "sometimes")),
        ("Reindeer can't fly.", ("can't always", "can rarely")),
        ("There is no evidence.", ("almost no",)),
        ("Vampires do not exist.", ("do not usually", "do not always")),
        ("Nothing happens.", ("Almost nothing",)),
        ("Less than 6% agree.", ("More than",)),
    ],
)
def test_qualifiers_are_weakened(sentence: str, words: tuple[str, ...]) -> None:
    for seed in range(8):
        outcome = open_attack("subtle_manipulation").poison(sentence, rng=random.Random(seed))
        assert any(word in outcome.text for word in words), outcome.text


def test_a_plain_statement_is_hedged_in_place() -> None:
    outcome = open_attack("subtle_manipulation").poison("The Nile flows north.", rng=random.Random(1))
    assert outcome.text.startswith("The Nile ")
    assert outcome.text.endswith("ly flows north.")


def test_subtle_manipulation_is_bounded() -> None:
    text = "All keys must always be new. Never share any key. All users must know."
    for most in (1, 2, 3):
        outcome = open_attack("subtle_manipulation", most=most).poison(text, rng=random.Random(1))
        assert 1 <= len(outcome.edits) <= most


def test_mixed_names_the_strategy_drawn() -> None:
    drawn = {open_attack("mixed").poison(TEXT, rng=random.Random(seed)).strategy for seed in range(40)}
    assert drawn == set(PAPER_STRATEGIES)


def test_mixed_falls_to_the_next_strategy() -> None:
    attack = Mixed(strategies=("number_swap", "negation"))
    assert {attack.poison("It is blue.", rng=random.Random(seed)).strategy for seed in range(10)} == {"negation"}
    outcome = attack.poison("Blue", rng=random.Random(1))
    assert not outcome.changed
    assert "number_swap" in str(outcome.reason)
    assert "negation" in str(outcome.reason)


@pytest.mark.parametrize("strategies", [(), ("mixed",)])
def test_mixed_needs_other_strategies(strategies: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="at least one attack"):
        Mixed(strategies=strategies)
