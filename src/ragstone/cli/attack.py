"""``ragstone attack``: poison a share of a corpus file; what was changed goes to a file of labels beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragstone.cli.bench_options import Seed
from ragstone.cli.options import Config, Debug, Embedder, Generator, Json, Set, effective_settings

if TYPE_CHECKING:
    from ragstone.attacks import Attack
    from ragstone.attacks.corpus import PoisoningSummary
    from ragstone.settings import Settings

__all__ = ["attack"]


def attack(
    corpus: Annotated[
        Path, typer.Argument(metavar="CORPUS", help="JSON lines with 'text', and 'id' and 'question' where known.")
    ],
    strategy: Annotated[
        str, typer.Option("--strategy", "-s", metavar="NAME", help="A strategy; an unknown name lists them.")
    ] = "mixed",
    share: Annotated[
        float, typer.Option("--share", metavar="S", min=0.0, max=1.0, help="Part of the documents to poison.")
    ] = 0.3,
    seed: Seed = 42,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The poisoned corpus. Default: CORPUS.poisoned.jsonl.")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option("--labels", metavar="FILE", help="The labels. Default: beside the poisoned corpus.")
    ] = None,
    fill: Annotated[
        bool, typer.Option("--fill/--no-fill", help="Draw other documents where the strategy does not apply.")
    ] = False,
    json_output: Json = False,
    config: Config = None,
    assignments: Set = None,
    embedder: Embedder = None,
    generator: Generator = None,
    debug: Debug = False,
) -> None:
    """Poison a share of a corpus and write down, apart from the texts, which documents were changed and how."""
    from ragstone.attacks.corpus import poison_file
    from ragstone.cli.output import note, print_json, working

    settings = effective_settings(config, assignments, embedder=embedder, generator=generator)
    opened = _open(strategy, settings)
    target = out or corpus.with_name(f"{corpus.name.removesuffix('.jsonl')}.poisoned.jsonl")
    with working(f"Poisoning {corpus}"):
        summary = poison_file(corpus, target, opened, labels=labels, share=share, seed=seed, fill=fill)
    if json_output:
        print_json({**_values(summary), "strategy": strategy, "share": share, "seed": seed})
        return
    typer.echo(summary.corpus)
    typer.echo(summary.labels)
    kinds = ", ".join(f"{name} {count}" for name, count in sorted(summary.by_strategy.items()))
    note(f"{summary.changed} of {summary.documents} documents poisoned" + (f" ({kinds})" if kinds else ""))
    if summary.chosen > summary.changed:
        note(f"To {summary.chosen - summary.changed} more the strategy did not apply; the labels say why")


def _values(summary: PoisoningSummary) -> dict[str, Any]:
    return {
        "corpus": str(summary.corpus),
        "labels": str(summary.labels),
        "documents": summary.documents,
        "chosen": summary.chosen,
        "poisoned": summary.changed,
        "by_strategy": dict(summary.by_strategy),
    }


def _open(strategy: str, settings: Settings) -> Attack:
    from ragstone.attacks import open_attack
    from ragstone.backends import open_embedder, open_generator

    options: dict[str, Any] = {}
    if strategy == "collision":
        # On its own the search only makes a passage easier to retrieve; the paper's adversary also makes it false.
        options = {"embedder": open_embedder(settings.models.embedder, settings), "base": open_attack("mixed")}
    elif strategy == "generated":
        options = {"generator": open_generator(settings.models.generator, settings)}
    return open_attack(strategy, **options)
