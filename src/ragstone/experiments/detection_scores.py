"""Metrics of a stored detection run, by strategy and repeat, against both kinds of truth (paper 000, section IV)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.experiments.detection_record import DetectionRecord, Part
from ragstone.experiments.stored_runs import StoredRun, Trial
from ragstone.stats import (
    Confusion,
    DetectionScores,
    Interval,
    MeanDeviation,
    Resampling,
    mean_deviation,
    score_detection,
    wilson_interval,
)
from ragstone.types import Action

__all__ = [
    "Share",
    "TrialScores",
    "Variance",
    "clean_trust",
    "passage_confusion",
    "recall_by_strategy",
    "score_trial",
    "share_of",
    "variance_of",
]


@dataclass(frozen=True, slots=True)
class Share:
    """``count`` of ``total``; the proportion is None when there is nothing to count."""

    count: int
    total: int

    @property
    def value(self) -> float | None:
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> Interval | None:
        """Wilson, 95 %."""
        return wilson_interval(self.count, self.total)


def share_of(values: Iterable[bool]) -> Share:
    listed = list(values)
    return Share(sum(listed), len(listed))


@dataclass(frozen=True, slots=True)
class TrialScores:
    """One strategy in one repeat.

    ``document`` and ``retrieval`` score predictions T < tau against the document-level and the retrieval-grounded
    label. ``gate`` counts an answer that is not accepted as flagged. ``passages`` scores the flags on the retrieved
    passages. ``spillover``: clean questions of part B that retrieved a poisoned neighbour. ``exposure``: poisoned
    questions whose retrieved passages held any poison.
    """

    strategy: str
    repeat: int
    document: DetectionScores
    retrieval: DetectionScores
    gate: Confusion
    passages: Confusion
    spillover: Share
    exposure: Share
    unscored_reasons: dict[str, int]


def score_trial(trial: Trial, threshold: float, *, resampling: Resampling | None = None) -> TrialScores:
    """Score one trial at ``threshold``. Bootstrap intervals, over questions, when ``resampling`` is given."""
    records = trial.records
    scored = [record for record in records if record.trust is not None]
    reasons: dict[str, int] = {}
    for record in records:
        if record.unscored_reason is not None:
            reasons[record.unscored_reason] = reasons.get(record.unscored_reason, 0) + 1
    part_b = trial.part_b
    return TrialScores(
        strategy=trial.strategy,
        repeat=trial.repeat,
        document=_score(records, [r.poisoned for r in records], threshold, resampling),
        retrieval=_score(records, [r.retrieved_poison for r in records], threshold, resampling),
        gate=_confusion([r.action is not Action.ACCEPT for r in scored], [r.retrieved_poison for r in scored]),
        passages=passage_confusion(records),
        spillover=share_of(r.retrieved_poison for r in part_b if not r.poisoned),
        exposure=share_of(r.retrieved_poison for r in part_b if r.poisoned),
        unscored_reasons=reasons,
    )


def passage_confusion(records: Sequence[DetectionRecord]) -> Confusion:
    """Flags against poison, over every passage of every retrieval."""
    passages = [passage for record in records for passage in record.passages]
    return _confusion([p.flagged for p in passages], [p.strategy is not None for p in passages])


def recall_by_strategy(trial: Trial, threshold: float) -> dict[str, Share]:
    """By the strategy that poisoned a retrieved passage: how many of the samples that retrieved one were flagged.

    Under ``mixed`` these are the strategies drawn. A sample that retrieved several counts for each.
    """
    flagged: dict[str, list[bool]] = {}
    for record in trial.part_b:
        if record.trust is not None:
            for strategy in record.retrieved_strategies:
                flagged.setdefault(strategy, []).append(record.trust < threshold)
    return {strategy: share_of(values) for strategy, values in sorted(flagged.items())}


@dataclass(frozen=True, slots=True)
class Variance:
    """Mean and population deviation over repeats, document-level as in paper 000's Table V."""

    strategy: str
    repeats: int
    accuracy: MeanDeviation | None
    recall: MeanDeviation | None
    f1: MeanDeviation | None


def variance_of(strategy: str, trials: Sequence[TrialScores]) -> Variance:
    confusions = [scores.document.confusion for scores in trials]
    return Variance(
        strategy,
        len(trials),
        mean_deviation(confusion.accuracy for confusion in confusions),
        mean_deviation(confusion.recall for confusion in confusions),
        mean_deviation(confusion.f1 for confusion in confusions),
    )


def clean_trust(run: StoredRun, repeat: int | None = 0) -> list[float]:
    """Trust of the scored samples of part A."""
    return [record.trust for record in run.arm(Part.CLEAN, None, repeat) if record.trust is not None]


def _score(
    records: Sequence[DetectionRecord], truth: list[bool], threshold: float, resampling: Resampling | None
) -> DetectionScores:
    return score_detection(
        [record.trust for record in records],
        np.array(truth, dtype=bool),
        threshold=threshold,
        clusters=[record.sample_id for record in records],
        resampling=resampling,
    )


def _confusion(flagged: list[bool], truth: list[bool]) -> Confusion:
    return Confusion.of(np.array(flagged, dtype=bool), np.array(truth, dtype=bool))
