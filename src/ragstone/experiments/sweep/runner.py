"""Running a sweep: retrieve once, poison a copy, answer twice, put it down; an interrupted sweep goes on where it was.

run_sweep(SweepSetup(load_design(), load_sweep_set()), generator, Path("runs/sweep"))
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ragstone import __version__
from ragstone.attacks import Attack, open_attack
from ragstone.backends.generators.chat import prompt_sha256
from ragstone.backends.protocols import Embedder, Generator
from ragstone.datasets.sweep import SweepSet
from ragstone.errors import BackendError
from ragstone.experiments.runs import RunFolder
from ragstone.experiments.sweep.answering import Answering
from ragstone.experiments.sweep.contexts import ContextKey, Contexts, read_contexts, retrieve_contexts, write_contexts
from ragstone.experiments.sweep.design import Cell, Strategy, SweepDesign
from ragstone.experiments.sweep.poisoning import poison_cell, poisoned_copy
from ragstone.experiments.sweep.records import CellRecord, ControlRecord
from ragstone.generation import build_messages
from ragstone.retrieval import Retriever
from ragstone.settings import Settings
from ragstone.types import Passage

__all__ = ["Progress", "SweepResult", "SweepSetup", "run_sweep"]

Progress = Callable[[int, int, str], None]
"""Called with what is done, how much there is in all, and what is being done."""
# One prompt may be too long for the model; many failures in a row mean that the model is gone.
_MOST_FAILURES = 5


@dataclass(frozen=True)
class SweepSetup:
    """What is to be run. ``settings`` give chunk sizes, and all of generation that the design does not."""

    design: SweepDesign
    material: SweepSet
    settings: Settings = field(default_factory=Settings)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(self.design.cells(self.material.queries))

    @property
    def controls(self) -> tuple[str, ...]:
        """The unanswerable questions that are asked too."""
        return self.material.unanswerable if self.design.unanswerable else ()

    def context_keys(self) -> list[ContextKey]:
        questions = [query.question for query in self.material.queries]
        settings = dict.fromkeys((c.k, c.diverse) for c in self.design.configurations)
        keys = [ContextKey(question, k, diverse) for k, diverse in settings for question in questions]
        return list(dict.fromkeys(keys + [self.control_key(question) for question in self.controls]))

    def control_key(self, question: str) -> ContextKey:
        first = self.design.configurations[0]
        return ContextKey(question, first.k, first.diverse)


@dataclass(frozen=True, slots=True)
class SweepResult:
    """``failed`` maps the cells whose generation failed to the reason; running the sweep again tries them again."""

    total: int
    failed: Mapping[str, str]


def run_sweep(
    setup: SweepSetup, embedder: Embedder, generator: Generator, folder: Path, *, progress: Progress | None = None
) -> SweepResult:
    """Run what is not yet in ``folder``; each cell is on disk before the next begins.

    Raises InputError when the folder holds another run or is in use, and BackendError when several cells in a row fail.
    """
    report = progress or (lambda done, total, label: None)
    with RunFolder.opened(folder, run_identity(setup, embedder, generator)) as opened:
        contexts = _contexts(setup, embedder, folder, report)
        attacks = {s.name: _attack(s, embedder, generator) for s in setup.design.strategies}
        sweep = _Sweep(setup, contexts, attacks, Answering(generator, setup.design, setup.settings, opened))
        failed: dict[str, str] = {}
        in_a_row = 0
        total = len(setup.cells) + len(setup.controls) * setup.design.decoding_seeds
        for done, (key, run) in enumerate(sweep.work()):
            if key in opened.done:
                continue
            report(done, total, key)
            try:
                opened.samples.append(run().model_dump(mode="json"))
                in_a_row = 0
            except BackendError as error:
                failed[key] = str(error)
                in_a_row += 1
                if in_a_row == _MOST_FAILURES:
                    raise BackendError(f"{in_a_row} cells in a row failed, the last with: {error}") from error
        report(total, total, "done")
    return SweepResult(total, failed)


def run_identity(setup: SweepSetup, embedder: Embedder, generator: Generator) -> dict[str, Any]:
    """All that the results depend on, and the queries, so that a report needs the folder alone."""
    corpus = hashlib.sha256()
    for document in setup.material.documents:
        corpus.update(f"{document.id}\0{document.text}\0{document.source}\0".encode(errors="replace"))
    sizes = setup.settings.retrieval
    return {
        "experiment": "sweep",
        "version": __version__,
        "design": setup.design.model_dump(mode="json"),
        "corpus": {
            "name": setup.material.name,
            "origin": setup.material.origin,
            "documents": len(setup.material.documents),
            "sha256": corpus.hexdigest()[:16],
        },
        "chunks": [sizes.chunk_tokens, sizes.chunk_overlap],
        "prompt": prompt_sha256(build_messages("Q?", [Passage("p", "A.")]))[:16],
        "embedder": embedder.identity,
        "generator": generator.identity,
        "queries": [query.model_dump(mode="json") for query in setup.material.queries],
        "unanswerable": list(setup.controls),
    }


@dataclass(frozen=True)
class _Sweep:
    """The work of a sweep, in order."""

    setup: SweepSetup
    contexts: Contexts
    attacks: Mapping[str, Attack]
    answering: Answering

    def work(self) -> Iterator[tuple[str, Callable[[], CellRecord | ControlRecord]]]:
        """(key, what makes its record) of each cell, then of each control."""
        for cell in self.setup.cells:
            yield cell.key, partial(self._cell, cell)
        for repeat in range(self.setup.design.decoding_seeds):
            for number, question in enumerate(self.setup.controls, start=1):
                key = f"unanswerable/{number:03d}/seed{repeat}"
                yield key, partial(self._control, key, question, repeat)

    def _cell(self, cell: Cell) -> CellRecord:
        query = self.setup.material.queries[cell.slot - 1]
        configuration = cell.configuration
        clean = self.contexts[ContextKey(query.question, configuration.k, configuration.diverse)]
        change = poison_cell(cell, query.question, clean, self.attacks[cell.strategy], self.setup.design)
        answers = self.answering.pair(cell, query.question, clean, poisoned_copy(clean, change.poisoned))
        return CellRecord(
            key=cell.key,
            query=query.id,
            slot=cell.slot,
            strategy=cell.strategy,
            level=cell.level,
            reached=change.reached,
            k=configuration.k,
            diverse=configuration.diverse,
            decoding=configuration.decoding,
            prompt_cache=configuration.prompt_cache,
            draw=cell.draw,
            seed=cell.seed,
            poisoned=change.poisoned,
            unchanged=change.unchanged,
            answers=answers,
        )

    def _control(self, key: str, question: str, repeat: int) -> ControlRecord:
        passages = self.contexts[self.setup.control_key(question)]
        answer = self.answering.alone(question, passages, repeat=repeat)
        return ControlRecord(key=key, question=question, passages=tuple(p.id for p in passages), answer=answer)


def _contexts(setup: SweepSetup, embedder: Embedder, folder: Path, report: Progress) -> Contexts:
    """Those of the folder; else the corpus is indexed and asked once."""
    if contexts := read_contexts(folder):
        return contexts
    retriever = Retriever(embedder, setup.settings)
    retriever.index(setup.material.documents, on_progress=lambda done, total: report(done, total, "embedding"))
    keys = setup.context_keys()
    found: Contexts = retrieve_contexts(keys, retriever, lambda: None)
    write_contexts(folder, found)
    return found


def _attack(strategy: Strategy, embedder: Embedder, generator: Generator) -> Attack:
    """The attack with what it needs: ``collision`` searches with the embedder, ``generated`` asks the generator."""
    options: dict[str, Any] = {"consistent": True} if strategy.consistent else {}
    if strategy.attack == "collision":
        options |= {"embedder": embedder, "base": open_attack("mixed")}
    elif strategy.attack == "generated":
        options |= {"generator": generator}
    return open_attack(strategy.attack, **options)
