"""``ragstone bench``: the detection benchmark, what can be learnt from a stored run, and its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragstone.cli.options import (
    Config,
    Debug,
    Embedder,
    Json,
    Nli,
    Preset,
    Set,
    TopK,
    effective_settings,
)

if TYPE_CHECKING:
    from ragstone.experiments.answers import AnswerSource
    from ragstone.experiments.stored_runs import StoredRun
    from ragstone.experiments.tables import Table
    from ragstone.settings import Settings

__all__ = ["app"]

app = typer.Typer(help="Benchmark detection; study and report stored runs.", no_args_is_help=True)

DEFAULT_N = 50
# Generation as in paper 000, section IV; --config and --set override it.
PAPER_GENERATION = ("generation.temperature=0.7", "generation.max_tokens=512")
BOOTSTRAP = 20_000
MAIN_TABLES = ("retrieval", "document", "paper", "exposure", "passages", "controls", "unscored")

Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


@app.command("detect")
def detect(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The run's folder; an unfinished run is resumed.")],
    dataset: Annotated[
        str, typer.Option("--dataset", metavar="NAME", help="A data set; an unknown name lists them.")
    ] = "truthfulqa",
    split: Annotated[str, typer.Option("--split", metavar="NAME", help="paper, tune, report or all.")] = "paper",
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="NAMES", help="One, several with commas, or all.")
    ] = "all",
    n: Annotated[
        int | None, typer.Option("--n", min=1, help=f"Questions. Default: {DEFAULT_N}, or as many as there are.")
    ] = None,
    share: Annotated[float, typer.Option("--share", min=0.01, max=1.0, help="Part of the documents to poison.")] = 0.3,
    seed: Annotated[int, typer.Option("--seed", help="Of the choice, the edits and the generation.")] = 42,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Independent generations.")] = 1,
    controls: Annotated[bool, typer.Option("--controls/--no-controls", help="Also run benign edits.")] = True,
    generator: Annotated[
        str | None,
        typer.Option(
            "--generator",
            metavar="NAME",
            help="Language model; expected: the data set's own answers; none: screening alone.",
        ),
    ] = None,
    data: Annotated[
        str | None, typer.Option("--data", metavar="PATH", help="Where the data is; samples: tiny invented ones.")
    ] = None,
    json_output: Json = False,
    config: Config = None,
    assignments: Set = None,
    preset: Preset = None,
    nli: Nli = None,
    embedder: Embedder = None,
    top_k: TopK = None,
    debug: Debug = False,
) -> None:
    """Ask questions of a clean and of a poisoned corpus and score how well poisoning is detected."""
    from dataclasses import replace

    from ragstone.backends import open_embedder, open_nli
    from ragstone.cli.bench_progress import progress_of
    from ragstone.datasets import load_dataset
    from ragstone.errors import InputError
    from ragstone.experiments.detection import DetectionSetup, Models, run_detection
    from ragstone.experiments.protocol import strategies_for
    from ragstone.experiments.stored_runs import load_run

    settings = effective_settings(
        config,
        [*PAPER_GENERATION, f"generation.seed={seed}", *(assignments or ())],
        preset=preset,
        nli=nli,
        embedder=embedder,
        generator=generator,
        top_k=top_k,
    )
    chosen = load_dataset(dataset, split=split, data=data)
    available = len(chosen.samples)
    if n is not None and n > available:
        raise InputError(f"--n {n}: split {split!r} of {dataset!r} has {available} samples")
    chosen = replace(chosen, samples=chosen.samples[: n or DEFAULT_N])
    setup = DetectionSetup(chosen, strategies_for(chosen, strategy), settings, share, seed, repeats, controls)
    models = Models(
        open_embedder(settings.models.embedder, settings),
        open_nli(settings.models.nli, settings),
        _answers(settings.models.generator, settings),
    )
    with progress_of(out.name) as progress:
        run_detection(setup, models, out, progress=progress)
    _show(load_run(out), json_output)


@app.command("show")
def show(
    run: Run,
    all_tables: Annotated[bool, typer.Option("--all", help="Every table, not the main ones only.")] = False,
    json_output: Json = False,
    debug: Debug = False,
) -> None:
    """Score a stored run, also one that is not finished, and print its tables."""
    from ragstone.experiments.stored_runs import load_run

    _show(load_run(run), json_output, all_tables)


@app.command("report")
def report(
    run: Run,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the report goes. Default: report/ in the run.")
    ] = None,
    debug: Debug = False,
) -> None:
    """Write a page with tables and figures, each figure as SVG and PNG, each table as CSV and Markdown."""
    from ragstone.cli.output import working
    from ragstone.experiments.stored_runs import load_run
    from ragstone.report.benchmark import write_benchmark_report

    with working("Writing the report"):
        page = write_benchmark_report(load_run(run), out or run / "report")
    typer.echo(page)


@app.command("studies")
def studies(run: Run, json_output: Json = False, debug: Debug = False) -> None:
    """Ablation, leave-one-out, weight sensitivity, threshold, scarce labels, drift: from a stored run, no model."""
    from ragstone.cli.output import working
    from ragstone.experiments.stored_runs import load_run
    from ragstone.experiments.study_tables import study_tables
    from ragstone.stats import Resampling

    stored = load_run(run)
    with working("Studying"):
        tables = study_tables(stored, resampling=Resampling(resamples=BOOTSTRAP))
    _print_tables(stored, tables, json_output)


@app.command("compare")
def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Folders; the first is the reference.")],
    json_output: Json = False,
    debug: Debug = False,
) -> None:
    """Runs side by side: generators, embedders, depths or presets; McNemar's test; thresholds carried over."""
    from ragstone.cli.output import print_json, stdout_console, working
    from ragstone.cli.tables_view import rich_table, table_values
    from ragstone.experiments.comparison_tables import comparison_tables
    from ragstone.experiments.stored_runs import load_run
    from ragstone.stats import Resampling

    with working("Comparing"):
        tables = comparison_tables([load_run(run) for run in runs], resampling=Resampling(resamples=BOOTSTRAP))
    if json_output:
        print_json({"tables": table_values(tables)})
        return
    for table in tables:
        stdout_console().print(rich_table(table))


def _answers(name: str, settings: Settings) -> AnswerSource:
    from ragstone.backends import open_generator
    from ragstone.experiments.answers import EXPECTED, NONE, ExpectedAnswers, GeneratedAnswers, NoAnswers

    if name == EXPECTED:
        return ExpectedAnswers()
    if name == NONE:
        return NoAnswers()
    return GeneratedAnswers(open_generator(name, settings), settings)


def _show(run: StoredRun, json_output: bool, all_tables: bool = False) -> None:
    from ragstone.cli.output import note, working
    from ragstone.experiments.detection_tables import detection_tables
    from ragstone.stats import Resampling

    with working("Scoring"):
        tables = detection_tables(run, resampling=Resampling(resamples=BOOTSTRAP))
    shown = tables if json_output or all_tables else tuple(t for t in tables if t.number in MAIN_TABLES)
    _print_tables(run, shown, json_output)
    if not run.complete:
        note(f"Not finished: {len(run.records)} of {run.expected} samples")
    _note_time(run)


def _print_tables(run: StoredRun, tables: tuple[Table, ...], json_output: bool) -> None:
    from ragstone.cli.output import print_json, stdout_console
    from ragstone.cli.tables_view import rich_table, table_values

    if json_output:
        print_json({**_summary(run), "tables": table_values(tables)})
        return
    console = stdout_console()
    for table in tables:
        console.print(rich_table(table))


def _note_time(run: StoredRun) -> None:
    from ragstone.cli.output import note
    from ragstone.experiments.overhead import overhead_of

    time = overhead_of(run)
    factor = "" if time.factor is None else f", {time.factor:.2f} times retrieval and generation"
    note(f"{len(run.records)} samples in {time.total:.0f} s; the agent's share is {time.agent:.0f} s{factor}")


def _summary(run: StoredRun) -> dict[str, Any]:
    return {"run": dict(run.meta), "samples": len(run.records), "expected": run.expected, "complete": run.complete}
