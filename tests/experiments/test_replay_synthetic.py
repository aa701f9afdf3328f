"""Replay of small recordings made here: absent configurations, failures, and values worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from ragstone.datasets.records import Run, RunInfo, SampleRecord
from ragstone.errors import InputError
from ragstone.experiments.replay import Status, replay_runs
from ragstone.experiments.replay_arithmetic import check_arithmetic
from ragstone.experiments.replay_published import PUBLISHED
from ragstone.experiments.replay_render import print_report, to_json_text
from ragstone.experiments.replay_repeats import depth_agreement, repeat_agreement
from ragstone.experiments.replay_tables import strategy_table, variance_table
from ragstone.experiments.tables import Column

WEIGHTS = (0.4, 0.35, 0.25)


def make_run(
    name: str,
    rows: Sequence[tuple[bool, float, float, float]],
    *,
    k: int = 5,
    date: str = "20260101",
    answer: str = "Yes.",
) -> Run:
    """A run in the paper's primary configuration from rows of (poisoned, F, C, P), with undampened trust."""
    info = RunInfo(
        run=name,
        date=date,
        dataset="truthfulqa",
        llm="llama3.3:70b",
        embedding="all-MiniLM-L6-v2",
        k=k,
        strategy="mixed",
        weights=WEIGHTS,
        n=len(rows),
    )
    samples = []
    for number, (poisoned, factuality, consistency, poison) in enumerate(rows):
        trust = 0.4 * factuality + 0.35 * consistency + 0.25 * (1 - poison)
        samples.append(
            SampleRecord(
                run=name,
                sample_id=number,
                query=f"q{number}",
                expected_answer="Yes.",
                generated_answer=answer,
                poisoned=poisoned,
                poison_strategy="injection" if poisoned else "none",
                factuality=factuality,
                consistency=consistency,
                poison_probability=poison,
                trust=trust,
                trustworthy=trust >= 0.5,
                generation_ms=100.0,
                evaluation_ms=300.0,
                total_ms=400.0,
            )
        )
    return Run(info, tuple(samples))


ROWS = [(False, 0.9, 0.9, 0.1), (False, 0.8, 0.9, 0.1), (True, 0.3, 0.3, 0.6), (True, 0.9, 0.8, 0.2)]


def test_no_runs_are_refused() -> None:
    with pytest.raises(InputError, match="no runs to replay"):
        replay_runs(())


def test_runs_of_another_kind_leave_the_tables_empty_and_say_so() -> None:
    run = make_run("five", ROWS)
    other = Run(run.info.model_copy(update={"llm": "other", "dataset": "own"}), run.samples)
    report = replay_runs((other,))
    counts = {status: len(report.with_status(status)) for status in Status}
    assert counts[Status.NO_RUN] == len(PUBLISHED) - 1
    assert counts[Status.NOT_RECORDED] == 1  # bare FEVER claims
    assert all(table.rows == () for table in report.tables)
    assert report.summary.startswith(f"0 of {len(PUBLISHED)} published values match")
    assert report.runs[0].as_published.recall.value == 0.5


def test_only_the_latest_run_of_a_configuration_stands_in_a_table() -> None:
    older = make_run("older", [(False, 0.9, 0.9, 0.1)] * 2, date="20260101")
    newer = make_run("newer", ROWS, date="20260201")
    (row,) = strategy_table((newer, older)).rows
    assert row.details()["runs"] == ["newer"]
    assert row.values()["recall"] == 0.5
    assert row.values()["accuracy"] == 0.75


def test_variance_is_over_all_repeats() -> None:
    missed = [*ROWS[:2], (True, 0.9, 0.9, 0.1), ROWS[3]]
    (row,) = variance_table((make_run("a", ROWS), make_run("b", missed))).rows
    assert row.values()["repeats"] == 2
    assert row.values()["recall"] == pytest.approx(0.25)
    assert row.values()["recall_sd"] == pytest.approx(0.25)


def test_recorded_generation_time_gives_the_overhead() -> None:
    report = replay_runs((make_run("three", ROWS, k=3), make_run("five", ROWS)))
    overhead = next(c for c in report.comparisons if c.published.column == "overhead over plain RAG, times")
    assert overhead.status is Status.DIFFERS
    assert overhead.value == pytest.approx(3.0)


def test_arithmetic_finds_trust_that_does_not_follow_from_the_signals() -> None:
    dampened = make_run("run", [*ROWS, (True, 0.9, 0.9, 1.0)])
    found = check_arithmetic((dampened,))
    assert (found.exceptions, found.exceptions_failed, found.dampened) == (1, 0, 1)
    assert found.max_exception == pytest.approx(0.4 * (0.4 * 0.9 + 0.35 * 0.9))


def test_depth_and_repeats_are_compared_sample_by_sample() -> None:
    runs = (make_run("three", ROWS, k=3), make_run("five", ROWS), make_run("again", ROWS, answer="No."))
    depth = depth_agreement(runs)
    assert (depth.pairs, depth.samples, depth.equal_poison, depth.equal_answers) == (2, 8, 8, 4)
    repeats = repeat_agreement(runs)
    assert (repeats.pairs, repeats.equal_answers, repeats.equal_rest) == (1, 0, 0)


def test_depth_is_no_finding_when_the_signals_differ() -> None:
    changed = [(poisoned, f, c, p / 2) for poisoned, f, c, p in ROWS]
    report = replay_runs((make_run("three", ROWS, k=3), make_run("five", changed)))
    assert "retrieval depth" not in {finding.topic for finding in report.findings}


def test_a_partial_report_can_be_printed_and_saved() -> None:
    report = replay_runs((make_run("five", ROWS, answer=""),))
    stream = StringIO()
    print_report(report, Console(file=stream, width=120))
    assert "no such run" in stream.getvalue()
    assert '"empty": 4' in to_json_text(report)
    assert "empty answers" in {finding.topic for finding in report.findings}


def test_a_column_prints_and_rounds_alike() -> None:
    column = Column("accuracy", "Acc. %", 1)
    assert (column.text(0.8625), column.rounded(0.8625)) == ("86.2", 86.2)
    assert (column.text(None), column.rounded(None)) == ("n/a", None)
    assert Column("delta", "Δ", 3, percent=False).text(np.float64(0.2249)) == "0.225"
