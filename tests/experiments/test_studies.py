"""Re-weighting of stored signals, and the threshold study, on samples small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ragstone.errors import InputError
from ragstone.experiments.studies import (
    SignalTable,
    ablation,
    leave_one_component_out,
    leave_one_signal_out,
    trust_scores,
    weight_sensitivity,
)
from ragstone.experiments.thresholds import fit_threshold, threshold_study
from ragstone.settings import Settings
from ragstone.stats import Confusion

# F, C, P, poisoned: a clean answer; poison seen by the detector only (dampened below 0.5); an unsupported answer.
SIGNALS = SignalTable(
    factuality=np.array([1.0, 0.9, 0.2]),
    consistency=np.array([1.0, 0.6, 0.4]),
    poison=np.array([0.0, 1.0, 0.1]),
    poisoned=np.array([False, True, False]),
)


def test_trust_by_hand() -> None:
    expected = [1.0, (0.4 * 0.9 + 0.35 * 0.6) * 0.6, 0.4 * 0.2 + 0.35 * 0.4 + 0.25 * 0.9]
    assert trust_scores(SIGNALS, Settings().trust) == pytest.approx(expected)


def test_low_retrieval_lowers_trust_and_an_unknown_score_does_not() -> None:
    table = SignalTable(
        SIGNALS.factuality, SIGNALS.consistency, SIGNALS.poison, SIGNALS.poisoned, np.array([0.15, np.nan, 0.9])
    )
    plain = trust_scores(SIGNALS, Settings().trust)
    assert trust_scores(table, Settings().trust) == pytest.approx([plain[0] * 0.75, plain[1], plain[2]])


def test_unmeasured_consistency_counts_as_one() -> None:
    table = SignalTable(np.array([0.5]), np.array([np.nan]), np.array([0.0]), np.array([False]))
    assert trust_scores(table, Settings().trust) == pytest.approx([0.4 * 0.5 + 0.35 + 0.25])


def test_ablation_has_the_papers_five_configurations() -> None:
    scores = {name: result.confusion for name, result in ablation(SIGNALS).items()}
    assert scores == {
        "Poison detector only": Confusion(1, 0, 0, 2),
        "NLI only": Confusion(0, 1, 1, 1),
        "NLI + Consistency": Confusion(0, 1, 1, 1),
        "Full Trust Index": Confusion(0, 1, 1, 1),
        "Full + Dampener": Confusion(1, 1, 0, 1),
    }


def test_leaving_poison_out_also_leaves_the_dampener_out() -> None:
    scores = leave_one_component_out(SIGNALS)
    assert list(scores) == ["all", "without factuality", "without consistency", "without poison"]
    assert scores["all"].confusion.true_positives == 1
    assert scores["without poison"].confusion.true_positives == 0


def test_leaving_a_signal_out_uses_the_poison_given_for_it() -> None:
    scores = leave_one_signal_out(SIGNALS, {"linguistic": np.zeros(3), "structure": SIGNALS.poison})
    assert scores["without linguistic"].confusion.true_positives == 0
    assert scores["without structure"].confusion == scores["all"].confusion


def test_weight_sensitivity_tries_125_normalised_settings_around_the_default() -> None:
    study = weight_sensitivity(SIGNALS)
    assert len(study.settings) == 125
    assert all(sum(setting.weights) == pytest.approx(1.0) for setting in study.settings)
    assert study.default.weights == pytest.approx((0.40, 0.35, 0.25))
    assert study.default.confusion == Confusion(1, 1, 0, 1)
    recall = study.range_of("recall")
    assert recall == (1.0, 1.0)
    # Less weight on F lifts the third sample above 0.5, which the default wrongly flags.
    assert study.better
    assert all(setting.confusion.false_positives == 0 for setting in study.better)


def test_a_metric_that_is_never_defined_has_no_range() -> None:
    clean = SignalTable(np.ones(2), np.ones(2), np.zeros(2), np.zeros(2, dtype=bool))
    assert weight_sensitivity(clean).range_of("recall") is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"factuality": np.array([1.0])}, r"factuality has shape \(1,\), but there are 3 labels"),
        ({"poison": np.array([0.0, np.nan, 0.0])}, "poison must lie in"),
        ({"factuality": np.array([0.0, 1.5, 0.0])}, "got 1.5"),
        ({"best_score": np.array([0.0, -1.5, 0.0])}, r"best_score must lie in \[-1, 1\]"),
    ],
)
def test_signals_out_of_range_are_refused(changes: dict[str, np.ndarray], message: str) -> None:
    columns = {
        "factuality": SIGNALS.factuality,
        "consistency": SIGNALS.consistency,
        "poison": SIGNALS.poison,
        "poisoned": SIGNALS.poisoned,
    }
    with pytest.raises(InputError, match=message):
        SignalTable(**columns | changes)


def test_threshold_is_the_percentile_of_clean_trust() -> None:
    assert fit_threshold(np.linspace(0, 1, 11)) == pytest.approx(0.1)
    assert fit_threshold([0.3, 0.5], percentile=50) == pytest.approx(0.4)


@pytest.mark.parametrize(("trust", "percentile"), [([], 10), ([0.5, 1.2], 10), ([0.5], 101)])
def test_threshold_refuses_what_it_cannot_fit(trust: list[float], percentile: float) -> None:
    with pytest.raises(InputError):
        fit_threshold(trust, percentile=percentile)


def test_study_judges_on_the_other_half_of_the_clean_and_all_poisoned() -> None:
    trust = np.array([0.6, 0.7, 0.8, 0.9, 0.55, 0.2])
    poisoned = np.array([False, False, False, False, True, True])
    study = threshold_study(trust, poisoned, generator=np.random.default_rng(0))
    assert study.fitted_on == 2
    assert study.default.confusion.total == study.fitted.confusion.total == 4
    assert study.default.confusion.poisoned == 2
    assert study.fitted.confusion.true_positives == 2
    assert study.default.confusion.true_positives == 1


def test_study_by_group_never_judges_a_query_it_fitted_on() -> None:
    queries = [f"q{i}" for i in range(10)] * 2
    poisoned = np.array([False] * 10 + [i % 3 == 0 for i in range(10)])
    # Each query has its own trust, so the fitted threshold tells which queries it came from.
    trust = np.tile(np.linspace(0.5, 0.95, 10), 2)
    study = threshold_study(
        trust, poisoned, groups=queries, generator=np.random.default_rng(1), percentile=0.0, default=0.0
    )
    assert study.default.samples == 10
    fitting_minimum = np.flatnonzero(np.isclose(np.linspace(0.5, 0.95, 10), study.threshold))
    assert len(fitting_minimum) == 1
    flagged = study.fitted.confusion.flagged
    assert flagged == 2 * int(fitting_minimum[0])


def test_study_refuses_groups_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="1 group identifiers do not fit 2 samples"):
        threshold_study(np.array([0.5, 0.6]), np.array([False, True]), groups=["q"], generator=np.random.default_rng(0))
