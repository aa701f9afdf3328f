"""The tables of one configuration: I, II and III of paper 001 with more columns, and those the paper only describes."""

from __future__ import annotations

from collections.abc import Mapping

from ragstone.experiments.sweep.breakdown import Breakdown
from ragstone.experiments.sweep.published import PUBLISHED, PublishedRates
from ragstone.experiments.sweep.rates import ALL, GroupRates
from ragstone.experiments.tables import Column, Table
from ragstone.experiments.value_rows import ValueRow, title_of
from ragstone.stats import wilson_interval

__all__ = ["FRAGILE_SHOWN", "level_table", "sweep_tables"]

FRAGILE_SHOWN = 10
CELLS = Column("cells", "Runs", 0, percent=False)
PAPERS_OWN = (
    Column("clean_accuracy", "Clean acc. %", 1),
    Column("poisoned_accuracy", "Poisoned acc. %", 1),
    Column("fooled", "Fooled %", 1),
    Column("abstention", "Abstain %", 1),
)
ATTACK_SUCCESS = Column("attack_success", "Attack success %", 1)
BEYOND = (
    Column("clean_correct", "Clean correct %", 1),
    Column("correct", "Poisoned correct %", 1),
    Column("clean_right_verdict", "Clean verdict right %", 1),
    Column("right_verdict", "Poisoned verdict right %", 1),
    Column("clean_unsupported", "Clean unsupported %", 1),
    Column("unsupported", "Poisoned unsupported %", 1),
    Column("identical", "Identical %", 1),
    Column("reached", "Level reached %", 1),
)
LOW, HIGH = Column("low", "95 % CI low", 1), Column("high", "high", 1)


def sweep_tables(found: Breakdown) -> tuple[Table, ...]:
    """Tables by number; proportions in [0, 1], printed in per cent. Tables without rows are left out."""
    tables = (
        level_table(found),
        _intervals(found),
        _strategies(found),
        _scores(found),
        _grid(found),
        _increments(found),
        _residual(found),
        _types(found),
        _fragile(found),
    )
    return tuple(table for table in tables if table.rows)


def level_table(found: Breakdown) -> Table:
    """Table I, with attack success."""
    rows = tuple(
        _row({"Poisoned": found.level_name(level)}, rates, _published_level(found, level))
        for level, rates in found.by_level.items()
    )
    return Table("I", "Accuracy and failure behaviour by poisoning level", (CELLS, *PAPERS_OWN, ATTACK_SUCCESS), rows)


def _intervals(found: Breakdown) -> Table:
    columns = (
        CELLS,
        Column("fooled", "Fooled %", 1),
        LOW,
        HIGH,
        Column("query_low", "by distinct query: low", 1),
        Column("query_high", "high", 1),
        Column("wilson_low", "Wilson low", 1),
        Column("wilson_high", "high", 1),
    )
    rows = []
    for level, rates in found.by_level.items():
        fooled = rates["fooled"]
        bounds = {"": fooled.interval, "query_": fooled.by_query}
        bounds["wilson_"] = wilson_interval(fooled.successes, fooled.total)
        cells: dict[str, float | None] = {"cells": float(rates.cells), "fooled": fooled.value}
        for prefix, interval in bounds.items():
            cells |= {f"{prefix}low": interval.low, f"{prefix}high": interval.high} if interval else {}
        rows.append(ValueRow({"Poisoned": found.level_name(level)}, cells, further={"fooled": fooled.successes}))
    return Table("II", "Fooled rate with query-level bootstrap intervals", columns, tuple(rows))


def _strategies(found: Breakdown) -> Table:
    rows = tuple(
        _row({"Strategy": title_of(name)}, rates, PUBLISHED.by_strategy.get(name) if _as_paper(found) else None)
        for name, rates in found.by_strategy.items()
    )
    return Table("III", "Behaviour by strategy, over all levels", (CELLS, *PAPERS_OWN, ATTACK_SUCCESS), rows)


def _scores(found: Breakdown) -> Table:
    rows = [_row({"Of": found.level_name(level)}, rates) for level, rates in found.by_level.items()]
    rows += [_row({"Of": title_of(name)}, rates) for name, rates in found.by_strategy.items()]
    title = "Normalised scores, FEVER-style verdicts and lexical support, by level and by strategy"
    return Table("scores", title, (CELLS, *BEYOND), tuple(rows))


def _grid(found: Breakdown) -> Table:
    columns = (
        CELLS,
        *PAPERS_OWN[1:3],
        LOW,
        HIGH,
        Column("fooled_normalised", "Normalised fooled %", 1),
        ATTACK_SUCCESS,
        PAPERS_OWN[3],
        Column("lost", "Lost", 0, percent=False),
        Column("gained", "Gained", 0, percent=False),
        Column("p", "McNemar p", 4, percent=False),
        Column("p_holm", "Holm p", 4, percent=False),
        Column("reached", "Level reached %", 1),
    )
    rows = []
    for (strategy, level), rates in found.grid.items():
        row = _row({"Strategy": title_of(strategy), "Poisoned": found.level_name(level)}, rates)
        paired = found.tests[strategy, level]
        interval = rates["fooled"].interval
        further: dict[str, float | None] = {
            "low": interval.low if interval else None,
            "high": interval.high if interval else None,
            "lost": float(paired.test.only_first_right),
            "gained": float(paired.test.only_second_right),
            "p": paired.test.p_value,
            "p_holm": paired.adjusted,
        }
        rows.append(ValueRow(row.labels, {**row.cells, **further}, row.intervals, row.further))
    return Table("grid", "Strategy by level, with exact McNemar tests of clean against poisoned", columns, tuple(rows))


def _increments(found: Breakdown) -> Table:
    columns = (Column("difference", "Rise, points", 1), LOW, HIGH)
    rows = tuple(
        ValueRow(
            {
                "Strategy": "All" if step.strategy == ALL else title_of(step.strategy),
                "From": found.level_name(step.below),
                "To": found.level_name(step.above),
            },
            {
                "difference": step.difference,
                "low": step.interval.low if step.interval else None,
                "high": step.interval.high if step.interval else None,
            },
        )
        for step in found.increments
    )
    return Table("increments", "Rise of the fooled rate from level to level", columns, rows)


def _residual(found: Breakdown) -> Table:
    """What the 0/k cell shows although nothing was poisoned."""
    columns = (
        CELLS,
        Column("identical", "Identical %", 1),
        *PAPERS_OWN[:3],
        Column("fooled_normalised", "Normalised fooled %", 1),
    )
    rates = found.by_level.get(0)
    rows = () if rates is None else (_row({"Poisoned": found.level_name(0)}, rates),)
    return Table("residual", "Nothing poisoned: how far two answers from the same passages differ", columns, rows)


def _types(found: Breakdown) -> Table:
    columns = (CELLS, *PAPERS_OWN, ATTACK_SUCCESS)
    rows = tuple(
        _row({"Questions": group, "Poisoned": found.level_name(level)}, rates)
        for (group, level), rates in found.by_type.items()
    )
    return Table("types", "Fragility by kind of question", columns, rows)


def _fragile(found: Breakdown) -> Table:
    columns = (CELLS, Column("fooled", "Fooled %", 1), ATTACK_SUCCESS)
    rows = tuple(
        ValueRow(
            {"Query": item.question, "Questions": item.group},
            {"cells": float(item.cells), "fooled": item.rate, "attack_success": item.adopted / item.cells},
        )
        for item in found.fragile[:FRAGILE_SHOWN]
    )
    return Table("queries", "The most fragile queries, over all conditions", columns, rows)


def _row(labels: Mapping[str, str], rates: GroupRates, published: PublishedRates | None = None) -> ValueRow:
    cells = {name: rate.value for name, rate in rates.rates.items()} | {"cells": float(rates.cells)}
    further: dict[str, object] = {"counts": {name: rate.successes for name, rate in rates.rates.items()}}
    if published is not None:
        names = ("clean_accuracy", "poisoned_accuracy", "fooled", "abstention")
        further["paper"] = {name: getattr(published, name) for name in names}
    return ValueRow(labels, cells, {name: rate.interval for name, rate in rates.rates.items()}, further)


def _published_level(found: Breakdown, level: int) -> PublishedRates | None:
    return PUBLISHED.by_level[level] if _as_paper(found) else None


def _as_paper(found: Breakdown) -> bool:
    """Whether the paper's rows are of the same design, and so fit to stand beside."""
    configuration = found.configuration
    return (
        found.unit == "passage"
        and set(found.strategies) == set(PUBLISHED.by_strategy)
        and found.levels == (0, 1, 2, 3)
        and (configuration.k, configuration.diverse) == (3, False)
    )
