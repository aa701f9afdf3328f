"""The numbers of paper 000's running text, recomputed from recorded runs; named as in :mod:`.replay_published`.

A function for each section returns its quantities by (row, column), in the unit printed: per cent for proportions. What
the records cannot give is there too, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.datasets.records import Run, select_runs
from ragstone.experiments.replay_tables import (
    BOOTSTRAP_F1,
    LLMS,
    PRIMARY,
    latest,
    pooled_mixed_runs,
    primary_run,
    recorded_signals,
    score_run,
)
from ragstone.experiments.studies import weight_sensitivity
from ragstone.stats import DetectionScores, Estimate, score_detection

__all__ = ["Quantity", "prose_quantities"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A recomputed number in the printed unit. ``recorded`` is False when the records cannot give it."""

    value: float | None
    note: str = ""
    recorded: bool = True


Quantities = dict[tuple[str, str], Quantity]


def prose_quantities(runs: Sequence[Run]) -> dict[tuple[str, str, str], Quantity]:
    """All of them, by (section, row, column)."""
    sections = {
        "IV": _bare_fever,
        "V-A": _strategies,
        "V-B": _weights,
        "V-C": _generators,
        "V-D": _areas,
        "V-E": _depth_and_cost,
        "V-F": _fever,
        "VI": _seconds_per_query,
    }
    return {
        (section, row, column): quantity
        for section, build in sections.items()
        for (row, column), quantity in build(runs).items()
    }


def _bare_fever(runs: Sequence[Run]) -> Quantities:
    shares = ", ".join(
        f"{100 * float(np.mean(run.column('factuality') == 0.5)):.0f} % at K = {run.info.k}"
        for run in select_runs(runs, dataset="fever")
    )
    note = "no run on bare claims was recorded"
    if shares:
        note += f"; in the recorded runs, on enriched claims, F stands on its baseline in {shares}"
    return {("bare FEVER claims", "F on its baseline, share"): Quantity(None, note, recorded=False)}


def _percent(value: float | None, note: str = "") -> Quantity:
    return Quantity(None if value is None else 100.0 * value, note)


def _estimate(row: str, name: str, estimate: Estimate, note: str = "") -> Quantities:
    found: Quantities = {(row, name): _percent(estimate.value)}
    if estimate.interval:
        found[row, f"{name}, low"] = _percent(estimate.interval.low, note)
        found[row, f"{name}, high"] = _percent(estimate.interval.high, note)
    return found


def _headline(row: str, scores: DetectionScores) -> Quantities:
    return {
        **_estimate(row, "accuracy", scores.accuracy),
        **_estimate(row, "precision", scores.precision),
        **_estimate(row, "recall", scores.recall),
        **_estimate(row, "F1", scores.f1, "a percentile of a stepped distribution, which moves with the seed"),
        (row, "delta"): Quantity(scores.separation.value),
    }


def _strategies(runs: Sequence[Run]) -> Quantities:
    found: Quantities = {}
    for strategy in ("mixed", "injection", "contradiction", "subtle", "entity_swap"):
        run = latest(runs, **PRIMARY, strategy=strategy)
        if run is None:
            continue
        scores = score_run(run, resampling=BOOTSTRAP_F1)
        found |= _headline(strategy, scores)
        poison = run.column("poison_probability")[run.poisoned]
        if len(poison):
            mean = float(poison.mean())
            found[strategy, "mean P of poisoned"] = Quantity(mean, f"{mean:.4f} over {len(poison)} poisoned samples")
        if scores.accuracy.value and scores.naive_accuracy:
            points = 100.0 * (scores.accuracy.value - scores.naive_accuracy)
            found[strategy, "gain over always-trust"] = _percent(
                scores.accuracy.value / scores.naive_accuracy - 1.0, f"as a ratio; it is {points:.1f} points"
            )
    return found


def _weights(runs: Sequence[Run]) -> Quantities:
    run = primary_run(runs)
    if run is None:
        return {}
    row = "weights ±0.10"
    study = weight_sensitivity(recorded_signals(run))
    found: Quantities = {
        (row, "settings"): Quantity(float(len(study.settings))),
        (row, "settings above the default"): Quantity(float(len(study.better))),
    }
    for metric, name in (("accuracy", "accuracy"), ("f1", "F1"), ("precision", "precision")):
        if bounds := study.range_of(metric):
            found[row, f"{name}, least"] = _percent(bounds[0])
            found[row, f"{name}, greatest"] = _percent(bounds[1])
    return found


def _grid_runs(runs: Sequence[Run], llm: str) -> list[Run]:
    embeddings = dict.fromkeys(run.info.embedding for run in runs)
    found = (latest(runs, **PRIMARY | {"llm": llm, "embedding": e, "k": 3}, strategy="mixed") for e in embeddings)
    return [run for run in found if run]


def _generators(runs: Sequence[Run]) -> Quantities:
    found: Quantities = {}
    for row, llm in (("Qwen, K = 3", "qwen3.5:35b"), ("Llama, K = 3", "llama3.3:70b")):
        grid = _grid_runs(runs, llm)
        if not grid:
            continue
        scores = [score_run(run) for run in grid]
        means = [float(run.trust[~run.poisoned].mean()) for run in grid]
        each = ", ".join(f"{mean:.3f} with {run.info.embedding}" for mean, run in zip(means, grid, strict=True))
        found[row, "mean clean trust"] = Quantity(float(np.mean(means)), f"the mean of {each}")
        false_positives = [score.confusion.false_positives for score in scores]
        found[row, "false positives, fewest"] = Quantity(float(min(false_positives)))
        found[row, "false positives, most"] = Quantity(float(max(false_positives)))
        found[row, "clean samples"] = Quantity(float((~grid[0].poisoned).sum()))
        found[row, "points below always-trust"] = _points_below_naive(scores[0])
    return found


def _points_below_naive(scores: DetectionScores) -> Quantity:
    if scores.naive_accuracy is None or scores.accuracy.value is None:
        return Quantity(None)
    return _percent(scores.naive_accuracy - scores.accuracy.value)


def _areas(runs: Sequence[Run]) -> Quantities:
    found: Quantities = {}
    for llm, label in LLMS.items():
        if pooled := pooled_mixed_runs(runs, llm):
            trust = np.concatenate([run.trust for run in pooled])
            poisoned = np.concatenate([run.poisoned for run in pooled])
            area = score_detection(trust, poisoned, resampling=None).roc_auc.value
            found["pooled mixed runs", f"ROC-AUC, {label}"] = Quantity(area)
        if run := latest(runs, **PRIMARY | {"llm": llm}, strategy="mixed"):
            found["K = 5, MiniLM", f"accuracy, {label}"] = _percent(score_run(run).accuracy.value)
    return found


def _depth_and_cost(runs: Sequence[Run]) -> Quantities:
    found: Quantities = {}
    seconds = {}
    shallow, deep = (latest(runs, **PRIMARY | {"k": k}, strategy="mixed") for k in (3, 5))
    if shallow is None or deep is None:
        return {}
    for k, run in ((3, shallow), (5, deep)):
        found |= _headline(f"K = {k}", score_run(run))
        seconds[k] = _seconds(run, "evaluation_ms")
    found["cost", "evaluation, seconds"] = Quantity(seconds[5])
    if seconds[5] > 0.0:
        found["cost", "evaluation at K = 3, share of K = 5"] = Quantity(
            seconds[3] / seconds[5], f"{seconds[3]:.1f} s at K = 3, {seconds[5]:.1f} s at K = 5"
        )
    found["cost", "overhead over plain RAG, times"] = _overhead(deep)
    return found


def _overhead(run: Run) -> Quantity:
    generation, evaluation, total = (_seconds(run, f"{stage}_ms") for stage in ("generation", "evaluation", "total"))
    if generation > 0.0:
        return Quantity(evaluation / generation, "evaluation time by generation time")
    note = "no generation time was recorded (generation_ms is 0)"
    if total > evaluation:
        note += (
            f"; taking all time outside evaluation as plain RAG, {total - evaluation:.1f} s, evaluation costs "
            f"{evaluation / (total - evaluation):.1f} times as much"
        )
    return Quantity(None, note, recorded=False)


def _seconds(run: Run, column: str) -> float:
    return float(run.column(column).mean()) / 1000.0


def _fever(runs: Sequence[Run]) -> Quantities:
    run = latest(runs, **PRIMARY | {"dataset": "fever"}, strategy="mixed")
    if run is None:
        return {}
    scores = score_run(run)
    return {
        ("FEVER, K = 5", "accuracy"): _percent(scores.accuracy.value),
        ("FEVER, K = 5", "points below always-trust"): _points_below_naive(scores),
        ("FEVER, K = 5", "delta"): Quantity(scores.separation.value),
    }


def _seconds_per_query(runs: Sequence[Run]) -> Quantities:
    run = primary_run(runs)
    return {("cost", "seconds per query"): Quantity(_seconds(run, "total_ms"))} if run else {}
