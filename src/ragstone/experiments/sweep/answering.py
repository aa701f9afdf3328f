"""The two answers of a cell, with seeds that are locked across the pair or independent of each other.

The clean answer of a locked pair has the same prompt and seed in every cell of its slot; it is generated once and kept.
The other answer is always generated, at level 0 too: whether it comes out the same is what the 0/3 cell measures.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from ragstone.backends.generators.chat import prompt_sha256
from ragstone.backends.protocols import Generator, Message
from ragstone.errors import EmptyAnswerError, InputError
from ragstone.experiments.runs import RunFolder
from ragstone.experiments.sweep.design import Cell, SweepDesign
from ragstone.experiments.sweep.records import CLEAN, POISONED, StoredAnswer
from ragstone.generation import build_messages, generate_answer
from ragstone.settings import Settings
from ragstone.types import Passage

__all__ = ["Answering", "PromptCaching", "derived_seed"]


@runtime_checkable
class PromptCaching(Protocol):
    """A generator whose runtime can keep what it has read of a prompt for the next one."""

    def with_prompt_cache(self, enabled: bool) -> Generator:
        """The same model, with the cache on or off."""


def derived_seed(*parts: object) -> int:
    """A seed in [0, 2**31) from ``parts``, the same in every process."""
    text = json.dumps([str(part) for part in parts])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") & 0x7FFFFFFF


class Answering:
    """Answers by ``generator``, at the design's temperature and length and otherwise by ``settings``.

    Raises InputError when the design asks for a prompt cache that the generator does not offer.
    """

    def __init__(self, generator: Generator, design: SweepDesign, settings: Settings, folder: RunFolder) -> None:
        self._design = design
        self._settings = settings
        self._folder = folder
        self._generators = {on: _with_cache(generator, on) for on in design.prompt_cache}
        self._kept = folder.generated()

    def pair(
        self, cell: Cell, question: str, clean: Sequence[Passage], poisoned: Sequence[Passage]
    ) -> dict[str, StoredAnswer]:
        """Raises BackendError when the generator fails; an empty answer is an answer."""
        seeds = self._seeds(cell)
        return {
            CLEAN: self._clean(cell, question, clean, seeds[CLEAN]),
            POISONED: self._generate(cell.configuration.prompt_cache, question, poisoned, seeds[POISONED]),
        }

    def alone(self, question: str, passages: Sequence[Passage], *, repeat: int) -> StoredAnswer:
        """One answer that belongs to no pair."""
        seed = derived_seed(self._design.seed, "alone", question, repeat)
        return self._generate(self._design.prompt_cache[0], question, passages, seed)

    def _seeds(self, cell: Cell) -> dict[str, int]:
        """Neither the prompt cache nor k changes a seed, so that settings are compared on the same draws."""
        configuration, base = cell.configuration, self._design.seed
        if configuration.decoding == "locked":
            seed = derived_seed(base, "pair", cell.slot, cell.seed)
            return {CLEAN: seed, POISONED: seed}
        parts = (cell.slot, cell.strategy, cell.level, cell.draw, cell.seed)
        return {arm: derived_seed(base, arm, *parts) for arm in (CLEAN, POISONED)}

    def _clean(self, cell: Cell, question: str, passages: Sequence[Passage], seed: int) -> StoredAnswer:
        configuration = cell.configuration
        # With the prompt cache on, an answer also depends on what was asked before.
        if configuration.decoding == "independent" or configuration.prompt_cache:
            return self._generate(configuration.prompt_cache, question, passages, seed)
        key = f"{prompt_sha256(build_messages(question, passages))}:{seed}"
        if key in self._kept:
            kept = {name: value for name, value in self._kept[key].items() if name != "key"}
            return StoredAnswer.model_validate(kept | {"reused": True})
        answer = self._generate(False, question, passages, seed)
        row: dict[str, Any] = {"key": key, **answer.model_dump(mode="json")}
        self._folder.generations.append(row)
        self._kept[key] = row
        return answer

    def _generate(self, cached: bool, question: str, passages: Sequence[Passage], seed: int) -> StoredAnswer:
        sampling = self._settings.generation.model_copy(
            update={"temperature": self._design.temperature, "max_tokens": self._design.max_tokens, "seed": seed}
        )
        settings = self._settings.model_copy(update={"generation": sampling})
        return _timed(build_messages(question, passages), self._generators[cached], settings)


def _timed(messages: Sequence[Message], generator: Generator, settings: Settings) -> StoredAnswer:
    seed, start = settings.generation.seed, time.perf_counter()
    try:
        generation = generate_answer(messages, generator, settings)
    except EmptyAnswerError as error:
        return StoredAnswer(text="", seed=seed, seconds=_since(start), reason=str(error))
    return StoredAnswer(
        text=generation.text,
        seed=seed,
        seconds=_since(start),
        prompt_tokens=generation.prompt_tokens,
        completion_tokens=generation.completion_tokens,
        finish_reason=generation.finish_reason,
    )


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 4)


def _with_cache(generator: Generator, enabled: bool) -> Generator:
    if isinstance(generator, PromptCaching):
        return generator.with_prompt_cache(enabled)
    if enabled:
        raise InputError(
            f"prompt_cache = true: the generator {generator.identity} offers no prompt cache that could be switched; "
            "leave prompt_cache out of the design"
        )
    return generator
