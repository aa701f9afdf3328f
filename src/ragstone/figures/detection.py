"""Figures of one detection run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ragstone.errors import optional_import
from ragstone.experiments.detection_record import DetectionRecord
from ragstone.experiments.detection_scores import Share, TrialScores, score_trial
from ragstone.experiments.stored_runs import StoredRun, Trial
from ragstone.experiments.value_rows import title_of
from ragstone.figures.detectors import confusion_figure, signal_figure, trivial_figure, wrapped
from ragstone.figures.style import COLOURS, DASHES, GREY, HATCHES, Drawing, draw, panels, tidy
from ragstone.stats import Confusion, reliability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["detection_figures"]


def detection_figures(run: StoredRun) -> tuple[Drawing, ...]:
    """Detection by strategy, trust, ROC, reliability, confusion, signals, trivial detectors; of the first repeat."""
    trials = [trial for trial in run.trials() if trial.repeat == 0]
    scores = [score_trial(trial, run.threshold) for trial in trials]
    drawings = [_strategies(scores), _trust(trials, run.threshold), confusion_figure(scores)]
    if any(len({r.retrieved_poison for r in trial.records}) == 2 for trial in trials):
        drawings[2:2] = [_roc(trials), _reliability(trials)]
    return (*drawings, signal_figure(trials, float(run.meta["flag_threshold"])), trivial_figure(trials))


def _strategies(scores: Sequence[TrialScores]) -> Drawing:
    groups = (
        ("Recall, poison retrieved", [_recall(s.retrieval.confusion) for s in scores]),
        ("Recall, own document poisoned", [_recall(s.document.confusion) for s in scores]),
        ("Precision, poison retrieved", [_precision(s.retrieval.confusion) for s in scores]),
        ("Recall of the gate (not accepted)", [_recall(s.gate) for s in scores]),
    )

    def paint(figure: Figure) -> str:
        axes = figure.subplots()
        width = 0.8 / len(groups)
        for number, (label, shares) in enumerate(groups):
            places = np.arange(len(scores)) + (number - (len(groups) - 1) / 2) * width
            values = [100.0 * (share.value or 0.0) for share in shares]
            axes.bar(
                places,
                values,
                width * 0.92,
                label=label,
                color=COLOURS[number],
                hatch=HATCHES[number],
                edgecolor="white",
            )
            _whiskers(axes, places, shares)
            for place, share in zip(places, shares, strict=True):
                if share.value is None:
                    axes.text(place, 1.5, "n/a", ha="center", va="bottom", fontsize=7, color=GREY, rotation=90)
        axes.set_xticks(range(len(scores)), [wrapped(s.strategy) for s in scores])
        axes.set_ylim(0, 104)
        axes.set_ylabel("%")
        tidy(axes)
        figure.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=2)
        return "; ".join(
            f"{title_of(s.strategy)}: " + ", ".join(f"{label.lower()} {_percent(g[i])}" for label, g in groups)
            for i, s in enumerate(scores)
        )

    caption = "Whiskers are 95 % Wilson intervals. n/a: nothing was flagged, so there is no precision."
    return draw("strategies", "Detection by strategy", caption, paint, height=3.9)


def _trust(trials: Sequence[Trial], threshold: float) -> Drawing:
    kinds = ("No poison retrieved", "A poisoned neighbour retrieved", "Own document poisoned")

    def of_kind(record: DetectionRecord) -> int:
        return 2 if record.poisoned else 1 if record.retrieved_poison else 0

    def paint(figure: Figure) -> str:
        bins = np.linspace(0.0, 1.0, 26)
        said = []
        grid = panels(figure, len(trials), sharex=True)
        for axes, trial in zip(grid, trials, strict=True):
            groups: list[list[float]] = [[], [], []]
            for record in trial.records:
                if record.trust is not None:
                    groups[of_kind(record)].append(record.trust)
            axes.hist(
                groups,
                bins=list(bins),
                stacked=True,
                label=list(kinds),
                color=[COLOURS[0], COLOURS[4], COLOURS[1]],
                hatch=["", "....", "////"],
                edgecolor="white",
                linewidth=0.3,
            )
            axes.axvline(threshold, color=GREY, linestyle=DASHES[1], linewidth=1.2)
            axes.set_title(title_of(trial.strategy))
            axes.set_xlim(0, 1)
            tidy(axes)
            means = [f"{np.mean(g):.2f}" if g else "none" for g in groups]
            said.append(
                f"{title_of(trial.strategy)}: mean trust {means[0]} without poison, {means[1]} beside, {means[2]} own"
            )
        figure.supxlabel("Trust Index", fontsize=9.5)
        figure.supylabel("Samples", fontsize=9.5)
        figure.legend(*grid[0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
        return "; ".join(said)

    caption = f"Part A and part B together; samples left of the dashed line (τ = {threshold:.2f}) are flagged."
    return draw("trust", "Trust of clean and poisoned samples", caption, paint, height=1.2 + 1.7 * -(-len(trials) // 3))


def _roc(trials: Sequence[Trial]) -> Drawing:
    metrics = optional_import("sklearn.metrics", extra="bench", purpose="ROC curves")

    def paint(figure: Figure) -> str:
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], color="#c9cfda", linewidth=1.0)
        said = []
        for number, trial in enumerate(trials):
            records = [record for record in trial.records if record.trust is not None]
            truth = np.array([record.retrieved_poison for record in records], dtype=bool)
            if truth.all() or not truth.any():
                continue
            risk = 1.0 - np.array([record.trust for record in records], dtype=float)
            alarms, recall, _ = metrics.roc_curve(truth, risk)
            area = float(metrics.roc_auc_score(truth, risk))
            label = f"{title_of(trial.strategy)}  {area:.3f}"
            axes.plot(
                alarms, recall, label=label, color=COLOURS[number % 7], linestyle=DASHES[number % 7], linewidth=1.8
            )
            said.append(f"{title_of(trial.strategy)} {area:.3f}")
        axes.set_xlabel("False-alarm rate")
        axes.set_ylabel("Recall")
        axes.set_xlim(-0.01, 1.01)
        axes.set_ylim(-0.01, 1.01)
        axes.set_aspect("equal")
        tidy(axes, grid="both")
        axes.legend(title="ROC-AUC", loc="center left", bbox_to_anchor=(1.02, 0.5), alignment="left")
        return "Area under the curve: " + ", ".join(said)

    caption = (
        "Flagging the least trusted samples first; a sample counts as poisoned when it retrieved a poisoned passage."
    )
    return draw("roc", "ROC curves", caption, paint, height=3.7)


def _reliability(trials: Sequence[Trial]) -> Drawing:
    pairs = {
        record.key: (1.0 - record.trust, record.retrieved_poison)
        for trial in trials
        for record in trial.records
        if record.trust is not None
    }
    risk, truth = (np.array(column) for column in zip(*pairs.values(), strict=True))
    found = reliability(risk, truth.astype(bool), bins=10)

    def paint(figure: Figure) -> str:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        upper.plot([0, 1], [0, 1], color="#c9cfda", linewidth=1.0)
        places = [b.mean_probability for b in found.bins]
        shares = [Share(round(b.observed * b.count), b.count) for b in found.bins]
        _whiskers(upper, places, shares, scale=1.0)
        upper.plot(places, [b.observed for b in found.bins], marker="o", color=COLOURS[0], linewidth=1.6)
        upper.set_ylabel("Share that retrieved poison")
        upper.set_ylim(-0.02, 1.02)
        lower.bar([(b.low + b.high) / 2 for b in found.bins], [b.count for b in found.bins], 0.09, color=COLOURS[6])
        lower.set_ylabel("Samples")
        lower.set_xlabel("1 - Trust Index, read as the probability of poison")
        lower.set_xlim(-0.01, 1.01)
        for axes in (upper, lower):
            tidy(axes, grid="both")
        return f"Brier score {found.brier:.3f}, expected calibration error {found.expected_calibration_error:.3f}"

    caption = (
        f"All strategies together, part A counted once. Brier score {found.brier:.3f}, expected calibration error "
        f"{found.expected_calibration_error:.3f}. The Trust Index is a score and no probability: the points need not "
        "lie on the diagonal, but should rise."
    )
    return draw("reliability", "How far trust can be read as a probability", caption, paint, height=3.9)


def _whiskers(axes: Axes, places: Any, shares: Sequence[Share], *, scale: float = 100.0) -> None:
    for place, share in zip(places, shares, strict=True):
        if (interval := share.interval) is not None:
            axes.plot([place, place], [scale * interval.low, scale * interval.high], color="#1a2030", linewidth=1.0)


def _recall(confusion: Confusion) -> Share:
    return Share(confusion.true_positives, confusion.poisoned)


def _precision(confusion: Confusion) -> Share:
    return Share(confusion.true_positives, confusion.flagged)


def _percent(share: Share) -> str:
    return "n/a" if share.value is None else f"{100 * share.value:.0f} %"
