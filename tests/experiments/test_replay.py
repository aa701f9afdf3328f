"""Replay of the records published with paper 000; skipped where they are absent."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from ragstone.experiments.replay import ReplayReport, Status, replay
from ragstone.experiments.replay_render import print_report, to_json, to_json_text

# What does not come out as printed, and why; everything else must match to the digit.
DIFFERS = {
    ("V-A", "injection", "mean P of poisoned"),  # 0.9975 was cut, not rounded
    ("V-A", "entity_swap", "mean P of poisoned"),  # 0.11 in every recorded run
    ("V-C", "Llama, K = 3", "mean clean trust"),  # the printed 0.83 is the MiniLM run alone
    ("V-E", "cost", "evaluation at K = 3, share of K = 5"),  # K = 3 took no less time
}
NOT_RECORDED = {
    ("IV", "bare FEVER claims", "F on its baseline, share"),
    ("V-E", "cost", "overhead over plain RAG, times"),
}


@pytest.fixture(scope="module")
def report(data_folder: Path) -> ReplayReport:
    folder = data_folder / "trustworthyrag"
    if not folder.is_dir():
        pytest.skip(f"no published records at {folder}")
    return replay(folder)


def names(report: ReplayReport, status: Status) -> set[tuple[str, str, str]]:
    return {(c.published.place, c.published.row, c.published.column) for c in report.with_status(status)}


def test_every_cell_of_every_table_matches_to_the_digit(report: ReplayReport) -> None:
    cells = [c for c in report.comparisons if c.published.place.startswith("Table")]
    assert len(cells) == 166
    assert [c for c in cells if c.status is not Status.MATCH] == []


def test_the_running_text_matches_but_for_what_is_known(report: ReplayReport) -> None:
    assert names(report, Status.DIFFERS) == DIFFERS
    assert names(report, Status.NOT_RECORDED) == NOT_RECORDED
    assert names(report, Status.NO_RUN) == set()
    assert report.summary == "226 of 232 published values match to the digit; 4 differ, 2 not in the records"


def test_trust_is_reproduced_from_the_signals(report: ReplayReport) -> None:
    arithmetic = report.arithmetic
    assert arithmetic.samples == 4400
    assert arithmetic.max_difference < 1e-7
    assert arithmetic.exceptions == arithmetic.exceptions_failed == 28
    assert arithmetic.verdicts_differing == 0
    assert arithmetic.factuality_impossible == arithmetic.consistency_impossible == 0


def test_empty_answers_are_counted_and_set_apart(report: ReplayReport) -> None:
    empty = {run.name: run for run in report.runs if run.empty}
    assert len(empty) == 8
    assert sum(run.empty for run in empty.values()) == 704
    grid = next(run for run in empty.values() if run.k == 3 and run.embedding.startswith("snowflake"))
    assert grid.false_positives_unanswered == grid.as_published.confusion.false_positives == 23
    assert grid.answered_only.confusion.false_positives == 0
    assert grid.answered_only.unscored_poisoned == 15


def test_failed_generations_explain_entity_swap_in_secure_coding(report: ReplayReport) -> None:
    run = next(run for run in report.runs if run.name.startswith("seccode_entity_swap"))
    assert run.failed == 24
    assert run.true_positives_unanswered == run.as_published.confusion.true_positives == 7
    assert run.false_positives_unanswered == run.as_published.confusion.false_positives == 17
    assert run.answered_only.confusion.true_positives == 0


def test_findings_cover_what_the_paper_did_not_see(report: ReplayReport) -> None:
    topics = [finding.topic for finding in report.findings]
    assert {"empty answers", "failed generations", "retrieval depth", "repeats", "arithmetic"} <= set(topics)
    depth = next(finding for finding in report.findings if finding.topic == "retrieval depth")
    assert depth.evidence["equal_poison"] == depth.evidence["samples"] == 3100


def test_json_prints_what_the_paper_prints(report: ReplayReport) -> None:
    document = json.loads(to_json_text(report))
    assert document == to_json(report)
    assert list(document["tables"]) == ["I", "II", "III", "IV", "V", "VI"]
    injection = document["tables"]["I"][0]
    assert injection["strategy"] == "Instruction injection"
    assert (injection["accuracy"], injection["precision"], injection["f1"]) == (99.0, 93.8, 96.8)
    assert injection["delta"] == 0.498
    assert document["tables"]["I"][3]["precision"] is None
    qwen = document["tables"]["IV"][3]
    assert (qwen["llm"], qwen["setting"], qwen["threshold"], qwen["roc_auc"]) == ("Qwen 3.5 35B", "fitted", 0.43, 0.728)
    mixed = document["tables"]["V"][4]
    assert (mixed["accuracy"], mixed["accuracy_sd"], mixed["f1"], mixed["f1_sd"]) == (90.6, 0.5, 56.1, 1.3)


def test_text_shows_tables_differences_and_findings(report: ReplayReport) -> None:
    stream = StringIO()
    print_report(report, Console(file=stream, width=160))
    text = stream.getvalue()
    for expected in ("Table I.", "Table VI.", "226 of 232", "printed 0.32, replayed 0.11", "Split of Table IV."):
        assert expected in text
