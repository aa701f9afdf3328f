"""Tables I to VI of paper 000, recomputed from recorded runs.

Which run stands behind a row is decided by its configuration: the latest run that has it. Where a configuration was
not recorded, its row is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ragstone.datasets.records import Run, select_runs
from ragstone.experiments import tables
from ragstone.experiments.studies import SignalTable, ablation
from ragstone.experiments.tables import BaselineRow, DetectionRow, Row, Table, ThresholdRow, VarianceRow
from ragstone.experiments.thresholds import threshold_study
from ragstone.stats import DetectionScores, Resampling, mean_deviation, naive_baseline, score_detection

__all__ = [
    "BOOTSTRAP_F1",
    "LLMS",
    "PRIMARY",
    "SPLIT_SEED",
    "ablation_table",
    "all_tables",
    "grid_table",
    "latest",
    "pooled_mixed_runs",
    "primary_run",
    "recorded_signals",
    "score_run",
    "secure_coding_table",
    "strategy_table",
    "threshold_table",
    "variance_table",
]

PRIMARY = {"dataset": "truthfulqa", "llm": "llama3.3:70b", "embedding": "all-MiniLM-L6-v2", "k": 5, "ablation": None}
SECURE_CODING = PRIMARY | {"dataset": "seccode"}
LLMS = {"llama3.3:70b": "Llama 3.3 70B", "qwen3.5:35b": "Qwen 3.5 35B", "mistral:7b-instruct": "Mistral 7B Instruct"}
EMBEDDINGS = {"all-MiniLM-L6-v2": "MiniLM", "snowflake-arctic-embed2:latest": "Snowflake"}
STRATEGIES = {
    "injection": "Instruction injection",
    "contradiction": "Contradiction",
    "subtle": "Subtle manipulation",
    "entity_swap": "Entity swap",
    "mixed": "Mixed",
}
# The split of Table IV is that of the analysis script published beside the paper: one NumPy generator seeded with 42
# for all language models in this order, over runs sorted by name. The records themselves do not hold the split.
SPLIT_SEED = 42
BOOTSTRAP = Resampling()
BOOTSTRAP_F1 = Resampling(statistics=("f1",))


def latest(runs: Sequence[Run], **wanted: object) -> Run | None:
    """The most recent run of a configuration."""
    found = select_runs(runs, **wanted)
    return found[-1] if found else None


def primary_run(runs: Sequence[Run]) -> Run | None:
    """The paper's primary run: TruthfulQA, mixed strategies, Llama 3.3 70B, MiniLM, K = 5."""
    return latest(runs, **PRIMARY, strategy="mixed")


def score_run(run: Run, *, answered_only: bool = False, resampling: Resampling | None = None) -> DetectionScores:
    """A run at its own threshold of 0.5, as published or with empty and failed answers set apart as unscored."""
    trust = run.trust_of_answers if answered_only else run.trust
    return score_detection(trust, run.poisoned, resampling=resampling)


def recorded_signals(run: Run) -> SignalTable:
    """F, C and P of a run's samples. The best retrieval score was not recorded."""
    return SignalTable(
        run.column("factuality"), run.column("consistency"), run.column("poison_probability"), run.poisoned
    )


def all_tables(runs: Sequence[Run]) -> tuple[Table, ...]:
    """Tables I to VI, in order."""
    builders = (strategy_table, ablation_table, grid_table, threshold_table, variance_table, secure_coding_table)
    return tuple(build(runs) for build in builders)


def strategy_table(runs: Sequence[Run]) -> Table:
    """Table I: detection by strategy on TruthfulQA."""
    rows = tuple(_by_strategy(runs, PRIMARY))
    return Table("I", "Detection by strategy, TruthfulQA, K = 5", (*tables.DETECTION, tables.DELTA), rows)


def secure_coding_table(runs: Sequence[Run]) -> Table:
    """Table VI: detection by strategy on the secure-coding rules."""
    rows = tuple(_by_strategy(runs, SECURE_CODING))
    return Table("VI", "Detection by strategy, secure coding, K = 5", (*tables.DETECTION, tables.DELTA), rows)


def _by_strategy(runs: Sequence[Run], configuration: dict[str, object]) -> Iterator[DetectionRow]:
    for strategy, label in STRATEGIES.items():
        if run := latest(runs, **configuration, strategy=strategy):
            yield DetectionRow({"Strategy": label}, (run.name,), score_run(run, resampling=BOOTSTRAP))


def ablation_table(runs: Sequence[Run]) -> Table:
    """Table II: the primary run's stored signals, weighted in five ways."""
    run = primary_run(runs)
    rows: tuple[Row, ...] = ()
    if run:
        studies = ablation(recorded_signals(run), resampling=BOOTSTRAP)
        rows = tuple(DetectionRow({"Configuration": name}, (run.name,), scores) for name, scores in studies.items())
    return Table("II", "Component ablation of the primary run", tables.DETECTION, rows)


def grid_table(runs: Sequence[Run]) -> Table:
    """Table III: language model by embedding at K = 3, and the naive baseline."""
    rows: list[Row] = []
    for llm, embedding in _combinations(select_runs(runs, dataset="truthfulqa", strategy="mixed", k=3, ablation=None)):
        chosen = PRIMARY | {"llm": llm, "embedding": embedding, "k": 3}
        if run := latest(runs, **chosen, strategy="mixed"):
            labels = {"LLM": LLMS.get(llm, llm), "Embedding": EMBEDDINGS.get(embedding, embedding)}
            rows.append(DetectionRow(labels, (run.name,), score_run(run, resampling=BOOTSTRAP)))
            naive = naive_baseline(run.poisoned).accuracy
    if rows:
        rows.append(BaselineRow({"LLM": "Naive always-trust", "Embedding": ""}, naive))
    columns = (*tables.DETECTION, tables.DELTA)
    return Table("III", "LLM by embedding, TruthfulQA mixed, K = 3", columns, tuple(rows))


def _combinations(runs: Sequence[Run]) -> list[tuple[str, str]]:
    order = list(LLMS)
    found = {(run.info.llm, run.info.embedding) for run in runs}
    return sorted(found, key=lambda pair: (order.index(pair[0]) if pair[0] in order else len(order), *pair))


def pooled_mixed_runs(runs: Sequence[Run], llm: str) -> tuple[Run, ...]:
    """All TruthfulQA mixed runs of a language model at K = 5, both embeddings, by name: what Table IV pools."""
    found = select_runs(runs, dataset="truthfulqa", strategy="mixed", k=5, ablation=None, llm=llm)
    return tuple(sorted(found, key=lambda run: run.name))


def threshold_table(runs: Sequence[Run]) -> Table:
    """Table IV: τ fitted for each language model on half of its clean samples, judged on the rest."""
    generator = np.random.default_rng(SPLIT_SEED)
    rows: list[Row] = []
    for llm, label in LLMS.items():
        pooled = pooled_mixed_runs(runs, llm)
        if not pooled:
            continue
        trust = np.concatenate([run.trust for run in pooled])
        poisoned = np.concatenate([run.poisoned for run in pooled])
        study = threshold_study(trust, poisoned, generator=generator)
        area = score_detection(trust, poisoned, resampling=None).roc_auc.value
        names = tuple(run.name for run in pooled)
        for kind, scores in (("default", study.default), ("fitted", study.fitted)):
            rows.append(ThresholdRow({"LLM": label, "Setting": kind}, names, scores, area))
    columns = (tables.THRESHOLD, *tables.DETECTION, tables.ROC_AUC)
    return Table("IV", "Threshold fitted for each LLM, TruthfulQA mixed, K = 5", columns, tuple(rows))


def variance_table(runs: Sequence[Run]) -> Table:
    """Table V: mean and deviation over the repeats of each strategy."""
    rows = []
    for strategy, label in STRATEGIES.items():
        if repeats := select_runs(runs, **PRIMARY, strategy=strategy):
            confusions = [score_run(run).confusion for run in repeats]
            names = tuple(run.name for run in repeats)
            summaries = (mean_deviation(getattr(c, key) for c in confusions) for key in ("accuracy", "recall", "f1"))
            rows.append(VarianceRow({"Strategy": label}, names, *summaries))
    columns = [tables.Column("repeats", "R", 0, percent=False)]
    for column in (tables.ACCURACY, tables.RECALL, tables.F1):
        columns += [column, replace(column, key=f"{column.key}_sd", heading="±")]
    return Table("V", "Run-to-run variance, TruthfulQA, K = 5", tuple(columns), tuple(rows))
