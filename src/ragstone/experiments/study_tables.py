"""The tables of the studies of one stored run."""

from __future__ import annotations

from collections.abc import Mapping

from ragstone.experiments.detection_studies import (
    StudySamples,
    baseline_shares,
    poison_without,
    study_samples,
    threshold_effect,
)
from ragstone.experiments.scarce_labels import drift, scarce_labels
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.studies import ablation, leave_one_component_out, leave_one_signal_out, weight_sensitivity
from ragstone.experiments.tables import ACCURACY, DELTA, F1, PRECISION, RECALL, ROC_AUC, THRESHOLD, Column, Table
from ragstone.experiments.value_rows import SAMPLES, ValueRow, detection_row, title_of
from ragstone.stats import DetectionScores, Resampling

__all__ = ["BASELINE", "SCORES", "study_tables"]

SCORES = (ACCURACY, PRECISION, RECALL, F1, DELTA, ROC_AUC)
BASELINE = Column("baseline", "F on baseline %", 1)
_TRUTHS = {"retrieval": "retrieval-grounded", "document": "document-level"}


def study_tables(run: StoredRun, *, resampling: Resampling | None = None) -> tuple[Table, ...]:
    """Ablation, leave-one-out, weight sensitivity, threshold, scarce labels, drift and the baseline of F.

    All are of the run's main strategy in its first repeat. Raises InputError for a run without answers.
    """
    samples = {truth: study_samples(run, truth=truth) for truth in _TRUTHS}
    tables = (
        *(_ablation_table(run, samples[truth], truth, resampling) for truth in _TRUTHS),
        _leave_out_table(run, samples["retrieval"], resampling),
        _sensitivity_table(run, samples),
        _threshold_table(run, samples["retrieval"], resampling),
        _scarce_table(run),
        _drift_table(run),
        _baseline_table(run),
    )
    return tuple(table for table in tables if table.rows)


def _ablation_table(run: StoredRun, samples: StudySamples, truth: str, resampling: Resampling | None) -> Table:
    scores = ablation(samples.signals, run.trust_settings, resampling=resampling)
    title = f"Component ablation, {title_of(run.main_strategy).lower()}, {_TRUTHS[truth]} truth"
    return Table(f"ablation-{truth}", title, SCORES, _score_rows("Configuration", scores))


def _leave_out_table(run: StoredRun, samples: StudySamples, resampling: Resampling | None) -> Table:
    components = leave_one_component_out(samples.signals, run.trust_settings, resampling=resampling)
    without = poison_without(samples.records, float(run.meta["flag_threshold"]))
    signals = leave_one_signal_out(samples.signals, without, run.trust_settings, resampling=resampling)
    scores = {name.replace("_", " "): found for name, found in {**components, **signals}.items()}
    return Table("leave-one-out", "Without one component, and without one signal", SCORES, _score_rows("Trust", scores))


def _score_rows(heading: str, scores: Mapping[str, DetectionScores]) -> tuple[ValueRow, ...]:
    return tuple(detection_row({heading: name[:1].upper() + name[1:]}, found) for name, found in scores.items())


def _sensitivity_table(run: StoredRun, samples: Mapping[str, StudySamples]) -> Table:
    columns = (
        Column("default", "Default weights %", 1),
        Column("least", "Least %", 1),
        Column("greatest", "Greatest %", 1),
        Column("settings", "Settings", 0, percent=False),
        Column("better", "Better than default", 0, percent=False),
    )
    rows = []
    for truth, chosen in samples.items():
        study = weight_sensitivity(chosen.signals, run.trust_settings)
        for metric in ("accuracy", "precision", "recall", "f1"):
            bounds = study.range_of(metric) or (None, None)
            default = getattr(study.default.confusion, metric)
            better = sum((getattr(s.confusion, metric) or 0.0) > (default or 0.0) + 1e-12 for s in study.settings)
            cells = {
                "default": default,
                "least": bounds[0],
                "greatest": bounds[1],
                "settings": float(len(study.settings)),
                "better": float(better),
            }
            labels = {"Truth": _TRUTHS[truth], "Metric": "F1" if metric == "f1" else metric}
            rows.append(ValueRow(labels, cells))
    return Table("sensitivity", "Each weight moved by up to ±0.10", columns, tuple(rows))


def _threshold_table(run: StoredRun, samples: StudySamples, resampling: Resampling | None) -> Table:
    study = threshold_effect(samples, run.threshold, resampling=resampling)
    rows = []
    for name, scores in (("Default", study.default), ("10th percentile", study.fitted)):
        row = detection_row({"τ": name}, scores)
        cells = {**row.cells, "threshold": scores.threshold}
        rows.append(ValueRow(row.labels, cells, row.intervals, {**row.further, "fitted_on": study.fitted_on}))
    title = f"Threshold for {run.meta['generator']}: fitted on half of the questions, judged on the others"
    return Table("threshold", title, (THRESHOLD, *SCORES), tuple(rows))


def _scarce_table(run: StoredRun) -> Table:
    columns = (
        Column("labels", "Clean labels", 0, percent=False),
        Column("mean", "False alarms, mean %", 1),
        Column("low", "5th pct. %", 1),
        Column("high", "95th pct. %", 1),
        Column("broken", "Draws over it %", 1),
        Column("recall", "Rec. %", 1),
    )
    rows = tuple(
        ValueRow(
            {"Threshold": found.method},
            {"labels": float(found.labels), **{c.key: getattr(found, c.key) for c in columns[1:]}},
        )
        for found in scarce_labels(run)
    )
    return Table("scarce-labels", "Thresholds from few clean labels, for 10 % false alarms", columns, rows)


def _drift_table(run: StoredRun) -> Table:
    columns = (
        Column("share", "Meet the poisoned corpus %", 0),
        Column("false_alarms", "False alarms %", 1),
        RECALL,
    )
    rows = tuple(
        ValueRow(
            {"Threshold": step.policy},
            {"share": step.share, "false_alarms": step.false_alarms, "recall": step.recall},
        )
        for step in drift(run)
    )
    return Table("drift", "A corpus that is poisoned more and more: keeping or refitting the threshold", columns, rows)


def _baseline_table(run: StoredRun) -> Table:
    rows = tuple(
        ValueRow(
            {"Part": name.capitalize()},
            {"samples": float(share.total), "baseline": share.value},
            {"baseline": share.interval},
        )
        for name, share in baseline_shares(run).items()
    )
    return Table("baseline", "How often factuality stood on its inconclusive baseline", (SAMPLES, BASELINE), rows)
