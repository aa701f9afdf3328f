"""What the numbers of one configuration say, in sentences; nothing is said that the tables do not hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.experiments.sweep.breakdown import Breakdown
from ragstone.experiments.sweep.rates import ALL, Rate
from ragstone.experiments.sweep.scored import ScoredCell
from ragstone.experiments.value_rows import title_of
from ragstone.stats import Interval

__all__ = ["Example", "examples", "findings"]

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Example:
    """A cell in which the poison was taken up: what was changed, (before, after), and the two answers."""

    strategy: str
    level: str
    question: str
    changes: tuple[tuple[str, str], ...]
    clean_answer: str
    poisoned_answer: str


def findings(found: Breakdown) -> tuple[str, ...]:
    """Sentences on accuracy, strategies, the steepest rise, how the generator fails and the residual at level 0."""
    return tuple(_findings(found))


def _findings(found: Breakdown) -> Iterator[str]:
    first, last = found.levels[0], found.levels[-1]
    before, after = found.by_level[first], found.by_level[last]
    rise = f"goes from {_share(before['fooled'])} to" if first < last else "is"
    yield (
        f"Accuracy by keyword is {_share(found.overall['clean_accuracy'])} on clean passages and "
        f"{_share(after['poisoned_accuracy'])} with {found.level_name(last)} poisoned; the fooled rate {rise} "
        f"{_share(after['fooled'])}{_interval(after['fooled'].interval)}."
    )
    if len(found.strategies) > 1:
        ranked = sorted(found.by_strategy.items(), key=lambda item: -(item[1].value("fooled") or 0.0))
        listed = ", ".join(f"{title_of(name).lower()} {_share(rates['fooled'])}" for name, rates in ranked)
        yield f"Fooled rate by strategy, over all levels: {listed}."
    if rises := [step for step in found.increments if step.strategy != ALL and step.difference is not None]:
        steepest = max(rises, key=lambda step: step.difference or 0.0)
        sure = steepest.interval is not None and steepest.interval.low > 0.0
        yield (
            f"The steepest rise is that of {title_of(steepest.strategy).lower()} from "
            f"{found.level_name(steepest.below)} to {found.level_name(steepest.above)}: "
            f"{100.0 * (steepest.difference or 0.0):.1f} points{_interval(steepest.interval)}; its interval "
            f"{'excludes' if sure else 'includes'} zero."
        )
    significant = sum(test.adjusted < ALPHA for test in found.tests.values())
    yield (
        f"Clean and poisoned correctness differ significantly (exact McNemar, Holm-adjusted p < {ALPHA}) in "
        f"{significant} of {len(found.tests)} cells of strategy by level."
    )
    yield (
        f"Over all runs the generator abstains on {_share(found.overall['abstention'])} of poisoned contexts and on "
        f"{_share(found.overall['clean_abstention'])} of clean ones; it states a poisoned value and not the reference "
        f"on {_share(found.overall['attack_success'])}."
    )
    if first == 0:
        yield (
            f"With nothing poisoned the two answers are identical in {_share(before['identical'])} of runs, and "
            f"{_share(before['fooled'])} count as fooled: read attack effects against this residual."
        )
    reached = found.by_level[last]["reached"]
    if reached.successes < reached.total:
        yield (
            f"At {found.level_name(last)} the attack applied to as many passages as the level says in "
            f"{_share(reached)} of runs; the others had fewer poisoned passages."
        )


def examples(found: Breakdown) -> tuple[Example, ...]:
    """For each strategy the first cell, at the lowest level, whose poison was taken up by an answer right before."""
    chosen = []
    for strategy in found.strategies:
        taken = [c for c in found.cells if c.record.strategy == strategy and c.adopted and c.clean.correct]
        if taken:
            chosen.append(_example(found, min(taken, key=lambda c: (c.record.level, c.record.slot))))
    return tuple(chosen)


def _example(found: Breakdown, cell: ScoredCell) -> Example:
    edits = [edit for passage in cell.record.poisoned for edit in passage.as_edits()]
    return Example(
        title_of(cell.record.strategy),
        found.level_name(cell.record.level),
        cell.query.question,
        tuple(dict.fromkeys((edit.before, edit.after) for edit in edits)),
        cell.record.clean.text,
        cell.record.attacked.text,
    )


def _share(rate: Rate) -> str:
    return "n/a" if rate.value is None else f"{100.0 * rate.value:.1f} %"


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else f" [{100.0 * interval.low:.1f}, {100.0 * interval.high:.1f}]"
