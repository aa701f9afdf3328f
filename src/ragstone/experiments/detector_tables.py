"""Tables of what stands behind the scores: passages, signals, trivial detectors, controls and time."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.experiments.detection_detectors import detector_scores, score_controls, signal_scores
from ragstone.experiments.detection_scores import Share, TrialScores
from ragstone.experiments.overhead import overhead_of
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.tables import F1, PRECISION, RECALL, ROC_AUC, Column, Table
from ragstone.experiments.value_rows import (
    AVERAGE_PRECISION,
    POISONED,
    SAMPLES,
    ValueRow,
    confusion_row,
    share_row,
    title_of,
)
from ragstone.stats import Confusion

__all__ = ["control_table", "overhead_table", "passage_table", "signal_table", "trivial_table"]


def passage_table(trials: Sequence[TrialScores]) -> Table:
    columns = (
        Column("samples", "Passages", 0, percent=False),
        POISONED,
        Column("flagged", "Flagged", 0, percent=False),
        PRECISION,
        RECALL,
        F1,
    )
    rows = tuple(confusion_row({"Strategy": title_of(t.strategy)}, t.passages) for t in trials)
    return Table("passages", "Flags on the retrieved passages", columns, rows)


def signal_table(run: StoredRun) -> Table:
    columns = (
        Column("recall", "Poisoned with a finding %", 1),
        Column("false", "Sound with a finding %", 1),
        Column("strong", "Poisoned, severe finding %", 1),
        Column("strong_false", "Sound, severe finding %", 1),
    )
    rows = []
    for trial in run.trials():
        for signal in signal_scores(trial, float(run.meta["flag_threshold"])) if trial.repeat == 0 else ():
            shares = {
                "recall": Share(signal.found.true_positives, signal.found.poisoned),
                "false": _false_share(signal.found),
                "strong": Share(signal.strong.true_positives, signal.strong.poisoned),
                "strong_false": _false_share(signal.strong),
            }
            labels = {"Strategy": title_of(trial.strategy), "Signal": title_of(signal.signal)}
            rows.append(share_row(labels, shares))
    return Table("signals", "Each poison signal by itself, over retrieved passages", columns, tuple(rows))


def trivial_table(run: StoredRun) -> Table:
    columns = (
        ROC_AUC,
        AVERAGE_PRECISION,
        Column("recall", "Rec. % at 10 % false alarms", 1),
        Column("passage_roc_auc", "ROC-AUC of passages", 3, percent=False),
    )
    rows = []
    for trial in run.trials():
        for found in detector_scores(trial) if trial.repeat == 0 else ():
            cells = {
                "roc_auc": found.roc_auc,
                "average_precision": found.average_precision,
                "recall": found.recall.value,
                "passage_roc_auc": found.passage_roc_auc,
            }
            labels = {"Strategy": title_of(trial.strategy), "Detector": found.name}
            rows.append(ValueRow(labels, cells, {"recall": found.recall.interval}))
    return Table("trivial", "Ragstone beside trivial detectors (retrieval-grounded truth)", columns, tuple(rows))


def control_table(run: StoredRun) -> Table:
    controls = score_controls(run)
    columns = (Column("count", "Of", 0, percent=False), Column("alarms", "Alarms %", 1))
    if controls is None:
        return Table("controls", "", columns, ())
    shares = {
        "Questions that met an edited document": controls.edited,
        "The same questions before the edits": controls.unedited,
        "Edited passages flagged": controls.edited_passages,
        "Other passages flagged": controls.other_passages,
        **{f"Questions that met: {kind}": share for kind, share in controls.by_kind.items()},
    }
    rows = tuple(
        ValueRow({"Control": label}, {"count": float(share.total), "alarms": share.value}, {"alarms": share.interval})
        for label, share in shares.items()
    )
    return Table("controls", "False alarms on benign edits", columns, rows)


def overhead_table(run: StoredRun) -> Table:
    columns = (
        SAMPLES,
        Column("mean", "Mean, s", 3, percent=False),
        Column("median", "Median, s", 3, percent=False),
        Column("p95", "95th percentile, s", 3, percent=False),
        Column("sum", "Sum, s", 1, percent=False),
    )
    rows = tuple(
        ValueRow(
            {"Stage": stage.name},
            {
                "samples": float(stage.samples),
                "mean": stage.mean,
                "median": stage.median,
                "p95": stage.p95,
                "sum": stage.sum,
            },
        )
        for stage in overhead_of(run).stages
    )
    return Table("overhead", "Time of each stage", columns, rows)


def _false_share(confusion: Confusion) -> Share:
    return Share(confusion.false_positives, confusion.total - confusion.poisoned)
