"""The tables of several stored runs side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragstone.errors import InputError
from ragstone.experiments.detection_record import DetectionRecord, Part
from ragstone.experiments.detection_scores import Share, clean_trust, score_trial, share_of
from ragstone.experiments.detection_studies import baseline_shares
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.study_tables import BASELINE, SCORES
from ragstone.experiments.tables import THRESHOLD, Column, Table
from ragstone.experiments.thresholds import fit_threshold
from ragstone.experiments.value_rows import SAMPLES, ValueRow, detection_row, share_row, title_of
from ragstone.stats import Resampling, mcnemar

__all__ = ["comparison_tables"]


def comparison_tables(runs: Sequence[StoredRun], *, resampling: Resampling | None = None) -> tuple[Table, ...]:
    """Several runs side by side: their main strategies, McNemar against the first, and thresholds carried over.

    This is the generator x embedder grid, the comparison of retrieval depths or presets, and bare against enriched
    FEVER: whatever the runs differ in. Raises InputError for fewer than two runs or two of the same name.
    """
    if len(runs) < 2:
        raise InputError("a comparison needs at least two runs")
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise InputError(f"runs are told apart by the names of their folders, which must differ: {', '.join(names)}")
    tables = (_grid_table(runs, resampling), _mcnemar_table(runs), _transfer_table(runs))
    return tuple(table for table in tables if table.rows)


def _grid_table(runs: Sequence[StoredRun], resampling: Resampling | None) -> Table:
    rows = []
    configurations = [_configuration(run) for run in runs]
    varied = [name for name in configurations[0] if len({found[name] for found in configurations}) > 1]
    for run, configuration in zip(runs, configurations, strict=True):
        labels = {"Run": run.name, **{name: configuration[name] for name in varied}}
        scores = score_trial(run.trial(run.main_strategy), run.threshold, resampling=resampling)
        row = detection_row(labels, scores.document)
        retrieval = scores.retrieval
        found = baseline_shares(run)
        baseline = Share(sum(s.count for s in found.values()), sum(s.total for s in found.values()))
        cells = {
            **row.cells,
            "recall_retrieval": retrieval.recall.value,
            "f1_retrieval": retrieval.f1.value,
            "baseline": baseline.value,
        }
        rows.append(ValueRow(row.labels, cells, row.intervals, row.further))
    columns = (
        *SCORES,
        Column("recall_retrieval", "Rec. % (retrieval)", 1),
        Column("f1_retrieval", "F1 % (retrieval)", 1),
        BASELINE,
    )
    return Table("grid", "Runs side by side (document-level truth; the last three on retrieval)", columns, tuple(rows))


def _configuration(run: StoredRun) -> dict[str, str]:
    meta = run.meta
    return {
        "Data": f"{meta['dataset']} {meta['split']}",
        "Generator": str(meta["generator"]),
        "Embedder": str(meta["embedder"]),
        "K": str(meta["retrieval"]["top_k"]),
        "Preset": str(meta["preset"]),
        "Strategy": title_of(run.main_strategy),
    }


def _mcnemar_table(runs: Sequence[StoredRun]) -> Table:
    columns = (
        SAMPLES,
        Column("only_first", "Only the first right", 0, percent=False),
        Column("only_second", "Only the second right", 0, percent=False),
        Column("p_value", "p", 4, percent=False),
    )
    rows = []
    first = runs[0]
    for other in runs[1:]:
        pairs = _paired(first, other)
        if not pairs:
            continue
        test = mcnemar(
            np.array([_flagged(a, first) for a, _ in pairs], dtype=bool),
            np.array([_flagged(b, other) for _, b in pairs], dtype=bool),
            np.array([a.poisoned for a, _ in pairs], dtype=bool),
        )
        cells = {
            "samples": float(len(pairs)),
            "only_first": float(test.only_first_right),
            "only_second": float(test.only_second_right),
            "p_value": test.p_value,
        }
        rows.append(ValueRow({"First": first.name, "Second": other.name}, cells))
    return Table(
        "mcnemar", "McNemar's test on the samples both runs scored (document-level truth)", columns, tuple(rows)
    )


def _paired(first: StoredRun, other: StoredRun) -> list[tuple[DetectionRecord, DetectionRecord]]:
    """The same question, part and label in both runs, scored in both; none when the main strategies differ."""
    if first.main_strategy != other.main_strategy:
        return []

    def by_place(run: StoredRun) -> dict[tuple[str, str, bool], DetectionRecord]:
        return {(r.part.value, r.sample_id, r.poisoned): r for r in run.trial(run.main_strategy).records}

    one, two = by_place(first), by_place(other)
    both = [(one[key], two[key]) for key in one if key in two]
    return [(a, b) for a, b in both if a.trust is not None and b.trust is not None]


def _flagged(record: DetectionRecord, run: StoredRun) -> bool:
    return record.trust is not None and record.trust < run.threshold


def _transfer_table(runs: Sequence[StoredRun]) -> Table:
    """Tau fitted on one run's clean samples, used on another's."""
    columns = (THRESHOLD, Column("false_alarms", "False alarms %", 1), Column("recall", "Rec. %", 1))
    rows = []
    for source in runs:
        if not (scores := clean_trust(source)):
            continue
        threshold = fit_threshold(scores)
        for target in runs:
            poisoned = [r for r in target.arm(Part.POISONED, target.main_strategy) if r.retrieved_poison]
            shares = {
                "false_alarms": share_of(trust < threshold for trust in clean_trust(target)),
                "recall": share_of(r.trust < threshold for r in poisoned if r.trust is not None),
            }
            row = share_row({"Fitted on": source.name, "Used on": target.name}, shares)
            rows.append(ValueRow(row.labels, {**row.cells, "threshold": threshold}, row.intervals))
    title = "A threshold (10th percentile of clean trust) carried over to other runs (retrieval-grounded truth)"
    return Table("transfer", title, columns, tuple(rows))
