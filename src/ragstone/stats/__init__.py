"""Metrics of detection runs with their uncertainty, comparisons between runs, and probability calibration.

scikit-learn, SciPy and statsmodels do the arithmetic; they come with the extra ``bench`` and are imported when a
function is called. Nothing is rounded here; proportions are in [0, 1].
"""

from ragstone.stats.comparison import McNemar, MeanDeviation, mcnemar, mean_deviation
from ragstone.stats.confusion import Confusion, naive_baseline
from ragstone.stats.detection import DetectionScores, Estimate, score_detection
from ragstone.stats.intervals import Interval, Resampling, wilson_interval
from ragstone.stats.reliability import Reliability, ReliabilityBin, reliability

__all__ = [
    "Confusion",
    "DetectionScores",
    "Estimate",
    "Interval",
    "McNemar",
    "MeanDeviation",
    "Reliability",
    "ReliabilityBin",
    "Resampling",
    "mcnemar",
    "mean_deviation",
    "naive_baseline",
    "reliability",
    "score_detection",
    "wilson_interval",
]
