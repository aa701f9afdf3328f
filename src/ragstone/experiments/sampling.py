"""One sample of a detection run: retrieve, answer, judge, and put down what was seen."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from ragstone.backends.protocols import Embedder
from ragstone.experiments.answers import NONE, Answered, AnswerSource
from ragstone.experiments.detection_record import DetectionRecord, Part, RetrievedPassage, Signalled
from ragstone.experiments.protocol import CorpusArm, Task
from ragstone.experiments.runs import RunFolder
from ragstone.experiments.screened import screening_verdict
from ragstone.experiments.trivial import TrivialFeatures, trivial_features
from ragstone.guard import Guard
from ragstone.retrieval import Retriever
from ragstone.screening.aggregate import best_similarity
from ragstone.settings import Settings
from ragstone.types import Passage, Verdict

__all__ = ["Sampler"]


class Sampler:
    """Asks one task at a time; indexes each corpus when its first question comes."""

    def __init__(
        self, settings: Settings, guard: Guard, embedder: Embedder, answers: AnswerSource, folder: RunFolder
    ) -> None:
        self._settings = settings
        self._guard = guard
        self._embedder = embedder
        self._answers = answers
        self._folder = folder
        self._indexed: tuple[CorpusArm, Retriever] | None = None

    def run(self, task: Task) -> DetectionRecord:
        start = time.perf_counter()
        retriever = self._retriever(task.arm)
        begun = time.perf_counter()
        passages = retriever.search(task.sample.question)
        retrieved = time.perf_counter()
        answered = self._answers.answer(task, passages, self._folder)
        pairs = self._guard.pairs_scored
        verdict = self._verdict(task.sample.question, passages, answered)
        timings = {
            "retrieval": retrieved - begun,
            "generation": answered.seconds,
            "screening": verdict.timings.get("screening", 0.0),
            "verification": verdict.timings.get("verification", 0.0),
        }
        features = trivial_features(task.sample.question, passages, self._embedder)
        rows = tuple(
            _passage(task.arm, passage, verdict, feature) for passage, feature in zip(passages, features, strict=True)
        )
        timings["total"] = time.perf_counter() - start
        return _record(task, answered, rows, verdict, self._guard.pairs_scored - pairs, timings)

    def _retriever(self, arm: CorpusArm) -> Retriever:
        if self._indexed is None or self._indexed[0] is not arm:
            retriever = Retriever(self._embedder, self._settings)
            retriever.index(arm.documents)
            self._indexed = (arm, retriever)
        return self._indexed[1]

    def _verdict(self, question: str, passages: tuple[Passage, ...], answered: Answered) -> Verdict:
        begun = time.perf_counter()
        screening = self._guard.screen(question, passages)
        seconds = time.perf_counter() - begun
        if self._answers.identity == NONE:
            return screening_verdict(screening, self._guard, self._settings, seconds)
        if answered.reason is not None:
            return self._guard.unscored(answered.reason, screening=screening, timings={"screening": seconds})
        verdict = self._guard.evaluate(question, passages, answered.text or "", screening=screening)
        return _timed(verdict, seconds)


def _timed(verdict: Verdict, screening_seconds: float) -> Verdict:
    return replace(verdict, timings={**verdict.timings, "screening": screening_seconds})


def _passage(arm: CorpusArm, passage: Passage, verdict: Verdict, features: TrivialFeatures) -> RetrievedPassage:
    screening = verdict.screening
    change = arm.changed.get(str(passage.metadata.get("document_id", passage.id)))
    poisoned = arm.part is Part.POISONED
    return RetrievedPassage(
        id=passage.id,
        score=passage.score,
        poison=screening.poison_by_passage[passage.id] if screening else 0.0,
        flagged=screening is not None and passage.id in screening.flagged,
        strategy=change if poisoned else None,
        edit=None if poisoned else change,
        words=features.words,
        overlap=features.overlap,
        neighbour=features.neighbour,
    )


def _record(
    task: Task,
    answered: Answered,
    passages: tuple[RetrievedPassage, ...],
    verdict: Verdict,
    pairs: int,
    timings: Mapping[str, float],
) -> DetectionRecord:
    found = verdict.screening.findings if verdict.screening else ()
    applied = task.arm.applied.get(task.index)
    return DetectionRecord(
        key=task.key,
        part=task.arm.part,
        strategy=task.arm.strategy,
        repeat=task.repeat,
        index=task.index,
        sample_id=task.sample.id,
        question=task.sample.question,
        expected=task.sample.expected,
        answer=answered.text,
        poisoned=task.arm.part is Part.POISONED and applied is not None,
        applied=applied,
        passages=passages,
        findings=tuple(
            Signalled(passage=f.passage_id, signal=f.signal, rule=f.rule, severity=f.severity) for f in found
        ),
        factuality=verdict.components.factuality,
        consistency=verdict.components.consistency,
        poison=verdict.components.poison,
        trust=verdict.trust,
        trustworthy=verdict.trustworthy,
        action=verdict.action,
        on_baseline=verdict.verification.on_baseline if verdict.verification else None,
        best_score=best_similarity([passage.score for passage in passages]),
        unscored_reason=verdict.unscored_reason,
        fingerprint=verdict.fingerprint,
        pairs=pairs,
        reused_answer=answered.reused,
        timings={stage: round(seconds, 6) for stage, seconds in timings.items()},
    )
