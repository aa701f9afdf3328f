"""What the records show beside the published numbers. Each finding is stated only when the records bear it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ragstone.datasets.records import Run
from ragstone.experiments.replay_arithmetic import BASELINE_CONSISTENCY, LEAST_FACTUALITY, Arithmetic
from ragstone.experiments.replay_repeats import depth_agreement, repeat_agreement
from ragstone.experiments.replay_tables import LLMS, SPLIT_SEED, pooled_mixed_runs, primary_run, score_run
from ragstone.experiments.replay_unanswered import RunSummary
from ragstone.experiments.tables import describe_counts
from ragstone.experiments.thresholds import threshold_study
from ragstone.stats import DetectionScores, Resampling

__all__ = ["Observation", "all_findings"]

_SEEDS = range(10)
_HEDGED = "qwen3.5:35b"
_SPLITS = range(20)


@dataclass(frozen=True, slots=True)
class Observation:
    """One finding: a topic, a statement in words and the numbers behind it."""

    topic: str
    statement: str
    evidence: Mapping[str, Any]


def all_findings(
    runs: Sequence[Run], summaries: Sequence[RunSummary], arithmetic: Arithmetic
) -> tuple[Observation, ...]:
    """All findings, those that change how a published number reads first."""
    return (
        *_empty_answers(summaries),
        *_failed_generations(summaries),
        *_depth(runs),
        *_repeats(runs),
        *_missed(runs),
        *_shared_queries(runs),
        *_arithmetic(arithmetic),
        *_interval_seed(runs),
        *_baseline_share(summaries),
        *_split_origin(runs),
    )


def _empty_answers(summaries: Sequence[RunSummary]) -> Iterator[Observation]:
    for llm in dict.fromkeys(summary.llm for summary in summaries):
        chosen = [s for s in summaries if s.llm == llm and s.empty]
        if not chosen:
            continue
        samples, empty = sum(s.samples for s in chosen), sum(s.empty for s in chosen)
        wrong = sum(s.as_published.confusion.false_positives for s in chosen)
        wrong_empty = sum(s.false_positives_unanswered for s in chosen)
        left = sum(s.answered_only.confusion.poisoned for s in chosen)
        answered = sum(s.answered_only.confusion.total for s in chosen)
        blamed = ", not on hedged phrasing, to which section V-C puts them down" if llm == _HEDGED else ""
        yield Observation(
            "empty answers",
            f"{llm} gave no answer in {empty} of {samples} samples of {len(chosen)} runs "
            f"({min(s.empty for s in chosen)} to {max(s.empty for s in chosen)} a run), and the published scores count "
            f"them like answers: {wrong_empty} of the {wrong} false positives stand on an empty answer{blamed}. "
            f"Over the answered samples of all these runs, {wrong - wrong_empty} of {answered} are false positives, "
            f"and {left} are poisoned.",
            {"runs": {s.name: _with_and_without(s) for s in chosen}},
        )


def _failed_generations(summaries: Sequence[RunSummary]) -> Iterator[Observation]:
    for s in summaries:
        if not s.failed:
            continue
        published, rest = s.as_published.confusion, s.answered_only.confusion
        yield Observation(
            "failed generations",
            f"{s.name}: in {s.failed} of {s.samples} samples the call to the language model failed; the text of the "
            f"error stands as the answer, every score is 0, and all count as flagged. They are "
            f"{s.true_positives_unanswered} of the {published.true_positives} true positives and "
            f"{s.false_positives_unanswered} of the {published.false_positives} false positives. With them set apart, "
            f"{rest.true_positives} of {rest.poisoned} poisoned samples are detected, with {rest.false_positives} "
            "false positives.",
            _with_and_without(s),
        )


def _with_and_without(summary: RunSummary) -> dict[str, Any]:
    def describe(scores: DetectionScores) -> dict[str, Any]:
        metrics = {name: getattr(scores, name).value for name in ("accuracy", "precision", "recall", "f1")}
        return {**metrics, "counts": describe_counts(scores.confusion)}

    return {
        "empty": summary.empty,
        "failed": summary.failed,
        "as_published": describe(summary.as_published),
        "answered_only": describe(summary.answered_only),
    }


def _depth(runs: Sequence[Run]) -> Iterator[Observation]:
    found = depth_agreement(runs)
    if found.pairs and found.equal_poison == found.samples and found.equal_rest == found.equal_answers:
        yield Observation(
            "retrieval depth",
            f"In all {found.pairs} pairs of a run at K = 3 and one at K = 5 that are otherwise configured alike, P is "
            f"the same to the last digit in all {found.samples} samples, and F and C are the same wherever the answer "
            f"is ({found.equal_answers} samples). Two more passages would change the weights of equation 1 and "
            "the pairs compared, so runs at both settings saw the same passages: the records do not show that "
            "detection is invariant to retrieval depth.",
            asdict(found),
        )


def _repeats(runs: Sequence[Run]) -> Iterator[Observation]:
    found = repeat_agreement(runs)
    if found.pairs:
        yield Observation(
            "repeats",
            f"Repeats share corpus, queries and poisoned documents: P is the same in {found.equal_poison} of "
            f"{found.samples} samples of {found.pairs} pairs of repeats, and the answer is word for word the same in "
            f"{found.equal_answers}. The deviation between runs (Table V) measures the language model's sampling "
            "alone, and says nothing about other queries or other poison.",
            asdict(found),
        )


def _missed(runs: Sequence[Run]) -> Iterator[Observation]:
    run = primary_run(runs)
    if run is None:
        return
    poisoned = Counter(sample.poison_strategy for sample in run.samples if sample.poisoned)
    missed = Counter(sample.poison_strategy for sample in run.samples if sample.poisoned and sample.trustworthy)
    if missed:
        parts = ", ".join(f"{count} of {poisoned[name]} {name}" for name, count in missed.most_common())
        yield Observation(
            "missed samples of the primary run",
            f"Missed: {parts}. Section V-E names entity swap and subtle manipulation only.",
            {"poisoned": dict(poisoned), "missed": dict(missed)},
        )


def _shared_queries(runs: Sequence[Run]) -> Iterator[Observation]:
    evidence: dict[str, Any] = {}
    for llm, label in LLMS.items():
        pooled = pooled_mixed_runs(runs, llm)
        if len(pooled) < 2:
            continue
        trust = np.concatenate([run.trust for run in pooled])
        poisoned = np.concatenate([run.poisoned for run in pooled])
        queries = [query for run in pooled for query in run.queries]
        studies = [
            threshold_study(trust, poisoned, generator=np.random.default_rng(seed), groups=queries) for seed in _SPLITS
        ]
        evidence[label] = {
            "runs_pooled": len(pooled),
            "queries": len(set(queries)),
            "threshold": float(np.mean([study.threshold for study in studies])),
            "accuracy_default": float(np.mean([study.default.accuracy.value for study in studies])),
            "accuracy_fitted": float(np.mean([study.fitted.accuracy.value for study in studies])),
            "accuracy_naive": float(np.mean([study.fitted.naive_accuracy for study in studies])),
        }
    if evidence:
        parts = "; ".join(
            f"{label}: τ {e['threshold']:.2f}, accuracy {100 * e['accuracy_default']:.1f} % at 0.50, "
            f"{100 * e['accuracy_fitted']:.1f} % fitted, {100 * e['accuracy_naive']:.1f} % always trusting"
            for label, e in evidence.items()
        )
        yield Observation(
            "split of Table IV",
            "Table IV pools repeats over the same queries, so a query that fits τ also judges it. Split by query "
            f"instead (mean of {len(_SPLITS)} random halves): {parts}.",
            evidence,
        )


def _arithmetic(found: Arithmetic) -> Iterator[Observation]:
    yield Observation(
        "arithmetic",
        f"Trust recomputed from F, C, P, each run's weights and the dampener equals the recorded trust in "
        f"{found.samples - found.exceptions} of {found.samples} samples, to {found.max_difference:.1e} (single "
        f"precision), {found.dampened} of them dampened; {found.exceptions_failed} of {found.exceptions} exceptions "
        "are failed generations, recorded as 0. No low-retrieval modifier was needed for that, so it was never active. "
        "F, C and P themselves cannot be recomputed, as passages, per-passage findings and NLI scores were not "
        f"recorded; what their formulas exclude is found in {found.factuality_impossible} samples (F below "
        f"{LEAST_FACTUALITY}) and in {found.consistency_impossible} of the {found.factuality_on_baseline} samples with "
        f"F on its baseline (C outside {BASELINE_CONSISTENCY[0]} to {BASELINE_CONSISTENCY[1]}).",
        asdict(found),
    )


def _interval_seed(runs: Sequence[Run]) -> Iterator[Observation]:
    run = primary_run(runs)
    if run is None:
        return
    intervals = [score_run(run, resampling=Resampling(seed=seed, statistics=("f1",))).f1.interval for seed in _SEEDS]
    lows = Counter(f"{100 * interval.low:.1f}" for interval in intervals if interval)
    if len(lows) > 1:
        parts = ", ".join(f"{low} ({count})" for low, count in sorted(lows.items()))
        yield Observation(
            "bootstrap of F1",
            f"F1 of the primary run takes few values, and its 2.5th percentile falls on a step: with B = 20,000 and "
            f"{len(_SEEDS)} seeds the lower bound comes out as {parts}. Matching the printed 25.0 is a matter of the "
            "seed (0 here); the upper bound does not move.",
            {"lower_bounds": dict(lows)},
        )


def _baseline_share(summaries: Sequence[RunSummary]) -> Iterator[Observation]:
    shares = {s.name: s.on_baseline / s.samples for s in summaries}
    by_dataset: dict[str, list[float]] = {}
    for s in summaries:
        if not s.empty:
            by_dataset.setdefault(s.dataset, []).append(shares[s.name])
    parts = ", ".join(
        f"{dataset} {100 * min(v):.0f} to {100 * max(v):.0f} %" for dataset, v in sorted(by_dataset.items())
    )
    if parts:
        yield Observation(
            "F on its baseline",
            f"Share of samples whose F is its baseline of 0.5, by run, in runs without empty answers: {parts}.",
            {"runs": shares},
        )


def _split_origin(runs: Sequence[Run]) -> Iterator[Observation]:
    if any(pooled_mixed_runs(runs, llm) for llm in LLMS):
        yield Observation(
            "origin of Table IV's split",
            "The records do not hold which clean samples fitted τ. The split used here is the one made by the analysis "
            "script published beside the paper: NumPy's default generator, seed 42, shared by the language models in "
            "the order Llama, Qwen, Mistral, over runs sorted by name.",
            {"seed": SPLIT_SEED, "order": list(LLMS)},
        )
