"""What the agent costs beside plain retrieval-augmented generation (paper 000, section V-E)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.experiments.detection_record import DetectionRecord, Part
from ragstone.experiments.stored_runs import StoredRun

__all__ = ["Overhead", "StageTime", "overhead_of"]


@dataclass(frozen=True, slots=True)
class StageTime:
    """Seconds of one stage over ``samples``."""

    name: str
    samples: int
    mean: float
    median: float
    p95: float
    sum: float


@dataclass(frozen=True, slots=True)
class Overhead:
    """``factor``: (screening + verification) over (retrieval + generation), the paper's overhead over plain RAG; None
    without generated answers. ``pairs`` is the mean number of pairs the NLI model ran on for a sample. ``total`` is
    the time spent on all samples, and ``agent`` the agent's own part of it, in seconds."""

    stages: tuple[StageTime, ...]
    factor: float | None
    pairs: float
    total: float
    agent: float


def overhead_of(run: StoredRun) -> Overhead:
    """Times of part A in the first repeat, where nothing has been seen before; sums over the whole run.

    Generation counts prompts that were generated, each once; screening and verification profit from passages and
    sentences judged before, as they would in a service that keeps its caches.
    """
    first = [record for record in run.arm(Part.CLEAN) if not record.reused_answer] or list(run.arm(Part.CLEAN))
    stages = []
    for name in ("retrieval", "generation", "screening", "verification"):
        stages.append(_stage(name.capitalize(), [record.timings[name] for record in first], _sum(run.records, name)))
    agent = [record.timings["screening"] + record.timings["verification"] for record in first]
    stages.append(_stage("Agent (screening and verification)", agent, _sum(run.records, "screening", "verification")))
    plain = sum(record.timings["retrieval"] + record.timings["generation"] for record in first)
    generated = any(record.timings["generation"] > 0.0 for record in first)
    return Overhead(
        stages=tuple(stages),
        factor=sum(agent) / plain if generated and plain > 0.0 else None,
        pairs=float(np.mean([record.pairs for record in first])) if first else 0.0,
        total=sum(record.timings["total"] for record in run.records),
        agent=_sum(run.records, "screening", "verification"),
    )


def _sum(records: Sequence[DetectionRecord], *names: str) -> float:
    # A reused answer carries the time that generating it took once.
    return sum(r.timings[n] for r in records for n in names if not (n == "generation" and r.reused_answer))


def _stage(name: str, seconds: list[float], total: float) -> StageTime:
    values = np.array(seconds or [0.0])
    return StageTime(
        name, len(seconds), float(values.mean()), float(np.median(values)), float(np.percentile(values, 95)), total
    )
