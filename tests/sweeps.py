"""A small sweep of a few queries with models that are exact and fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fakes import WordEmbedder
from ragstone.backends.protocols import Generation, Message
from ragstone.datasets.sweep import load_sweep_set
from ragstone.experiments.sweep.design import load_design
from ragstone.experiments.sweep.runner import SweepResult, SweepSetup, run_sweep


class Reader:
    """Answers with the first passage of its prompt; ``seed`` and temperature are remembered with what was asked."""

    identity = "reader"

    def __init__(self, answer: Callable[[str, int], str] | None = None) -> None:
        self.answer = answer or (lambda prompt, seed: first_passage(prompt))
        self.asked: list[tuple[str, float, int, int]] = []

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        assert seed is not None
        prompt = messages[-1].content
        self.asked.append((prompt, temperature, max_tokens, seed))
        return Generation(self.answer(prompt, seed), 10, 5, "stop")


def first_passage(prompt: str) -> str:
    return prompt.splitlines()[0].partition(": ")[2]


def small_setup(queries: int = 4, controls: int = 1, overrides: Mapping[str, Any] | None = None) -> SweepSetup:
    material = load_sweep_set()
    material = replace(
        material,
        queries=material.queries[:queries],
        documents=material.documents[:16],
        unanswerable=material.unanswerable[:controls],
    )
    return SweepSetup(load_design(None, overrides), material)


def run_small(folder: Path, generator: Reader | None = None, setup: SweepSetup | None = None) -> SweepResult:
    return run_sweep(setup or small_setup(), WordEmbedder(), generator or Reader(), folder)
