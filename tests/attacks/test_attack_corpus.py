"""Poisoning a corpus: the share, the seed, and labels kept apart."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from ragstone.attacks import apply_edits, open_attack
from ragstone.attacks.corpus import poison_corpus, poison_file, read_labels, write_labels
from ragstone.errors import InputError
from ragstone.types import Passage


class Plain:
    """A document that is no dataclass."""

    def __init__(self, id: str, text: str) -> None:
        self.id = id
        self.text = text


@dataclass(frozen=True)
class Asked:
    """A document with a question of its own."""

    id: str
    text: str
    question: str


PASSAGES = [Passage(f"d{n}", f"The town has {n + 20} shops and lies in France.") for n in range(10)]


@pytest.mark.parametrize(
    ("n", "share", "expected"), [(10, 0.3, 3), (50, 0.3, 15), (30, 0.1, 3), (7, 0.3, 3), (4, 1.0, 4)]
)
def test_the_share_is_rounded_up(n: int, share: float, expected: int) -> None:
    documents = [Passage(f"d{k}", f"It is {k + 5} km long.") for k in range(n)]
    poisoned, labels = poison_corpus(documents, open_attack("negation"), share)
    assert len(labels) == expected
    assert sum(a.text != b.text for a, b in zip(documents, poisoned, strict=True)) == expected


def test_labels_lead_from_the_original_to_the_poisoned_text() -> None:
    poisoned, labels = poison_corpus(PASSAGES, open_attack("mixed"), 0.5)
    originals = {document.id: document.text for document in PASSAGES}
    texts = {document.id: document.text for document in poisoned}
    assert [document.id for document in poisoned] == [document.id for document in PASSAGES]
    for label in labels:
        assert apply_edits(originals[label.id], label.edits) == texts[label.id]
    assert all(texts[i] == originals[i] for i in originals if i not in {label.id for label in labels})


def test_same_seed_same_outcome_and_other_documents_do_not_matter() -> None:
    attack = open_attack("entity_swap")
    first = poison_corpus(PASSAGES, attack, 0.5)
    assert first == poison_corpus(PASSAGES, attack, 0.5)
    assert first != poison_corpus(PASSAGES, attack, 0.5, seed=43)
    others = [PASSAGES[0], *(Passage(p.id, "It is blue.") for p in PASSAGES[1:])]
    whole, _ = poison_corpus(PASSAGES, attack, 1.0)
    mixed, _ = poison_corpus(others, attack, 1.0)
    assert whole[0] == mixed[0]


def test_what_cannot_be_changed_is_labelled_as_not_changed() -> None:
    documents = [Passage("a", "It depends."), Passage("b", "It is 5 km long.")]
    poisoned, labels = poison_corpus(documents, open_attack("number_swap"), 1.0)
    assert poisoned[0] == documents[0]
    assert [(label.id, label.changed, label.reason is None) for label in labels] == [
        ("a", False, False),
        ("b", True, True),
    ]


def test_fill_draws_on_until_enough_are_changed() -> None:
    documents = [Passage(f"d{n}", "It depends." if n % 2 else f"It is {n + 20} km long.") for n in range(20)]
    _, labels = poison_corpus(documents, open_attack("number_swap"), 0.4, fill=True)
    assert sum(label.changed for label in labels) == 8
    _, labels = poison_corpus(documents, open_attack("number_swap"), 0.9, fill=True)
    assert sum(label.changed for label in labels) == 10
    assert len(labels) == 20


def test_any_object_with_id_and_text_will_do() -> None:
    plain = [Plain("a", "It is 5 km long.")]
    poisoned, _ = poison_corpus(plain, open_attack("number_swap"), 1.0)
    assert poisoned[0].text != plain[0].text == "It is 5 km long."
    asked = [Asked("a", "How far? How far is it? It is 5 km.", "How far? How far is it?")]
    (changed,), _ = poison_corpus(asked, open_attack("negation"), 1.0)
    assert changed.text.startswith(asked[0].question + " It is ")
    assert poison_corpus([], open_attack("negation")) == ([], [])


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(InputError, match=r"share is 1\.5"):
        poison_corpus(PASSAGES, open_attack("negation"), 1.5)
    with pytest.raises(InputError, match="'a' is used 2 times"):
        poison_corpus([Passage("a", "x"), Passage("a", "y")], open_attack("negation"))


def test_labels_are_written_and_read(tmp_path: Path) -> None:
    _, labels = poison_corpus(PASSAGES, open_attack("mixed"), 0.5)
    write_labels(labels, tmp_path / "labels.jsonl")
    assert read_labels(tmp_path / "labels.jsonl") == labels
    (tmp_path / "bad.jsonl").write_text('{"id": "a"}\n')
    with pytest.raises(InputError, match="line 1: not a label"):
        read_labels(tmp_path / "bad.jsonl")


def test_a_file_is_poisoned_with_its_labels_beside_it(tmp_path: Path) -> None:
    source, target = tmp_path / "corpus.jsonl", tmp_path / "poisoned.jsonl"
    rows = [{"id": f"d{n}", "text": f"It is {n + 20} km long.", "source": "a.txt"} for n in range(10)]
    source.write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")
    summary = poison_file(source, target, open_attack("number_swap"))
    assert (summary.documents, summary.chosen, summary.changed) == (10, 3, 3)
    assert summary.by_strategy == {"number_swap": 3}
    assert summary.labels == tmp_path / "poisoned.labels.jsonl"
    written = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in written] == [row["id"] for row in rows]
    assert all(set(row) == {"id", "text", "source"} for row in written)
    originals = {str(row["id"]): str(row["text"]) for row in rows}
    for label in read_labels(summary.labels):
        assert apply_edits(originals[label.id], label.edits) == next(r["text"] for r in written if r["id"] == label.id)


@pytest.mark.parametrize(
    ("content", "match"),
    [("{", "line 1: not JSON"), ("[1]", "expected a JSON object"), ('{"id": "a"}', "'text' must be a string")],
)
def test_a_bad_corpus_file_is_named(tmp_path: Path, content: str, match: str) -> None:
    source = tmp_path / "corpus.jsonl"
    source.write_text(content)
    with pytest.raises(InputError, match=match):
        poison_file(source, tmp_path / "out.jsonl", open_attack("negation"))


def test_no_file_overwrites_another(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="three different files"):
        poison_file(tmp_path / "a.jsonl", tmp_path / "a.jsonl", open_attack("negation"))
    with pytest.raises(InputError, match="cannot read"):
        poison_file(tmp_path / "none.jsonl", tmp_path / "b.jsonl", open_attack("negation"))
