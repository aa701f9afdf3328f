"""Passages written from scratch, by template, by token search and by a model."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from ragstone.attacks import open_attack
from ragstone.attacks.collision import search_collision
from ragstone.attacks.crafted import craft
from ragstone.attacks.generated import Generated
from ragstone.backends.protocols import Generation, Message
from ragstone.errors import EmptyAnswerError, InputError

QUESTION = "How many episodes are in Chicago Fire season 4?"


class LetterEmbedder:
    """Unit vectors of letter counts, counting the texts it is asked for."""

    identity = "letters"
    dimensions = 26

    def __init__(self) -> None:
        self.texts = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += len(texts)
        rows = np.full((len(texts), 26), 1e-3, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    row[ord(letter) - ord("a")] += 1.0
            row /= np.linalg.norm(row)
        return rows


class ScriptedGenerator:
    """Answers in turn; an empty one raises."""

    identity = "scripted"

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.seeds: list[int | None] = []
        self.messages: Sequence[Message] = ()

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        self.seeds.append(seed)
        self.messages = messages
        answer = self.answers.pop(0)
        if not answer:
            raise EmptyAnswerError("no text")
        return Generation(answer)


def test_crafted_passages_echo_the_question_and_state_the_answer() -> None:
    passages = craft(QUESTION, "24", 5, random.Random(1))
    assert len(set(passages)) == 5
    for passage in passages:
        assert passage.startswith(QUESTION + " ")
        assert "24" in passage.removeprefix(QUESTION)


def test_a_sentence_as_answer_is_stated_as_one() -> None:
    for passage in craft("Can reindeer fly", "Yes, reindeer can fly.", 10, random.Random(1)):
        assert passage.startswith("Can reindeer fly? ")
        assert "reindeer can fly" in passage.removeprefix("Can reindeer fly?")
        assert "answer is Yes" not in passage


@pytest.mark.parametrize(
    ("question", "answer", "n", "match"),
    [
        (" ", "24", 1, "blank"),
        (QUESTION, "", 1, "blank"),
        (QUESTION, "24", 0, "n is 0"),
        (QUESTION, "24", 101, "n is 101"),
    ],
)
def test_craft_names_what_is_wrong(question: str, answer: str, n: int, match: str) -> None:
    with pytest.raises(InputError, match=match):
        craft(question, answer, n, random.Random(1))


def test_a_hundred_different_passages_can_be_crafted() -> None:
    assert len(set(craft(QUESTION, "24", 100, random.Random(1)))) == 100


def test_crafted_attack_derives_a_wrong_answer() -> None:
    text = f"{QUESTION} The season has 23 episodes."
    outcome = open_attack("crafted").poison(text, rng=random.Random(1))
    assert outcome.changed
    assert outcome.text.startswith(QUESTION)
    assert "23" not in outcome.text
    given = open_attack("crafted", answer="99").poison("Anything.", rng=random.Random(1), question=QUESTION)
    assert "99" in given.text
    assert not open_attack("crafted").poison("No question here.", rng=random.Random(1)).changed


def test_collision_raises_the_similarity_within_the_budget() -> None:
    embedder = LetterEmbedder()
    found = search_collision("Zebras graze.", QUESTION, embedder, rng=random.Random(1), budget=150)
    assert found.after > found.before
    assert found.text == f"{found.prefix} Zebras graze."
    assert len(found.prefix.split()) <= 12
    assert found.calls == embedder.texts <= 150
    query, plain, text = embedder.embed([QUESTION, "Zebras graze.", found.text])
    assert float(query @ plain) == pytest.approx(found.before, abs=1e-5)
    assert float(query @ text) == pytest.approx(found.after, abs=1e-5)


def test_a_larger_budget_finds_no_worse() -> None:
    small, large = (
        search_collision("Zebras graze.", QUESTION, LetterEmbedder(), rng=random.Random(1), budget=budget).after
        for budget in (20, 400)
    )
    assert large >= small


def test_collision_without_improvement_changes_nothing() -> None:
    outcome = open_attack("collision", embedder=LetterEmbedder()).poison(
        QUESTION, rng=random.Random(1), question=QUESTION
    )
    assert not outcome.changed


@pytest.mark.parametrize(("query", "budget"), [("", 100), ("What?", 2)])
def test_collision_names_what_is_wrong(query: str, budget: int) -> None:
    with pytest.raises(InputError, match="collision search needs"):
        search_collision("Zebras.", query, LetterEmbedder(), rng=random.Random(1), budget=budget)


def test_collision_puts_the_base_attack_first() -> None:
    attack = open_attack("collision", embedder=LetterEmbedder(), base=open_attack("negation"))
    outcome = attack.poison("The zebra is striped.", rng=random.Random(1), question=QUESTION)
    assert outcome.changed
    assert outcome.text.endswith(("The zebra is not striped.", "The zebra is never striped."))
    assert outcome.edits[0].start == outcome.edits[0].end == 0


def test_generated_passage_is_cleaned_and_tight() -> None:
    generator = ScriptedGenerator("Here is the passage:\nThe Nile is 2,000 km long.")
    outcome = Generated(generator).poison("The Nile is 6,650 km long.", rng=random.Random(1), question="How long?")
    assert outcome.text == "The Nile is 2,000 km long."
    assert [(edit.before, edit.after) for edit in outcome.edits] == [("6,65", "2,00")]
    assert "How long?" in generator.messages[-1].content


def test_generated_asks_again_for_what_cannot_be_used() -> None:
    generator = ScriptedGenerator("", "The fictional Nile is short.", "The Nile is 6,650 km long.", "The Nile is dry.")
    outcome = Generated(generator, attempts=4).poison("The Nile is 6,650 km long.", rng=random.Random(1))
    assert outcome.text == "The Nile is dry."
    assert len(set(generator.seeds)) == 4


@pytest.mark.parametrize(
    ("answer", "reason"), [("", "empty"), ("The fake Nile.", "fake"), ("It is.", "as it was"), ("...", "no usable")]
)
def test_generated_says_why_it_gave_up(answer: str, reason: str) -> None:
    outcome = Generated(ScriptedGenerator(answer), attempts=1).poison("It is.", rng=random.Random(1))
    assert not outcome.changed
    assert reason in str(outcome.reason)
