"""Whether the Trust Index, as it is computed here, gives the trust that was recorded from the recorded F, C and P."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.datasets.records import AnswerState, Run
from ragstone.experiments.replay_tables import recorded_signals
from ragstone.experiments.studies import trust_scores
from ragstone.settings import Settings

__all__ = ["Arithmetic", "check_arithmetic"]

# The recorded trust went through single precision in places; nothing coarser than that counts as the same number.
TOLERANCE = 1e-6
# What the formulas of F and C allow. One meaningful passage has E > 0.40 and K <= 1 - E, so F >= 0.4·0.4 + 0.3·0.4.
# On the baseline a lies in [0.2, 0.5] and m in [0, 0.5], so (1 - m) a + m d lies in [0.1, 0.75].
LEAST_FACTUALITY = 0.28
BASELINE_CONSISTENCY = (0.1, 0.75)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Recomputed against recorded trust, over all samples of all runs.

    ``exceptions`` differ by more than 1e-6; ``exceptions_failed`` of them are failed generations, which the recorder
    scored 0. ``max_difference`` is over the other samples, ``max_exception`` over the exceptions. The last four count
    what the formulas of F, C and P can be checked for without the passages.
    """

    samples: int
    exceptions: int
    exceptions_failed: int
    max_difference: float
    max_exception: float
    dampened: int
    verdicts_differing: int
    factuality_on_baseline: int
    factuality_impossible: int
    consistency_impossible: int
    poison_at_one: int


def check_arithmetic(runs: Sequence[Run]) -> Arithmetic:
    """Recompute T with each run's weights and the dampener; the low-retrieval modifier's input was not recorded."""
    recorded = np.concatenate([run.trust for run in runs])
    difference = np.abs(np.concatenate([_recomputed(run) for run in runs]) - recorded)
    failed = np.array([state is AnswerState.FAILED for run in runs for state in run.states], dtype=bool)
    trustworthy = np.array([sample.trustworthy for run in runs for sample in run.samples], dtype=bool)
    factuality, consistency, poison = (
        np.concatenate([run.column(name) for run in runs])[~failed]
        for name in ("factuality", "consistency", "poison_probability")
    )
    on_baseline = factuality == 0.5
    low, high = BASELINE_CONSISTENCY
    outside = (consistency < low - TOLERANCE) | (consistency > high + TOLERANCE)
    exception = difference > TOLERANCE
    settings = Settings().trust
    return Arithmetic(
        samples=len(recorded),
        exceptions=int(exception.sum()),
        exceptions_failed=int((exception & failed).sum()),
        max_difference=float(difference[~exception].max(initial=0.0)),
        max_exception=float(difference[exception].max(initial=0.0)),
        dampened=int((poison > settings.dampener_start).sum()),
        verdicts_differing=int((trustworthy != (recorded >= settings.threshold)).sum()),
        factuality_on_baseline=int(on_baseline.sum()),
        factuality_impossible=int((factuality < LEAST_FACTUALITY - TOLERANCE).sum()),
        consistency_impossible=int((on_baseline & outside).sum()),
        poison_at_one=int((poison == 1.0).sum()),
    )


def _recomputed(run: Run) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    factuality, consistency, poison = run.info.weights
    settings = Settings().trust.model_copy(
        update={"factuality_weight": factuality, "consistency_weight": consistency, "poison_weight": poison}
    )
    return trust_scores(recorded_signals(run), settings)
