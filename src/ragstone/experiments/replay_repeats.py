"""What differs between repeated runs, and between retrieval depths: the recorded signals, sample by sample."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.datasets.records import Run

__all__ = ["Agreement", "depth_agreement", "repeat_agreement"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Pairs of runs compared sample by sample.

    ``equal_poison`` samples have the same P to the last digit. Of the samples whose answers are word for word the
    same (``equal_answers``), ``equal_rest`` also have the same F and C.
    """

    pairs: int
    samples: int
    equal_poison: int
    equal_answers: int
    equal_rest: int


def depth_agreement(runs: Sequence[Run]) -> Agreement:
    """Runs of one configuration at K = 3 against those at K = 5."""
    groups = _by_configuration(runs, with_depth=False)
    return _compare(
        (first, second)
        for group in groups
        for first, second in itertools.combinations(group, 2)
        if first.info.k != second.info.k
    )


def repeat_agreement(runs: Sequence[Run]) -> Agreement:
    """Repeats of one configuration, K included."""
    return _compare(
        pair for group in _by_configuration(runs, with_depth=True) for pair in itertools.combinations(group, 2)
    )


def _by_configuration(runs: Sequence[Run], *, with_depth: bool) -> Iterable[list[Run]]:
    groups: dict[tuple[object, ...], list[Run]] = {}
    for run in runs:
        info = run.info
        depth = info.k if with_depth else None
        key = (info.dataset, info.llm, info.embedding, info.strategy, info.weights, info.ablation, info.n, depth)
        groups.setdefault(key, []).append(run)
    return groups.values()


def _compare(pairs: Iterable[tuple[Run, Run]]) -> Agreement:
    count = samples = equal_poison = equal_answers = equal_rest = 0
    for first, second in pairs:
        if first.queries != second.queries:
            continue
        count += 1
        samples += len(first.samples)
        equal_poison += int((first.column("poison_probability") == second.column("poison_probability")).sum())
        same = np.array(
            [a.generated_answer == b.generated_answer for a, b in zip(first.samples, second.samples, strict=True)]
        )
        rest = np.logical_and.reduce(
            [np.isclose(first.column(n), second.column(n), rtol=0, atol=1e-6) for n in ("factuality", "consistency")]
        )
        equal_answers += int(same.sum())
        equal_rest += int((same & rest).sum())
    return Agreement(count, samples, equal_poison, equal_answers, equal_rest)
