"""The detection benchmark: ask every question of a plan, judge the answer, store the sample.

    setup = DetectionSetup(load_dataset("truthfulqa", split="paper"), strategies=("mixed",))
    run_detection(setup, Models(embedder, nli, answers), Path("runs/mixed"))

Nothing is kept in memory that is not on disk; an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragstone import __version__
from ragstone.backends.protocols import NLI, Embedder
from ragstone.datasets.samples import Dataset
from ragstone.errors import InputError
from ragstone.experiments.answers import EXPECTED, NONE, AnswerSource
from ragstone.experiments.protocol import Plan, attack_options, clean_arm, control_arm, poisoned_arm
from ragstone.experiments.runs import RunFolder
from ragstone.experiments.sampling import Sampler
from ragstone.experiments.trivial import CachedEmbedder
from ragstone.guard import Guard
from ragstone.settings import Settings

__all__ = ["DetectionSetup", "Models", "Progress", "make_plan", "run_detection"]

Progress = Callable[[int, int, str], None]
"""Called with samples done, samples in all, and the arm at work."""


@dataclass(frozen=True)
class DetectionSetup:
    """What is to be run: the samples of ``dataset``, all of them, against the corpora of ``strategies``.

    Defaults are those of paper 000, section IV: 30 % poisoned, seed 42.
    """

    dataset: Dataset
    strategies: tuple[str, ...]
    settings: Settings = field(default_factory=Settings)
    share: float = 0.3
    seed: int = 42
    repeats: int = 1
    controls: bool = True

    def __post_init__(self) -> None:
        if not self.dataset.samples:
            raise InputError(f"data set {self.dataset.name!r} has no samples to run")
        if not 0.0 < self.share <= 1.0:
            raise InputError(
                f"share is {self.share!r}; it is the part of the documents to poison, above 0 and at most 1"
            )
        if self.repeats < 1:
            raise InputError(f"repeats is {self.repeats}; at least 1 is needed")


@dataclass(frozen=True)
class Models:
    """The models of a run."""

    embedder: Embedder
    nli: NLI
    answers: AnswerSource


def make_plan(setup: DetectionSetup, embedder: Embedder) -> Plan:
    """The corpora of the run. The embedder serves attacks that search with it; the others do not use it."""
    samples, share, seed = setup.dataset.samples, setup.share, setup.seed
    return Plan(
        samples=samples,
        clean=clean_arm(samples),
        poisoned=tuple(
            poisoned_arm(samples, name, share=share, seed=seed, options=attack_options(name, embedder))
            for name in setup.strategies
        ),
        control=control_arm(samples, share=share, seed=seed) if setup.controls else None,
        repeats=setup.repeats,
    )


def run_detection(setup: DetectionSetup, models: Models, folder: Path, *, progress: Progress | None = None) -> None:
    """Run what is not yet in ``folder``. Raises InputError when the folder holds another run or is in use.

    A generator or a screening model that fails raises BackendError; what was done until then stays, and the same call
    goes on from there.
    """
    if models.answers.identity in (NONE, EXPECTED) and setup.repeats > 1:
        raise InputError("repeats differ in the seed of generation; without a generator they would all be the same")
    embedder = CachedEmbedder(models.embedder)
    plan = make_plan(setup, embedder)
    guard = Guard(setup.settings, embedder=embedder, nli=models.nli)
    identity = run_identity(setup, plan, models, guard)
    with RunFolder.opened(folder, identity) as opened:
        sampler = Sampler(setup.settings, guard, embedder, models.answers, opened)
        report = progress or (lambda done, total, label: None)
        done = 0
        for task in plan.tasks():
            label = f"{task.arm.part} {task.arm.strategy}" if task.arm.strategy != "none" else "clean"
            if task.key not in opened.done:
                report(done, len(plan), label)
                opened.samples.append(sampler.run(task).model_dump(mode="json"))
            done += 1
        report(done, len(plan), "done")


def run_identity(setup: DetectionSetup, plan: Plan, models: Models, guard: Guard) -> dict[str, Any]:
    """All that the samples depend on; two runs with the same identity give the same samples (times apart)."""
    settings = setup.settings
    texts = hashlib.sha256()
    for arm in (plan.clean, *plan.poisoned, *([plan.control] if plan.control else [])):
        for document in arm.documents:
            texts.update(f"{document.id}\0{document.text}\0".encode(errors="replace"))
    return {
        "kind": "detection",
        "version": __version__,
        "dataset": setup.dataset.name,
        "split": setup.dataset.split,
        "origin": setup.dataset.origin,
        "n": len(setup.dataset.samples),
        "texts": texts.hexdigest()[:16],
        "strategies": list(setup.strategies),
        "share": setup.share,
        "seed": setup.seed,
        "repeats": setup.repeats,
        "controls": setup.controls,
        "preset": settings.preset,
        "generator": models.answers.identity,
        "names": settings.models.model_dump(mode="json", include={"generator", "embedder", "nli"}),
        "embedder": models.embedder.identity,
        "nli": models.nli.identity,
        "retrieval": settings.retrieval.model_dump(mode="json"),
        "generation": settings.generation.model_dump(mode="json", include={"temperature", "max_tokens", "seed"}),
        "trust": settings.trust.model_dump(mode="json"),
        "flag_threshold": settings.screening.flag_threshold,
        "fingerprint": guard.fingerprint,
    }
