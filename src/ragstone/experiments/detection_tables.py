"""The tables of a detection run, at full precision; see :mod:`ragstone.experiments.tables` for their form."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.experiments.detection_scores import Share, TrialScores, recall_by_strategy, score_trial, variance_of
from ragstone.experiments.detector_tables import (
    control_table,
    overhead_table,
    passage_table,
    signal_table,
    trivial_table,
)
from ragstone.experiments.paper_rows import paper_row
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.tables import RECALL, Column, Table
from ragstone.experiments.value_rows import SAMPLES, SCORES, ValueRow, detection_row, share_row, title_of
from ragstone.stats import Resampling

__all__ = ["detection_tables"]


def detection_tables(run: StoredRun, *, resampling: Resampling | None = None) -> tuple[Table, ...]:
    """All tables of ``run``; those of single runs are of its first repeat. Tables without rows are left out."""
    trials = [score_trial(trial, run.threshold, resampling=resampling) for trial in run.trials() if trial.repeat == 0]
    tables = (
        _scores_table("retrieval", "Detection by strategy, retrieval-grounded truth", trials, "retrieval"),
        _scores_table("document", "Detection by strategy, document-level truth as in the paper", trials, "document"),
        _paper_table(run, trials),
        _exposure_table(trials),
        _mixture_table(run),
        passage_table(trials),
        signal_table(run),
        trivial_table(run),
        control_table(run),
        _variance_table(run),
        overhead_table(run),
        _unscored_table(trials),
    )
    return tuple(table for table in tables if table.rows)


def _scores_table(number: str, title: str, trials: Sequence[TrialScores], truth: str) -> Table:
    rows = tuple(detection_row({"Strategy": title_of(t.strategy)}, getattr(t, truth)) for t in trials)
    return Table(number, title, SCORES, rows)


def _paper_table(run: StoredRun, trials: Sequence[TrialScores]) -> Table:
    columns = tuple(
        Column(f"{key}{suffix}", f"{heading}{name}", decimals, percent)
        for key, heading, decimals, percent in (
            ("accuracy", "Acc. %", 1, True),
            ("precision", "Prec. %", 1, True),
            ("recall", "Rec. %", 1, True),
            ("f1", "F1 %", 1, True),
            ("delta", "Δ", 3, False),
        )
        for suffix, name in (("", ", here"), ("_paper", ", paper"))
    )
    rows = []
    for trial in trials:
        published = paper_row(str(run.meta["dataset"]), trial.strategy)
        if published:
            here = detection_row({}, trial.document).cells
            cells = {**here, **{f"{key}_paper": value for key, value in published.items()}}
            rows.append(ValueRow({"Strategy": title_of(trial.strategy)}, {c.key: cells.get(c.key) for c in columns}))
    return Table("paper", "Beside the values printed in the paper (document-level truth)", columns, tuple(rows))


def _exposure_table(trials: Sequence[TrialScores]) -> Table:
    columns = (
        Column("exposure", "Poisoned: met poison %", 1),
        Column("spillover", "Spill-over: clean, met poison %", 1),
        Column("gate_recall", "Gate, rec. %", 1),
        Column("gate_precision", "Gate, prec. %", 1),
    )
    rows = []
    for trial in trials:
        gate = trial.gate
        shares = {
            "exposure": trial.exposure,
            "spillover": trial.spillover,
            "gate_recall": Share(gate.true_positives, gate.poisoned),
            "gate_precision": Share(gate.true_positives, gate.flagged),
        }
        rows.append(share_row({"Strategy": title_of(trial.strategy)}, shares))
    title = "What questions of part B retrieved, and the gate (any action but accept)"
    return Table("exposure", title, columns, tuple(rows))


def _mixture_table(run: StoredRun) -> Table:
    columns = (SAMPLES, RECALL)
    rows = []
    for trial in run.trials():
        if trial.repeat == 0 and trial.strategy.endswith("mixed"):
            for strategy, share in recall_by_strategy(trial, run.threshold).items():
                cells = {"samples": float(share.total), "recall": share.value}
                rows.append(ValueRow({"Strategy drawn": title_of(strategy)}, cells, {"recall": share.interval}))
    return Table("mixture", "The mixed setting by the strategy of the poisoned passage retrieved", columns, tuple(rows))


def _variance_table(run: StoredRun) -> Table:
    columns = [Column("repeats", "R", 0, percent=False)]
    for key, heading in (("accuracy", "Acc."), ("recall", "Rec."), ("f1", "F1")):
        columns += [Column(key, f"{heading} %", 1), Column(f"{key}_sd", "± sd", 1)]
    rows = []
    for strategy in run.strategies if run.repeats > 1 else ():
        trials = [score_trial(trial, run.threshold) for trial in run.trials() if trial.strategy == strategy]
        variance = variance_of(strategy, trials)
        cells: dict[str, float | None] = {"repeats": float(variance.repeats)}
        for key in ("accuracy", "recall", "f1"):
            summary = getattr(variance, key)
            cells[key] = summary.mean if summary else None
            cells[f"{key}_sd"] = summary.deviation if summary else None
        rows.append(ValueRow({"Strategy": title_of(strategy)}, cells))
    return Table("variance", "Repeats: mean and deviation (document-level truth)", tuple(columns), tuple(rows))


def _unscored_table(trials: Sequence[TrialScores]) -> Table:
    rows = tuple(
        ValueRow({"Strategy": title_of(trial.strategy), "Reason": reason}, {"samples": float(count)})
        for trial in trials
        for reason, count in sorted(trial.unscored_reasons.items())
    )
    return Table("unscored", "Samples that could not be scored", (SAMPLES,), rows)
