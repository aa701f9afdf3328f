"""Metrics of records made by hand: every count worked out beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ragstone.experiments.detection_detectors import detector_scores, score_controls, signal_scores
from ragstone.experiments.detection_record import DetectionRecord, Part, RetrievedPassage, Signalled, record_key
from ragstone.experiments.detection_scores import recall_by_strategy, score_trial, variance_of
from ragstone.experiments.overhead import overhead_of
from ragstone.experiments.stored_runs import StoredRun
from ragstone.settings import Settings
from ragstone.stats import Confusion
from ragstone.types import Action


def passage(identifier: str, **fields: Any) -> RetrievedPassage:
    values = {"score": 0.5, "poison": 0.0, "flagged": False, "words": 10, "overlap": 0.5, "neighbour": 0.2}
    return RetrievedPassage(id=identifier, **{**values, **fields})


def record(
    part: Part,
    index: int,
    trust: float | None,
    passages: Sequence[RetrievedPassage] = (),
    *,
    repeat: int = 0,
    applied: str | None = None,
    **fields: Any,
) -> DetectionRecord:
    strategy = {Part.CLEAN: "none", Part.POISONED: "mixed", Part.CONTROL: "benign"}[part]
    values: dict[str, Any] = {
        "key": record_key(part, strategy, repeat, index),
        "part": part,
        "strategy": strategy,
        "repeat": repeat,
        "index": index,
        "sample_id": f"s{index}",
        "question": "Q?",
        "expected": "A",
        "answer": "A",
        "poisoned": part is Part.POISONED and applied is not None,
        "applied": applied,
        "passages": tuple(passages),
        "findings": (),
        "factuality": 0.8,
        "consistency": None,
        "poison": 0.1,
        "trust": trust,
        "trustworthy": None if trust is None else trust >= 0.5,
        "action": Action.UNSCORED if trust is None else Action.ACCEPT if trust >= 0.5 else Action.REJECT,
        "on_baseline": False,
        "best_score": 0.5,
        "unscored_reason": "no claim" if trust is None else None,
        "fingerprint": "f",
        "pairs": 4,
        "reused_answer": False,
        "timings": {"retrieval": 0.1, "generation": 1.0, "screening": 0.2, "verification": 0.3, "total": 2.0},
    }
    return DetectionRecord(**{**values, **fields})


def run_of(*records: DetectionRecord, repeats: int = 1) -> StoredRun:
    meta = {
        "strategies": ["mixed"],
        "repeats": repeats,
        "n": 4,
        "controls": True,
        "trust": Settings().trust.model_dump(mode="json"),
        "flag_threshold": 0.7,
        "dataset": "truthfulqa",
        "split": "paper",
    }
    return StoredRun("run", meta, records)


SOUND = passage("d9")
SWAPPED = passage("d0", strategy="entity_swap", poison=0.2)
INJECTED = passage("d1", strategy="instruction_injection", poison=0.9, flagged=True, words=30)

CLEAN = [
    record(Part.CLEAN, 0, 0.9, [SOUND]),
    record(Part.CLEAN, 1, 0.8, [SOUND]),
    record(Part.CLEAN, 2, 0.4, [SOUND]),
    record(Part.CLEAN, 3, None, [SOUND]),
]
POISONED = [
    record(Part.POISONED, 0, 0.7, [SWAPPED, SOUND], applied="entity_swap"),
    record(Part.POISONED, 1, 0.3, [INJECTED, SOUND], applied="instruction_injection"),
    record(Part.POISONED, 2, 0.45, [INJECTED, SWAPPED]),
    record(Part.POISONED, 3, 0.6, [SOUND], applied="entity_swap"),
]
RUN = run_of(*CLEAN, *POISONED)


def test_the_two_truths_differ_where_poison_spills_over_or_was_not_retrieved() -> None:
    scores = score_trial(RUN.trial("mixed"), 0.5)
    # Flagged: clean 2 (0.4), poisoned 1 (0.3) and 2 (0.45). Own document poisoned: 0, 1, 3. Retrieved: 0, 1, 2.
    assert scores.document.confusion == Confusion(1, 2, 2, 2)
    assert scores.retrieval.confusion == Confusion(2, 1, 1, 3)
    assert (scores.spillover.count, scores.spillover.total) == (1, 1)
    assert (scores.exposure.count, scores.exposure.total) == (2, 3)


def test_what_could_not_be_scored_is_counted_apart() -> None:
    scores = score_trial(RUN.trial("mixed"), 0.5)
    assert (scores.document.samples, scores.document.unscored) == (8, 1)
    assert scores.document.confusion.total == 7
    assert scores.unscored_reasons == {"no claim": 1}


def test_flags_on_passages_are_scored_over_every_retrieval() -> None:
    # Injected twice, flagged both times; swapped twice, never flagged; seven sound passages.
    assert score_trial(RUN.trial("mixed"), 0.5).passages == Confusion(2, 0, 2, 7)


def test_the_gate_counts_every_answer_that_is_not_accepted() -> None:
    cautious = POISONED[0].model_copy(update={"action": Action.CAUTION})
    gate = score_trial(run_of(*CLEAN, cautious, *POISONED[1:]).trial("mixed"), 0.5).gate
    assert gate == Confusion(3, 1, 0, 3)


def test_recall_by_the_strategy_of_what_was_retrieved() -> None:
    found = recall_by_strategy(RUN.trial("mixed"), 0.5)
    assert {name: (share.count, share.total) for name, share in found.items()} == {
        "entity_swap": (1, 2),
        "instruction_injection": (2, 2),
    }


def test_a_signal_is_scored_on_passages_by_its_strongest_finding() -> None:
    findings = (
        Signalled(passage="d1", signal="linguistic", rule="a", severity=0.3),
        Signalled(passage="d1", signal="linguistic", rule="b", severity=0.8),
        Signalled(passage="d9", signal="structure", rule="c", severity=0.1),
    )
    run = run_of(CLEAN[0], POISONED[1].model_copy(update={"findings": findings}))
    by_name = {scores.signal: scores for scores in signal_scores(run.trial("mixed"), 0.7)}
    assert by_name["linguistic"].found == by_name["linguistic"].strong == Confusion(1, 0, 0, 2)
    assert by_name["structure"].found == Confusion(0, 1, 1, 1)
    assert by_name["structure"].strong == Confusion(0, 0, 1, 2)


def test_trivial_detectors_are_ranked_without_a_threshold() -> None:
    found = {scores.name: scores for scores in detector_scores(RUN.trial("mixed"))}
    # Length: the two samples with the injected passage (30 words) lead, the third poisoned one ties with the clean.
    assert found["Length"].roc_auc == pytest.approx((2 * 4 + 0.5 * 4) / 12)
    assert found["Query overlap"].roc_auc == pytest.approx(0.5)
    # Trust of poisoned 0.7, 0.3, 0.45 against 0.9, 0.8, 0.4, 0.6.
    assert found["Ragstone"].roc_auc == pytest.approx((2 + 4 + 3) / 12)
    assert found["Ragstone"].passage_roc_auc == pytest.approx(1.0)
    # At most one in ten of three clean samples: none. Only what is less trusted than all of them counts.
    assert (found["Ragstone"].recall.count, found["Ragstone"].recall.total) == (1, 3)


def test_controls_are_compared_with_the_same_questions_before_the_edit() -> None:
    edited = passage("d2", edit="correction", flagged=True)
    control = [
        record(Part.CONTROL, 0, 0.4, [edited, SOUND]),
        record(Part.CONTROL, 1, 0.9, [edited]),
        record(Part.CONTROL, 2, 0.4, [SOUND]),
    ]
    found = score_controls(run_of(*CLEAN, *POISONED, *control))
    assert found is not None
    assert (found.edited.count, found.edited.total) == (1, 2)
    assert (found.unedited.count, found.unedited.total) == (0, 2)
    assert (found.edited_passages.count, found.edited_passages.total) == (2, 2)
    assert (found.other_passages.count, found.other_passages.total) == (0, 2)
    assert (found.by_kind["correction"].count, found.by_kind["correction"].total) == (1, 2)
    assert score_controls(RUN) is None


def test_variance_is_over_repeats() -> None:
    second = [r.model_copy(update={"repeat": 1, "key": f"{r.key}'", "trust": 0.3}) for r in (*CLEAN[:3], *POISONED)]
    run = run_of(*CLEAN, *POISONED, *second, repeats=2)
    variance = variance_of("mixed", [score_trial(trial, 0.5) for trial in run.trials()])
    assert variance.repeats == 2
    assert variance.recall is not None
    assert [variance.recall.mean, variance.recall.deviation] == pytest.approx([2 / 3, 1 / 3])


def test_overhead_counts_an_answer_where_it_was_generated() -> None:
    reused = POISONED[0].model_copy(update={"reused_answer": True})
    found = overhead_of(run_of(*CLEAN, reused))
    stages = {stage.name: stage for stage in found.stages}
    assert stages["Generation"].sum == pytest.approx(4.0)
    assert stages["Screening"].sum == pytest.approx(1.0)
    assert found.factor == pytest.approx(0.5 / 1.1)
    assert found.agent == pytest.approx(2.5)
