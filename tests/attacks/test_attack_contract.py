"""What holds for every attack: deterministic, honest about what it did, and fit for any text."""

from __future__ import annotations

import hashlib
import random
import re
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragstone.attacks import ATTACKS, Attack, apply_edits, open_attack
from ragstone.backends.protocols import Generation, Message
from ragstone.errors import InputError

RULE = (
    "How should passwords be stored? Passwords must be hashed with Argon2id, using at least 19 MiB of memory. "
    "MD5 is never suitable."
)
FACT = (
    "Where is the Eiffel Tower? The Eiffel Tower is located in Paris, France. It was opened on 31 March 1889 and is "
    "about 330 metres tall, as tall as an 81-storey building. Gustave Eiffel's company did not design it alone."
)
TEXTS = [
    FACT,
    RULE,
    "Can reindeer really fly? No, reindeer can't really fly",
    "Estonia ( -LSB- ɛˈstoʊniə -RSB- ) is a country with 1.3 million people , in the EU since 1 May 2004 .",
    "Indianapolis",
    "",
    "   \n\t ",
    "?!…",
    "ALL CAPITALS IN FRANCE, 12 TIMES.",
    "Ünïcödé \ud83d\ude00 \u202eright to left\u202c 3½ ٣ Ǆ ß \x00 \ud800",
]
# Words that would tell a reader, or a detector, that a text was tampered with.
TELLTALES = ("poison", "attack", "fictional", "adversarial", "label", "ragstone")


class HashEmbedder:
    """Unit vectors from hashed words; similar texts share words."""

    identity = "hash"
    dimensions = 32

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[0] % self.dimensions] += 1.0
            row[0] += 1e-3
            row /= np.linalg.norm(row)
        return rows


class UpperGenerator:
    """A generator that rewrites by rule: the passage in other words, seed and all."""

    identity = "rule"

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        passage = messages[-1].content.rpartition("Passage:\n")[2]
        return Generation(f"{passage} It opened {(seed or 0) % 7 + 2} years later.")


def opened(name: str) -> Attack:
    options: dict[str, dict[str, object]] = {
        "collision": {"embedder": HashEmbedder(), "budget": 40, "base": open_attack("negation")},
        "generated": {"generator": UpperGenerator()},
    }
    return open_attack(name, **options.get(name, {}))


ALL = {name: opened(name) for name in ATTACKS}
QUESTION = "Where is the Eiffel Tower?"


def check(attack: Attack, text: str, question: str | None) -> None:
    outcome = attack.poison(text, rng=random.Random(7), question=question)
    again = attack.poison(text, rng=random.Random(7), question=question)
    assert outcome == again
    assert apply_edits(text, outcome.edits) == outcome.text
    position = 0
    for edit in outcome.edits:
        assert position <= edit.start <= edit.end <= len(text)
        assert text[edit.start : edit.end] == edit.before != edit.after
        position = edit.end
    if outcome.changed:
        assert outcome.text != text
        assert outcome.edits
        assert outcome.reason is None
    else:
        assert outcome.text == text
        assert outcome.edits == ()
        assert outcome.reason
    inserted = " ".join(edit.after for edit in outcome.edits).lower()
    for telltale in (*TELLTALES, attack.name, outcome.strategy):
        assert telltale not in inserted or telltale in text.lower()


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("question", [None, QUESTION, ""])
def test_outcome_is_consistent(name: str, text: str, question: str | None) -> None:
    check(ALL[name], text, question)


@pytest.mark.parametrize("name", ATTACKS)
@given(text=st.text(max_size=300))
@example(text="The U.S. is 1,5 of 13 000")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_is_taken(name: str, text: str) -> None:
    check(ALL[name], text, None)


WORDS = re.split(
    r"\|",
    "The|Paris|France|is|was|not|never|must|all|no|an|a|1997|12|13,000|%|km|one|first|TLS 1.2|MD5|US|people|wear|wears"
    "|,|.|?|Yes,|at least|May|doesn't|can't|it's|half a million|2006-07|1990s|19th century|Dr.|J.|of|(|)|and",
)


@pytest.mark.parametrize("name", ATTACKS)
@given(words=st.lists(st.sampled_from(WORDS), max_size=25), question=st.sampled_from([None, QUESTION, "Is it?"]))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_jumble_of_english_is_taken(name: str, words: list[str], question: str | None) -> None:
    check(ALL[name], " ".join(words), question)


@pytest.mark.parametrize("name", sorted(set(ATTACKS) - {"collision"}))
def test_facts_and_rules_can_be_poisoned(name: str) -> None:
    text = RULE if name.startswith("secure") else FACT
    question = text.split("?")[0] + "?"
    assert ALL[name].poison(text, rng=random.Random(1), question=question).changed


@pytest.mark.parametrize("name", sorted(set(ATTACKS) - {"crafted", "collision", "generated"}))
@pytest.mark.parametrize("text", [FACT, RULE])
@pytest.mark.parametrize("given_question", [True, False])
def test_the_repeated_question_is_left_alone(name: str, text: str, given_question: bool) -> None:
    question = text.split("?")[0] + "?"
    for seed in range(10):
        outcome = ALL[name].poison(text, rng=random.Random(seed), question=question if given_question else None)
        assert outcome.text.startswith(question)


def test_same_outcome_in_every_process() -> None:
    """Nothing may hang on the order of a set, which differs between processes."""
    code = (
        "import random, sys\n"
        "from ragstone.attacks import open_attack\n"
        f"for text in ({FACT!r}, {RULE!r}):\n"
        "    for name in ('entity_swap', 'number_swap', 'negation', 'mixed', 'secure_mixed', 'crafted'):\n"
        "        for seed in range(3):\n"
        "            sys.stdout.write(open_attack(name).poison(text, rng=random.Random(seed)).text)\n"
        "        options = {'consistent': True} if name == 'entity_swap' else {}\n"
        "        sys.stdout.write(open_attack(name, **options).poison(text, rng=random.Random(3)).text)\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
    assert next(iter(outputs))


def test_other_seeds_give_other_outcomes() -> None:
    outcomes = {ALL["entity_swap"].poison(FACT, rng=random.Random(seed)).text for seed in range(8)}
    assert len(outcomes) > 3


def test_every_attack_is_an_attack() -> None:
    assert all(isinstance(attack, Attack) for attack in ALL.values())
    assert {attack.name for attack in ALL.values()} == set(ATTACKS)


def test_unknown_names_and_options_are_named() -> None:
    with pytest.raises(InputError, match=r"unknown attack 'nonsense'; known: .*contradiction.*negation"):
        open_attack("nonsense")
    with pytest.raises(InputError, match="embedder"):
        open_attack("collision")
    with pytest.raises(InputError, match="loud"):
        open_attack("negation", loud=True)
