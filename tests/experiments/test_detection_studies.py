"""Studies, comparison and calibration from stored runs."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from benchmark_fakes import run_small, setup_of
from ragstone.errors import InputError
from ragstone.experiments.answers import NoAnswers
from ragstone.experiments.comparison_tables import comparison_tables
from ragstone.experiments.detection_studies import poison_without, study_samples, threshold_effect
from ragstone.experiments.fitted_settings import Method, fit_settings, settings_toml
from ragstone.experiments.joint_fit import fit_jointly
from ragstone.experiments.scarce_labels import POLICIES, SHARES, drift, scarce_labels
from ragstone.experiments.stored_runs import StoredRun, load_run
from ragstone.experiments.studies import SignalTable, trust_scores
from ragstone.experiments.study_tables import study_tables
from ragstone.settings import SIGNALS, Settings, load_settings
from ragstone.stats import Resampling

FEW = Resampling(resamples=50)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> StoredRun:
    folder = tmp_path_factory.mktemp("studies") / "first"
    run_small(folder, setup=setup_of("instruction_injection", "mixed", n=12))
    return load_run(folder)


@pytest.fixture(scope="module")
def deeper(tmp_path_factory: pytest.TempPathFactory) -> StoredRun:
    folder = tmp_path_factory.mktemp("studies") / "second"
    settings = load_settings(environment={}, overrides={"retrieval.top_k": 4})
    run_small(folder, setup=setup_of("mixed", n=12, settings=settings))
    return load_run(folder)


def test_stored_signals_give_the_stored_trust(run: StoredRun) -> None:
    samples = study_samples(run)
    assert trust_scores(samples.signals, run.trust_settings) == pytest.approx(samples.trust)


def test_a_signal_left_out_changes_only_what_it_found(run: StoredRun) -> None:
    samples = study_samples(run, "instruction_injection")
    without = poison_without(samples.records, 0.7)
    assert set(without) == set(SIGNALS)
    for signal, poison in without.items():
        silent = np.array([all(f.signal != signal for f in record.findings) for record in samples.records])
        assert poison[silent] == pytest.approx(samples.signals.poison[silent])
        assert (poison <= samples.signals.poison + 1e-9).all()
    assert (without["linguistic"] < samples.signals.poison).any()


def test_every_study_gives_a_table(run: StoredRun) -> None:
    tables = {table.number: table for table in study_tables(run, resampling=FEW)}
    assert {"ablation-retrieval", "ablation-document", "leave-one-out", "sensitivity", "threshold"} <= set(tables)
    assert len(tables["ablation-retrieval"].rows) == 5
    assert {row["settings"] for row in tables["sensitivity"].as_json()} == {125.0}
    names = [row.labels["Trust"] for row in tables["leave-one-out"].rows]
    assert "Without linguistic" in names
    assert "Without factuality" in names


def test_a_threshold_is_never_judged_on_questions_it_was_fitted_on(run: StoredRun) -> None:
    samples = study_samples(run)
    study = threshold_effect(samples, 0.5)
    clean = int((~samples.signals.poisoned).sum())
    assert study.fitted.samples == study.default.samples == 12  # half of 12 questions, part A and B
    assert study.fitted_on + (12 - study.fitted.confusion.poisoned) == clean
    assert study.fitted.confusion.poisoned == study.default.confusion.poisoned


def test_screening_alone_has_nothing_to_study(tmp_path: Path) -> None:
    run_small(tmp_path, "mixed", answers=NoAnswers())
    with pytest.raises(InputError, match="has no answers"):
        study_tables(load_run(tmp_path))


def test_runs_side_by_side_show_what_they_differ_in(run: StoredRun, deeper: StoredRun) -> None:
    tables = {table.number: table for table in comparison_tables([run, deeper], resampling=FEW)}
    assert [dict(row.labels) for row in tables["grid"].rows] == [
        {"Run": "first", "K": "3"},
        {"Run": "second", "K": "4"},
    ]
    (test,) = tables["mcnemar"].rows
    assert test.values()["samples"] == 24.0
    assert len(tables["transfer"].rows) == 4
    own = tables["transfer"].rows[0].values()
    assert own["false_alarms"] is not None
    assert own["false_alarms"] <= 0.25


def test_a_run_against_itself_has_no_difference(run: StoredRun) -> None:
    again = dataclasses.replace(run, name="again")
    test = next(table for table in comparison_tables([run, again]) if table.number == "mcnemar").rows[0].values()
    assert (test["only_first"], test["only_second"], test["p_value"]) == (0.0, 0.0, 1.0)


def test_a_comparison_needs_two_names(run: StoredRun) -> None:
    for runs, message in (([run], "at least two"), ([run, run], "must differ")):
        with pytest.raises(InputError, match=message):
            comparison_tables(runs)


def test_few_labels_break_a_percentile_more_often_than_a_bound_with_confidence(run: StoredRun) -> None:
    rows = scarce_labels(run, draws=60)
    assert {row.labels for row in rows} == {5}
    by_method = {row.method: row for row in rows}
    assert by_method["conformal, 90 % confidence"].broken == 0.0
    assert all(0.0 <= row.low <= row.mean <= row.high <= 1.0 for row in rows)


def test_drift_needs_enough_questions(run: StoredRun) -> None:
    assert drift(run) == []


def test_under_drift_the_policies_start_alike() -> None:
    run = _synthetic(questions=60)
    steps = {(step.policy, step.share): step for step in drift(run, rounds=40)}
    assert set(steps) == {(policy, share) for policy in POLICIES for share in SHARES}
    start = [steps[policy, 0.0].false_alarms for policy in POLICIES]
    assert start[0] == start[1] == start[2]
    # Poisoned samples are all less trusted than any clean one, so the fixed threshold keeps catching them.
    assert steps["fixed", 1.0].recall == 1.0
    refitted = steps["refitted without labels", 1.0].recall
    assert refitted is not None
    assert refitted < 0.9


def test_a_joint_fit_finds_what_separates_and_is_judged_on_unseen_questions() -> None:
    generator = np.random.default_rng(3)
    poisoned = np.array([False, True] * 40)
    noise = generator.uniform(0.3, 0.9, size=80)
    signals = SignalTable(noise, noise, np.where(poisoned, 0.6, 0.1), poisoned)
    fit = fit_jointly(signals, [i // 2 for i in range(80)], Settings().trust)
    assert fit.default.f1.value is not None
    assert fit.held_out.f1 == 1.0 > fit.default.f1.value
    assert fit.settings.poison_weight > 0.5
    assert len(fit.by_fold) == 5


def test_a_joint_fit_on_noise_does_not_flatter_itself() -> None:
    generator = np.random.default_rng(4)
    factuality, consistency, poison = generator.uniform(0.0, 1.0, size=(3, 120))
    poisoned = generator.random(120) < 0.3
    fit = fit_jointly(SignalTable(factuality, consistency, poison, poisoned), list(range(120)), Settings().trust)
    assert fit.held_out.f1 is not None
    assert fit.held_out.f1 < 0.45


def test_a_joint_fit_needs_samples_of_both_kinds_and_enough_questions() -> None:
    one = np.full(6, 0.5)
    with pytest.raises(InputError, match="both kinds"):
        fit_jointly(SignalTable(one, one, one, np.zeros(6, dtype=bool)), list(range(6)), Settings().trust)
    with pytest.raises(InputError, match="5 folds"):
        fit_jointly(SignalTable(one, one, one, np.arange(6) > 2), [0, 0, 1, 1, 2, 2], Settings().trust)


@pytest.mark.parametrize("method", list(Method))
def test_fitted_settings_are_a_settings_file(method: Method, tmp_path: Path) -> None:
    run = _synthetic(questions=60)
    fitted = fit_settings(run, method)
    assert fitted.warning is None
    path = tmp_path / "settings.toml"
    path.write_text(settings_toml(fitted, run.meta), encoding="utf-8")
    loaded = load_settings(path, environment={})
    assert loaded.trust.threshold == pytest.approx(fitted.trust.threshold, abs=1e-6)
    assert loaded.preset == "full"
    assert fitted.fitted.recall == 1.0
    if method is Method.CONFORMAL:
        assert "at most 10% false alarms with 90% confidence" in path.read_text()


def test_too_few_samples_for_a_promise_say_how_many_are_needed(run: StoredRun) -> None:
    with pytest.raises(InputError, match="22 are needed"):
        fit_settings(run, Method.CONFORMAL)


def test_fitting_on_what_is_reported_is_called_out(run: StoredRun) -> None:
    fitted = fit_settings(run, Method.PERCENTILE)
    assert "do not report" in (fitted.warning or "")
    assert "# Caution" in settings_toml(fitted, run.meta)


def _synthetic(questions: int) -> StoredRun:
    """Clean trust between 0.6 and 0.9; every question of part B retrieved poison and is trusted less."""
    from test_detection_scores import CLEAN, INJECTED, POISONED, run_of

    from ragstone.experiments.detection_record import Part, record_key

    records = []
    for index in range(questions):
        place = {"index": index, "sample_id": f"q{index:02d}", "repeat": 0}
        clean = 0.6 + 0.3 * index / questions
        records.append(
            CLEAN[0].model_copy(update={**place, "key": record_key(Part.CLEAN, "none", 0, index), "trust": clean})
        )
        own = {"key": record_key(Part.POISONED, "mixed", 0, index), "trust": 0.2 + 0.3 * index / questions}
        low = {"poison": 0.9, "passages": (INJECTED,)}
        records.append(POISONED[1].model_copy(update={**place, **own, **low}))
    run = run_of(*records)
    models = {"generator": "expected", "nli": "n", "embedder": "e", "retrieval": {"top_k": 5}, "preset": "full"}
    return dataclasses.replace(run, meta={**run.meta, **models, "split": "tune", "n": questions})
