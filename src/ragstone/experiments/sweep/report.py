"""A sweep's report: everything that can be said of a run folder, at full precision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.experiments.sweep.breakdown import Breakdown, break_down
from ragstone.experiments.sweep.outcomes import JudgedAnswer, Outcome
from ragstone.experiments.sweep.rates import Rate
from ragstone.experiments.sweep.records import CLEAN, POISONED
from ragstone.experiments.sweep.resampling import PAPER
from ragstone.experiments.sweep.scored import ScoredCell, SweepRun
from ragstone.experiments.sweep.tables import sweep_tables
from ragstone.experiments.tables import Column, Table
from ragstone.experiments.value_rows import ValueRow, title_of
from ragstone.stats import Resampling, wilson_interval
from ragstone.text.abstention import is_abstention

__all__ = ["ConfigurationReport", "SweepReport", "report_json", "sweep_report"]

_HEADINGS = {
    Outcome.CORRECT: "Correct",
    Outcome.ADOPTED: "Adopted",
    Outcome.ABSTAINED: "Abstain",
    Outcome.WRONG: "Wrong else",
    Outcome.UNSUPPORTED: "No support",
}
Outcomes = Mapping[tuple[str, str], JudgedAnswer]


@dataclass(frozen=True)
class ConfigurationReport:
    """Tables of one configuration; ``breakdown`` is what figures are drawn from."""

    breakdown: Breakdown
    tables: tuple[Table, ...]

    @property
    def name(self) -> str:
        return self.breakdown.configuration.name


@dataclass(frozen=True)
class SweepReport:
    """``comparison`` sets configurations side by side; None for one alone. ``unanswerable`` is the share of
    unanswerable questions on which the generator abstained, None when none was asked. ``judge`` names the NLI model,
    if any; ``seconds`` is the time spent generating."""

    run: SweepRun
    configurations: tuple[ConfigurationReport, ...]
    comparison: Table | None
    unanswerable: Rate | None
    answers: int
    empty: int
    seconds: float
    judge: str | None

    @property
    def complete(self) -> bool:
        return len(self.run.cells) == self.run.expected

    @property
    def title(self) -> str:
        return f"Robustness sweep: {self.run.meta['generator']}, corpus {self.run.meta['corpus']['name']}"


def sweep_report(
    run: SweepRun, *, outcomes: Outcomes | None = None, judge: str | None = None, resampling: Resampling = PAPER
) -> SweepReport:
    """The report of ``run``; ``outcomes`` are the judgements of the NLI model called ``judge``."""
    reports = []
    for configuration in run.configurations:
        found = break_down(run, configuration, resampling)
        tables = sweep_tables(found)
        if outcomes:
            tables = (*tables, outcome_table(found, outcomes))
        reports.append(ConfigurationReport(found, tables))
    stored = [answer for cell in run.cells for answer in cell.record.answers.values()]
    stored += [control.answer for control in run.controls]
    return SweepReport(
        run=run,
        configurations=tuple(reports),
        comparison=_comparison([report.breakdown for report in reports]) if len(reports) > 1 else None,
        unanswerable=_abstained(run),
        answers=len(stored),
        empty=sum(not answer.text for answer in stored),
        seconds=sum(answer.seconds for answer in stored if not answer.reused),
        judge=judge,
    )


def outcome_table(found: Breakdown, outcomes: Outcomes) -> Table:
    """Shares of the five outcomes: the clean answers, then the poisoned ones by strategy and level."""
    columns = (
        Column("cells", "Answers", 0, percent=False),
        *(Column(outcome.name.lower(), heading, 1) for outcome, heading in _HEADINGS.items()),
        Column("none", "None", 1),
    )
    rows = [_outcome_row({"Strategy": "Clean passages", "Poisoned": "-"}, found.cells, CLEAN, outcomes)]
    for strategy, level in found.grid:
        chosen = [c for c in found.cells if (c.record.strategy, c.record.level) == (strategy, level)]
        labels = {"Strategy": title_of(strategy), "Poisoned": found.level_name(level)}
        rows.append(_outcome_row(labels, chosen, POISONED, outcomes))
    return Table(
        "outcomes", "What became of the answers by inference, in % (None: no statement to judge)", columns, tuple(rows)
    )


def _outcome_row(labels: Mapping[str, str], cells: Sequence[ScoredCell], arm: str, outcomes: Outcomes) -> ValueRow:
    judged = [outcomes[c.record.key, arm].outcome for c in cells if (c.record.key, arm) in outcomes]
    counts = Counter("none" if outcome is None else outcome.name.lower() for outcome in judged)
    names = (*(outcome.name.lower() for outcome in Outcome), "none")
    shares = {name: counts[name] / len(judged) if judged else None for name in names}
    intervals = {name: wilson_interval(counts[name], len(judged)) for name in names}
    return ValueRow(labels, {"cells": float(len(judged)), **shares}, intervals, {"counts": dict(counts)})


def _comparison(found: Sequence[Breakdown]) -> Table:
    """Configurations side by side: nothing poisoned, and every level above."""
    columns = (
        Column("cells", "Runs", 0, percent=False),
        Column("changed", "Edited, mean", 2, percent=False),
        Column("identical", "Same %", 1),
        Column("clean_accuracy", "Clean acc. %", 1),
        Column("poisoned_accuracy", "Poisoned acc. %", 1),
        Column("fooled", "Fooled %", 1),
        Column("low", "95 % CI low", 1),
        Column("high", "high", 1),
        Column("abstention", "Abstain %", 1),
        Column("attack_success", "Attack success %", 1),
    )
    rows = []
    for item in found:
        for level, rates in item.by_level.items():
            interval = rates["fooled"].interval
            bounds = {"low": interval.low, "high": interval.high} if interval else {}
            cells = {name: rate.value for name, rate in rates.rates.items()}
            labels = {"Configuration": item.configuration.name, "Poisoned": item.level_name(level)}
            changed = [len(c.record.poisoned) for c in item.cells if c.record.level == level]
            cells |= {**bounds, "cells": float(rates.cells), "changed": sum(changed) / len(changed)}
            rows.append(ValueRow(labels, cells))
    return Table("configurations", "Configurations side by side", columns, tuple(rows))


def _abstained(run: SweepRun) -> Rate | None:
    if not run.controls:
        return None
    declined = sum(is_abstention(control.answer.text) for control in run.controls)
    return Rate(declined, len(run.controls), wilson_interval(declined, len(run.controls)))


def report_json(report: SweepReport) -> dict[str, Any]:
    """The report as JSON values: rows as printed (proportions in per cent); details, counts and intervals unrounded."""
    share = report.unanswerable
    return {
        "run": {name: value for name, value in report.run.meta.items() if name not in ("queries", "unanswerable")},
        "cells": len(report.run.cells),
        "expected": report.run.expected,
        "complete": report.complete,
        "answers": report.answers,
        "empty_answers": report.empty,
        "generation_seconds": round(report.seconds, 1),
        "judge": report.judge,
        "unanswerable": None
        if share is None
        else {
            "questions": share.total,
            "abstained": share.successes,
            "interval": [share.interval.low, share.interval.high] if share.interval else None,
        },
        "configurations": {
            item.name: {"tables": {table.number: table.as_json() for table in item.tables}}
            for item in report.configurations
        },
        "comparison": None if report.comparison is None else report.comparison.as_json(),
    }
