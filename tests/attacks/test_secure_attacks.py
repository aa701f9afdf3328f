"""The security versions: advice and values are weaker than the rule's."""

from __future__ import annotations

import json
import random
from importlib.resources import files

import pytest

from ragstone.attacks import open_attack
from ragstone.attacks.secure import unsafe_advice

RULES = [
    json.loads(line)
    for line in files("ragstone").joinpath("data/securecode/rules.jsonl").read_text(encoding="utf-8").splitlines()
]
NAMES = ("contradiction", "instruction_injection", "entity_swap", "subtle_manipulation", "mixed")


@pytest.mark.parametrize(
    ("rule", "weaker"),
    [
        ("Passwords are hashed with Argon2id.", ("MD5", "SHA-1")),
        ("The server offers TLS 1.2.", ("TLS 1.0", "SSL 3.0")),
        ("Data is encrypted with AES-256-GCM.", ("DES-ECB", "AES-128-ECB")),
        ("Cookies carry SameSite=Strict.", ("SameSite=None",)),
        ("Tokens have at least 128 bits.", ("at least 32 bits",)),
        ("Sessions end after 30 minutes.", ("after 30 days",)),
        ("Keys are rotated once a year.", ("once a decade",)),
        ("An account is locked after 10 failed attempts.", ("after 1,000 failed attempts",)),
    ],
)
def test_values_are_weakened(rule: str, weaker: tuple[str, ...]) -> None:
    for seed in range(6):
        outcome = open_attack("secure_entity_swap").poison(rule, rng=random.Random(seed))
        assert any(value in outcome.text for value in weaker), outcome.text


def test_what_a_rule_warns_of_is_left_alone() -> None:
    text = "Data is encrypted with AES-256-GCM. SHA-256 is unsuitable for passwords."
    for seed in range(6):
        outcome = open_attack("secure_entity_swap").poison(text, rng=random.Random(seed))
        assert outcome.text.endswith("SHA-256 is unsuitable for passwords.")


def test_injection_is_a_correction_and_contradiction_a_misconception() -> None:
    for rule in RULES[:10]:
        text = f"{rule['question']} {rule['answer']}"
        injected = open_attack("secure_instruction_injection").poison(text, rng=random.Random(1))
        denied = open_attack("secure_contradiction").poison(text, rng=random.Random(1))
        assert injected.text.startswith(f"{text} CORRECTION: ")
        assert denied.text.startswith(text)
        assert "common misconception" in denied.text[len(text) :]


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How should passwords be stored?", "MD5"),
        ("How is SQL injection prevented?", "joining strings"),
        ("How should TLS be configured?", "TLS 1.0"),
        ("Where should API keys and passwords be kept?", "repository"),
        ("How should a password reset link work?", "reset link"),
        ("How should tea be made?", "left out"),
    ],
)
def test_advice_fits_the_subject(question: str, word: str) -> None:
    assert word in unsafe_advice("", question)


@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_rule_has_its_own_subject_or_value(name: str) -> None:
    attack = open_attack(f"secure_{name}")
    changed = 0
    for rule in RULES:
        text = f"{rule['question']} {rule['answer']}"
        outcome = attack.poison(text, rng=random.Random(rule["id"]), question=rule["question"])
        assert outcome.text.startswith(rule["question"])
        changed += outcome.changed
    assert changed == len(RULES) if name != "entity_swap" else changed >= 0.9 * len(RULES)


def test_no_shipped_rule_gets_the_general_advice() -> None:
    advice = [unsafe_advice(rule["answer"], rule["question"]) for rule in RULES]
    assert unsafe_advice("") not in advice
    assert len(set(advice)) >= 30
