"""The sweep's queries and corpora: complete, consistent, and refused with file and line when they are not."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ragstone.datasets.sweep import load_evidence, load_passages, load_sweep_set
from ragstone.datasets.sweep_queries import load_queries, load_unanswerable
from ragstone.errors import InputError
from ragstone.experiments.sweep.scoring import keyword_present, states_reference

QUERIES = load_queries()


def test_the_papers_49_slots_hold_37_distinct_queries() -> None:
    assert [query.slot for query in QUERIES] == list(range(1, 50))
    assert len({query.id for query in QUERIES}) == len({query.question for query in QUERIES}) == 37
    distinct = {query.id: query.type for query in QUERIES}
    assert Counter(distinct.values()) == {"place": 9, "person": 9, "yes_no": 8, "date": 7, "count": 4}


def test_every_gold_passage_states_its_answer() -> None:
    passages = {document.id: document.text for document in load_passages()}
    assert len(passages) == 10
    assert {query.gold for query in QUERIES} == set(passages)
    for query in QUERIES:
        if query.type != "yes_no":
            assert query.gold is not None
            assert states_reference(passages[query.gold], query), query.id
            assert keyword_present(passages[query.gold], query), query.id


def test_every_claim_is_judged_as_its_label_says() -> None:
    for query in QUERIES:
        if query.type == "yes_no":
            assert query.references == (("yes",) if query.label == "SUPPORTS" else ("no",))
        else:
            assert query.label == "SUPPORTS"
            assert states_reference(query.claim, query), query.id


def test_the_built_in_corpus_has_unique_ids_and_several_sources() -> None:
    found = load_sweep_set()
    ids = [document.id for document in found.documents]
    assert len(ids) == len(set(ids)) == 120
    assert len({document.text for document in found.documents}) == 120
    assert len({document.source for document in found.documents}) == 7
    assert len(found.unanswerable) == len(load_unanswerable()) == 20
    assert {document.source for document in load_evidence()} >= {"almanac", "atlas"}


def test_fever_sentences_come_with_the_ten_passages() -> None:
    found = load_sweep_set("fever", data="samples")
    assert [document.id for document in found.documents[:10]] == [document.id for document in load_passages()]
    assert len(found.documents) > 15
    assert all(len(document.text.split()) >= 3 for document in found.documents)


def test_ramdocs_brings_its_own_questions() -> None:
    found = load_sweep_set("ramdocs", data="samples")
    texts = {document.id for document in found.documents}
    assert found.queries
    assert all(query.gold in texts and query.references for query in found.queries)
    assert not found.unanswerable


def test_queries_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    rows: list[dict[str, Any]] = [
        {"question": "Who built it?", "references": ["Ann"]},
        {"id": "age", "question": "How old is it?", "references": ["40 years"], "type": "count"},
        {"repeats": "age"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    first, second, third = load_queries(path)
    assert (first.id, first.keyword, first.claim, first.type) == ("q001", "Ann", "Who built it? Ann.", "other")
    assert (third.slot, third.id, third.question) == (3, "age", second.question)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "Who?"}, r":1: field 'keyword'"),
        ({"question": " ", "references": ["Ann"]}, r":1: field 'question'"),
        ({"question": "Who?", "references": ["Ann"], "type": "colour"}, r":1: field 'type'.*'colour'"),
        ({"question": "Who?", "references": ["Ann"], "hint": 1}, r":1: field 'hint'"),
        ({"repeats": "nobody"}, r":1: repeats 'nobody'"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(json.dumps(row) + "\n")
    with pytest.raises(InputError, match=message):
        load_queries(path)


def test_absent_and_empty_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file of queries"):
        load_queries(tmp_path / "absent.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InputError, match="empty"):
        load_queries(tmp_path / "empty.jsonl")
    with pytest.raises(InputError):
        load_sweep_set(str(tmp_path / "nowhere"))
