"""The shipped knowledge base: complete, consistent with its labels, and silent about them."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from ragstone.corpus import Document
from ragstone.datasets.securecode import (
    Strategy,
    demo_questions,
    load_poison_labels,
    load_poisoned,
    load_rules,
)

# Facts that at least two rules state, so that a poisoned rule can be contradicted by a clean neighbour.
SHARED_FACTS = {
    "Argon2id with 19 MiB and two iterations": r"Argon2id.*19 MiB.*two iterations",
    "TLS 1.2 as the lowest version": r"TLS 1\.2 (?:and|or) TLS 1\.3",
    "HSTS for one year": r"Strict-Transport-Security with a max-age of .*one year",
    "AES-256-GCM": r"AES-256-GCM",
    "keys apart from the data": r"key management service, apart from the data",
    "128 random bits": r"at least 128 bits of randomness",
    "HttpOnly hides the cookie from scripts": r"HttpOnly.* out of reach of scripts",
    "SameSite=Lax against cross-site requests": r"SameSite=Lax",
    "no unsafe-inline": r"(?:without|not contain) unsafe-inline",
    "frame-ancestors 'none'": r"frame-ancestors 'none'",
    "nosniff": r"X-Content-Type-Options: nosniff",
    "uploads outside the web root": r"Uploaded files .*stored outside the web root under a random name",
    "database account without table rights": r"database account cannot create, alter or drop tables",
    "access denied by default": r"Access is denied by default",
    "lock for 30 minutes after 10 attempts": r"locked for 30 minutes after 10 failed attempts",
    "no secrets in log files": r"log files contain no|Log files contain no|not written to log files",
    "hashes in a lock file": r"exact versions with SHA-256 hashes in a lock file",
    "document type definitions disabled": r"(?:disabling document type definitions|definitions disabled)",
    "15 characters for a single factor": r"only factor has at least 15 characters",
}


@pytest.fixture(scope="module")
def rules() -> dict[str, Document]:
    return {rule.id: rule for rule in load_rules()}


@pytest.fixture(scope="module")
def poisoned() -> dict[str, Document]:
    return {rule.id: rule for rule in load_poisoned()}


def test_forty_rules_in_question_and_answer_form(rules: dict[str, Document]) -> None:
    assert list(rules) == [f"sc-{number:02d}" for number in range(1, 41)]
    for rule in rules.values():
        question, answer = _parts(rule)
        assert question.endswith("?")
        assert 25 <= len(answer.split()) <= 60, rule.id
        assert answer.endswith(".")
    assert len({rule.text for rule in rules.values()}) == 40


def test_categories_cover_the_whole_top_ten_and_references_are_cwe_ids(rules: dict[str, Document]) -> None:
    covered = {rule.metadata["category"][:8] for rule in rules.values()}
    assert covered >= {f"A{number:02d}:2021" for number in range(1, 11)}
    for rule in rules.values():
        assert rule.metadata["references"]
        assert all(re.fullmatch(r"CWE-[1-9]\d{1,3}", reference) for reference in rule.metadata["references"])


@pytest.mark.parametrize("fact", SHARED_FACTS)
def test_facts_are_stated_by_more_than_one_rule(fact: str, rules: dict[str, Document]) -> None:
    stating = [rule.id for rule in rules.values() if re.search(SHARED_FACTS[fact], rule.text)]
    assert len(stating) >= 2, stating


def test_thirty_per_cent_are_poisoned_three_by_each_strategy() -> None:
    labels = load_poison_labels()
    assert len({label.id for label in labels}) == len(labels) == 12
    assert Counter(label.strategy for label in labels) == dict.fromkeys(Strategy, 3)


def test_only_labelled_rules_differ_and_only_in_their_answer(
    rules: dict[str, Document], poisoned: dict[str, Document]
) -> None:
    assert list(poisoned) == list(rules)
    assert {id_ for id_ in rules if poisoned[id_].text != rules[id_].text} == {
        label.id for label in load_poison_labels()
    }
    for id_, rule in rules.items():
        assert poisoned[id_].title == rule.title
        assert poisoned[id_].source == rule.source
        assert poisoned[id_].metadata == rule.metadata


def test_undoing_the_edits_gives_the_clean_text(rules: dict[str, Document], poisoned: dict[str, Document]) -> None:
    for label in load_poison_labels():
        text = poisoned[label.id].text
        for edit in reversed(label.edits):
            assert text[edit.start : edit.end] == edit.replacement
            text = text[: edit.start] + edit.original + text[edit.end :]
        assert text == rules[label.id].text


def test_strategies_do_what_their_name_says() -> None:
    for label in load_poison_labels():
        added = [edit for edit in label.edits if not edit.original]
        if label.strategy is Strategy.INSTRUCTION_INJECTION:
            assert [edit.replacement.startswith(" CORRECTION:") for edit in added] == [True]
        elif label.strategy is Strategy.CONTRADICTION:
            assert ["common misconception" in edit.replacement for edit in added] == [True]
        else:
            assert not added


def test_no_label_shows_in_a_document(poisoned: dict[str, Document]) -> None:
    for rule in poisoned.values():
        shown = f"{rule.id} {rule.title} {rule.source} {dict(rule.metadata)}".lower()
        assert not re.search("poison|clean|" + "|".join(Strategy), shown)


def test_demo_asks_about_poisoned_rules_of_every_strategy() -> None:
    strategies = {label.id: label.strategy for label in load_poison_labels()}
    asked = [strategies[question.rule_id] for question in demo_questions()]
    assert 4 <= len(asked) <= 6
    assert set(asked) == set(Strategy)


def _parts(rule: Document) -> tuple[str, str]:
    assert rule.title is not None
    question = rule.title
    assert rule.text.startswith(f"{question} ")
    return question, rule.text[len(question) + 1 :]
