"""Trust settings fitted on a stored run, what they do on data they were not fitted on, and the file that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from ragstone.calibration import conformal_threshold, samples_needed
from ragstone.errors import InputError
from ragstone.experiments.detection_record import Part
from ragstone.experiments.detection_studies import SEED, study_samples
from ragstone.experiments.joint_fit import fit_jointly
from ragstone.experiments.stored_runs import StoredRun
from ragstone.experiments.thresholds import fit_threshold
from ragstone.settings import TrustSettings
from ragstone.stats import Confusion

__all__ = ["FittedSettings", "Method", "fit_settings", "settings_toml"]

_FITTED = (
    "factuality_weight",
    "consistency_weight",
    "poison_weight",
    "threshold",
    "dampener_start",
    "dampener_strength",
)


class Method(StrEnum):
    """How the settings are fitted. ``percentile`` is the paper's (section IV)."""

    PERCENTILE = "percentile"
    CONFORMAL = "conformal"
    JOINT = "joint"


@dataclass(frozen=True, slots=True)
class FittedSettings:
    """``default`` and ``fitted`` count predictions for the same questions, none of which the fit has seen.

    Truth is retrieval-grounded. ``guarantee`` says what is promised of the false-alarm rate, if anything is;
    ``warning`` why the figures are no result to report, if they are not.
    """

    method: Method
    trust: TrustSettings
    fitted_on: int
    judged_on: int
    default: Confusion
    fitted: Confusion
    guarantee: str | None
    warning: str | None


def fit_settings(
    run: StoredRun, method: Method, *, false_alarms: float = 0.10, confidence: float = 0.90, strategy: str | None = None
) -> FittedSettings:
    """Fit on ``run``. ``percentile`` and ``conformal`` fit tau on part A of a random half of the questions.

    They are judged on the other half, part A and B. ``joint`` fits weights, dampener and tau on all samples of the
    strategy and is judged by cross-validation over questions. Raises InputError for a run without answers or with too
    few questions.
    """
    strategy = strategy or run.main_strategy
    base = run.trust_settings
    warning = None
    if run.meta["split"] != "tune":
        warning = f"fitted on split {run.meta['split']!r}: do not report results on this split with these settings"
    if method is Method.JOINT:
        samples = study_samples(run, strategy)
        fit = fit_jointly(samples.signals, samples.questions, base, false_alarms=false_alarms, seed=SEED)
        count = len(samples.records)
        default = fit.default.confusion
        return FittedSettings(method, fit.settings, count, count, default, fit.held_out, None, warning)
    return _fit_threshold(run, method, strategy, false_alarms, confidence, warning)


def _fit_threshold(
    run: StoredRun, method: Method, strategy: str, false_alarms: float, confidence: float, warning: str | None
) -> FittedSettings:
    base = run.trust_settings
    scored = [record for record in run.trial(strategy).records if record.trust is not None]
    questions = sorted({record.sample_id for record in scored})
    order = np.random.default_rng(SEED).permutation(len(questions))
    chosen = {questions[index] for index in order[: len(questions) // 2]}
    clean = [r.trust for r in scored if r.part is Part.CLEAN and r.sample_id in chosen and r.trust is not None]
    if not clean:
        raise InputError(f"run {run.name!r} has no scored clean samples to fit a threshold on")
    if method is Method.PERCENTILE:
        threshold, guarantee = fit_threshold(clean, percentile=100.0 * false_alarms), None
    else:
        threshold, guarantee = _guaranteed(clean, false_alarms, confidence)
    judged = [record for record in scored if record.sample_id not in chosen]
    poisoned = np.array([record.retrieved_poison for record in judged], dtype=bool)
    trust = np.array([record.trust for record in judged], dtype=float)
    return FittedSettings(
        method=method,
        trust=base.model_copy(update={"threshold": threshold}),
        fitted_on=len(clean),
        judged_on=len(judged),
        default=Confusion.of(trust < base.threshold, poisoned),
        fitted=Confusion.of(trust < threshold, poisoned),
        guarantee=guarantee,
        warning=warning,
    )


def _guaranteed(clean: list[float], false_alarms: float, confidence: float) -> tuple[float, str]:
    found = conformal_threshold(clean, false_alarms=false_alarms, confidence=confidence)
    promise = f"at most {false_alarms:.0%} false alarms with {confidence:.0%} confidence"
    if not found.rank:
        needed = samples_needed(false_alarms=false_alarms, confidence=confidence)
        raise InputError(
            f"{len(clean)} clean samples cannot promise {promise}: {needed} are needed in the half that is fitted on; "
            "run more questions or ask for less"
        )
    return found.threshold, f"{promise}, as long as generator, preset and kind of corpus stay the same"


def settings_toml(fitted: FittedSettings, run: Mapping[str, Any]) -> str:
    """A settings file with the preset and the fitted values, and where they come from as comments."""
    lines = [
        "# Fitted by `ragstone calibrate`; use it with --config or RAGSTONE_CONFIG.",
        f"# Method: {fitted.method}, on {fitted.fitted_on} samples of {run['dataset']}, split {run['split']}",
        f"# Generator: {run['generator']}; NLI: {run['nli']}",
        f"# Embedder: {run['embedder']}; K = {run['retrieval']['top_k']}",
        f"# Judged on {fitted.judged_on} samples outside the fit: {_counts(fitted.fitted)}",
        f"# The settings before, on the same: {_counts(fitted.default)}",
    ]
    lines += [f"# Holds: {fitted.guarantee}"] if fitted.guarantee else []
    lines += [f"# Caution: {fitted.warning}"] if fitted.warning else []
    values = {name: round(float(getattr(fitted.trust, name)), 6) for name in _FITTED}
    if fitted.method is not Method.JOINT:
        values = {"threshold": values["threshold"]}
    body = [f'preset = "{run["preset"]}"', "", "[trust]", *(f"{name} = {value!r}" for name, value in values.items())]
    return "\n".join([*(_one_line(line) for line in lines), "", *body, ""])


def _counts(confusion: Confusion) -> str:
    shares = {"precision": confusion.precision, "recall": confusion.recall, "F1": confusion.f1}
    text = ", ".join(f"{name} {'n/a' if value is None else f'{value:.1%}'}" for name, value in shares.items())
    clean = confusion.total - confusion.poisoned
    return f"{text}, {confusion.false_positives} false alarms on {clean}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
