"""Entity swap: the type is kept; the consistent mode moves a country with its cities and people."""

from __future__ import annotations

import random

import pytest

from ragstone.attacks import open_attack
from ragstone.text.entities import EntityKind, find_entities
from ragstone.text.gazetteer import gazetteer

ATTACK = open_attack("entity_swap")
CONSISTENT = open_attack("entity_swap", consistent=True)


@pytest.mark.parametrize(
    "name",
    [
        *("France", "Madrid", "Texas", "Jupiter", "Danish", "Danes", "NASA", "FIFA", "Epic Records", "Taylor Swift"),
        *("CWE-89", "TLS 1.2", "SHA-256", "AES-256-GCM", "Argon2id", "28 April 2014", "10.0.0.1", "SameSite=Lax"),
    ],
)
def test_type_is_kept(name: str) -> None:
    (before,) = find_entities(f"it was said that {name} mattered")
    for seed in range(15):
        outcome = ATTACK.poison(f"It was said that {name} mattered.", rng=random.Random(seed))
        assert outcome.changed
        (after,) = find_entities(outcome.text)
        assert (after.kind, after.key != before.key) == (before.kind, True), outcome.text
        if before.kind is not EntityKind.PERSON:
            assert after.subtype == before.subtype, outcome.text


def test_consistent_mode_moves_a_country_with_its_capital_and_people() -> None:
    text = "Paris is the capital of France. The French love Paris, and Lyon is a French city."
    for seed in range(20):
        outcome = CONSISTENT.poison(text, rng=random.Random(seed))
        places = {entity.within for entity in find_entities(outcome.text)}
        assert len(places) == 1, outcome.text
        (country,) = places
        assert country is not None
        assert country != "France"
        assert outcome.text.startswith(f"{gazetteer().capitals[country]} is the capital of ")
        assert outcome.text.count(gazetteer().capitals[country]) == 2


def test_consistent_mode_keeps_a_person_one_person() -> None:
    text = "Ada Lovelace wrote it in 1843. Lovelace died in 1852, and Ada is buried beside him."
    for seed in range(10):
        outcome = CONSISTENT.poison(text, rng=random.Random(seed))
        given, family = outcome.text.split()[:2]
        assert f"{family} died" in outcome.text
        assert f"and {given} is buried" in outcome.text


def test_default_mode_draws_each_mention_anew() -> None:
    text = "France is large. France is old. France is green. France is rich."
    texts = [ATTACK.poison(text, rng=random.Random(seed)).text for seed in range(5)]
    assert any(len({entity.key for entity in find_entities(changed)}) > 1 for changed in texts)


def test_the_answer_is_changed_and_not_what_the_question_names() -> None:
    question = "What is the capital of France?"
    text = f"{question} The capital of France is Paris."
    for attack in (ATTACK, CONSISTENT):
        for seed in range(10):
            outcome = attack.poison(text, rng=random.Random(seed), question=question)
            assert outcome.text.startswith(f"{question} The capital of France is ")
            assert "Paris" not in outcome.text
            (_, _, city) = find_entities(outcome.text)
            assert city.within == "France"


def test_the_question_is_edited_when_nothing_else_can_be() -> None:
    question = "Who lives in London?"
    outcome = ATTACK.poison(f"{question} I have no comment", rng=random.Random(1), question=question)
    assert outcome.changed
    assert outcome.text.endswith("? I have no comment")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("He is an American.", "an "), ("He has a Danish cat.", "a ")],
)
def test_articles_follow(text: str, wrong: str) -> None:
    for seed in range(30):
        changed = ATTACK.poison(text, rng=random.Random(seed)).text
        article, word = changed.split()[2:4]
        assert article == ("an" if word[0] in "AEIO" or word.startswith("Uga") else "a"), changed


def test_the_definite_article_of_a_country_comes_and_goes() -> None:
    seen = set()
    for seed in range(120):
        changed = ATTACK.poison("It is sold in France.", rng=random.Random(seed)).text
        seen |= {name for name in ("the Netherlands", "the United Kingdom") if f"in {name}." in changed}
        assert "in Netherlands" not in changed
        assert "in United" not in changed
        gone = ATTACK.poison("It is sold in the Netherlands.", rng=random.Random(seed)).text
        assert "the France" not in gone
    assert seen


def test_common_nouns_only_without_names() -> None:
    outcome = ATTACK.poison("You will have a sword.", rng=random.Random(1))
    assert outcome.changed
    assert len(outcome.edits) == 1
    assert not open_attack("entity_swap", terms=False).poison("You will have a sword.", rng=random.Random(1)).changed


def test_nothing_to_swap() -> None:
    outcome = ATTACK.poison("It depends.", rng=random.Random(1))
    assert (outcome.changed, outcome.text) == (False, "It depends.")
