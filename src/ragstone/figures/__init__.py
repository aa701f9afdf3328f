"""Figures of benchmark runs, drawn with matplotlib (extra ``bench``) and readable without colour vision."""

from ragstone.figures.detection import detection_figures
from ragstone.figures.studies import study_figures
from ragstone.figures.style import Drawing

__all__ = ["Drawing", "detection_figures", "study_figures"]
