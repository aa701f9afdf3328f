"""Samples without an answer: how many each run has, and what its scores are with those set apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.datasets.records import AnswerState, Run
from ragstone.experiments.replay_tables import score_run
from ragstone.stats import DetectionScores

__all__ = ["RunSummary", "summarise_run"]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run: its scores as published (every sample a prediction) and over the answered samples alone.

    ``false_positives_unanswered`` and ``true_positives_unanswered`` count the flagged samples that have no answer.
    ``on_baseline`` is the number of samples whose F is its baseline of 0.5.
    """

    name: str
    dataset: str
    llm: str
    embedding: str
    k: int
    strategy: str
    ablation: str | None
    samples: int
    empty: int
    failed: int
    on_baseline: int
    false_positives_unanswered: int
    true_positives_unanswered: int
    as_published: DetectionScores
    answered_only: DetectionScores

    @property
    def unanswered(self) -> int:
        return self.empty + self.failed


def summarise_run(run: Run) -> RunSummary:
    """Count and score one run. The published verdict is the default threshold of 0.5."""
    published = score_run(run)
    missing = np.array([state is not AnswerState.ANSWERED for state in run.states], dtype=bool)
    flagged = run.trust < published.threshold
    return RunSummary(
        name=run.name,
        dataset=run.info.dataset,
        llm=run.info.llm,
        embedding=run.info.embedding,
        k=run.info.k,
        strategy=run.info.strategy,
        ablation=run.info.ablation,
        samples=len(run.samples),
        empty=run.count(AnswerState.EMPTY),
        failed=run.count(AnswerState.FAILED),
        on_baseline=int((run.column("factuality") == 0.5).sum()),
        false_positives_unanswered=int((missing & flagged & ~run.poisoned).sum()),
        true_positives_unanswered=int((missing & flagged & run.poisoned).sum()),
        as_published=published,
        answered_only=score_run(run, answered_only=True),
    )


def summarise_runs(runs: Sequence[Run]) -> tuple[RunSummary, ...]:
    return tuple(summarise_run(run) for run in runs)
