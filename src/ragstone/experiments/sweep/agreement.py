"""How far people agree with each other and with the automatic labels: Cohen's kappa (Cohen, 1960)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ragstone.errors import InputError, optional_import
from ragstone.experiments.sweep.labelling import LabelledItem
from ragstone.experiments.sweep.outcomes import JudgedAnswer, Outcome
from ragstone.experiments.sweep.records import CLEAN
from ragstone.experiments.sweep.scored import ScoredCell, SweepRun
from ragstone.experiments.sweep.scoring import AnswerScore

__all__ = ["Agreement", "agreement_of", "agreements"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two raters on ``items`` items. ``kappa`` is in [-1, 1], None where it is undefined: both gave one label to all.

    ``interval`` is its asymptotic 95 % interval. ``confusion`` counts (first's label, second's label).
    """

    first: str
    second: str
    items: int
    agreement: float
    kappa: float | None
    interval: tuple[float, float] | None
    confusion: Mapping[tuple[str, str], int]

    def as_json(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "items": self.items,
            "agreement": self.agreement,
            "kappa": self.kappa,
            "interval": None if self.interval is None else list(self.interval),
            "confusion": [{"first": a, "second": b, "items": n} for (a, b), n in self.confusion.items()],
        }


def agreement_of(first: tuple[str, Mapping[str, str]], second: tuple[str, Mapping[str, str]]) -> Agreement | None:
    """The agreement of two named raters on the items that both labelled; None when there are none.

    By :func:`statsmodels.stats.inter_rater.cohens_kappa`.
    """
    (name, labels), (other_name, other_labels) = first, second
    shared = [item for item in labels if item in other_labels]
    if not shared:
        return None
    pairs = [(labels[item], other_labels[item]) for item in shared]
    names = sorted({label for pair in pairs for label in pair})
    table = np.zeros((len(names), len(names)), dtype=int)
    for a, b in pairs:
        table[names.index(a), names.index(b)] += 1
    agreement = float(np.trace(table)) / len(pairs)
    confusion = {(a, b): int(table[i, j]) for i, a in enumerate(names) for j, b in enumerate(names) if table[i, j]}
    if len(names) == 1:
        return Agreement(name, other_name, len(pairs), agreement, None, None, confusion)
    raters = optional_import("statsmodels.stats.inter_rater", extra="bench", purpose="Cohen's kappa")
    with np.errstate(invalid="ignore"):  # a variance of zero may come out as a tiny negative number
        result = raters.cohens_kappa(table)
    bounds = (float(result.kappa_low), float(result.kappa_upp))
    interval = bounds if all(map(math.isfinite, bounds)) else None
    return Agreement(name, other_name, len(pairs), agreement, float(result.kappa), interval, confusion)


def agreements(
    run: SweepRun,
    key: Mapping[str, LabelledItem],
    raters: Sequence[tuple[str, Mapping[str, Outcome]]],
    judged: Mapping[tuple[str, str], JudgedAnswer],
) -> list[Agreement]:
    """Every pair of people; then each of them with the NLI judge, on all five outcomes, and with the two automatic
    labels of correctness, on correct or not. Raises InputError when the key is of another run."""
    cells = {cell.record.key: cell for cell in run.cells}
    if missing := [item.cell for item in key.values() if item.cell not in cells]:
        raise InputError(f"the exported sample has cell {missing[0]!r}, which this run does not")
    machine = {
        item.id: outcome.value
        for item in key.values()
        if (item.cell, item.arm) in judged and (outcome := judged[item.cell, item.arm].outcome) is not None
    }
    keyword = {i.id: _correct(_score(cells[i.cell], i.arm).keyword) for i in key.values()}
    normalised = {i.id: _correct(_score(cells[i.cell], i.arm).correct) for i in key.values()}
    found: list[Agreement | None] = []
    outcomes = [(name, {item: label.value for item, label in labels.items()}) for name, labels in raters]
    for position, rater in enumerate(outcomes):
        found += [agreement_of(rater, other) for other in outcomes[position + 1 :]]
    for name, labels in outcomes:
        binary = {item: _correct(label == Outcome.CORRECT) for item, label in labels.items()}
        found.append(agreement_of((name, labels), ("NLI judge", machine)))
        found.append(agreement_of((f"{name}, correct", binary), ("normalised scoring", normalised)))
        found.append(agreement_of((f"{name}, correct", binary), ("keyword", keyword)))
    return [agreement for agreement in found if agreement is not None]


def _score(cell: ScoredCell, arm: str) -> AnswerScore:
    return cell.clean if arm == CLEAN else cell.attacked


def _correct(is_so: bool) -> str:
    return "correct" if is_so else "not correct"
