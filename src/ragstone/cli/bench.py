"""``ragstone bench``: the detection benchmark, what can be learnt from a stored run, and its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragstone.cli.bench_options import (
    DEFAULT_N,
    AnswersFrom,
    Controls,
    Data,
    DatasetName,
    Out,
    Questions,
    Repeats,
    Run,
    Seed,
    ShareOption,
    Split,
    Strategies,
)
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
    from ragstone.datasets.samples import Dataset
    from ragstone.experiments.detection import Models
    from ragstone.experiments.stored_runs import StoredRun
    from ragstone.experiments.tables import Table
    from ragstone.settings import Settings

__all__ = ["app"]

app = typer.Typer(help="Benchmark detection; study and report stored runs.", no_args_is_help=True)

# Generation as in paper 000, section IV; --config and --set override it.
PAPER_GENERATION = ("generation.temperature=0.7", "generation.max_tokens=512")
BOOTSTRAP = 20_000
MAIN_TABLES = ("retrieval", "document", "paper", "exposure", "passages", "controls", "unscored")


@app.command("detect")
def detect(
    out: Out,
    dataset: DatasetName = "truthfulqa",
    split: Split = "paper",
    strategy: Strategies = "all",
    n: Questions = None,
    share: ShareOption = 0.3,
    seed: Seed = 42,
    repeats: Repeats = 1,
    controls: Controls = True,
    generator: AnswersFrom = None,
    data: Data = None,
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
    from ragstone.cli.bench_progress import progress_of
    from ragstone.experiments.detection import DetectionSetup, run_detection
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
    chosen = _samples(dataset, split, data, n)
    setup = DetectionSetup(chosen, strategies_for(chosen, strategy), settings, share, seed, repeats, controls)
    models = _models(settings)
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


def _samples(name: str, split: str, data: str | None, n: int | None) -> Dataset:
    from dataclasses import replace

    from ragstone.datasets import load_dataset
    from ragstone.errors import InputError

    dataset = load_dataset(name, split=split, data=data)
    available = len(dataset.samples)
    if n is not None and n > available:
        raise InputError(f"--n {n}: split {split!r} of {name!r} has {available} samples")
    return replace(dataset, samples=dataset.samples[: n or DEFAULT_N])


def _models(settings: Settings) -> Models:
    from ragstone.backends import open_embedder, open_generator, open_nli
    from ragstone.experiments.answers import (
        EXPECTED,
        NONE,
        AnswerSource,
        ExpectedAnswers,
        GeneratedAnswers,
        NoAnswers,
    )
    from ragstone.experiments.detection import Models

    names = settings.models
    answers: AnswerSource
    if names.generator == EXPECTED:
        answers = ExpectedAnswers()
    elif names.generator == NONE:
        answers = NoAnswers()
    else:
        answers = GeneratedAnswers(open_generator(names.generator, settings), settings)
    return Models(open_embedder(names.embedder, settings), open_nli(names.nli, settings), answers)


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
