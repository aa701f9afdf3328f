"""``ragstone sweep``: run the robustness sweep of paper 001, report it, and have its answers labelled by people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragstone.cli.options import Config, Debug, Embedder, Generator, Html, Json, Nli, Set, effective_settings

if TYPE_CHECKING:
    from ragstone.backends.entailment import Entailment
    from ragstone.experiments.sweep.agreement import Agreement
    from ragstone.experiments.sweep.outcomes import JudgedAnswer
    from ragstone.experiments.sweep.report import SweepReport
    from ragstone.experiments.sweep.scored import SweepRun
    from ragstone.settings import Settings

__all__ = ["app"]

app = typer.Typer(help="How far a generator degrades when its passages are poisoned.", no_args_is_help=True)
label = typer.Typer(help="A blinded sample for people to label, and their agreement.", no_args_is_help=True)
app.add_typer(label, name="label")

MAIN_TABLES = ("I", "II", "III", "increments", "residual", "outcomes")
# What of the widest tables fits on a terminal; all of it is in --json and --html.
NARROW = ("clean_accuracy", "poisoned_accuracy", "fooled", "abstention", "attack_success", "p_holm")
COMPARED = ("changed", "identical", "poisoned_accuracy", "fooled", "low", "high", "attack_success")
OPEN_TABLES = ("II", "scores", "increments", "residual", "outcomes", "queries")

Run = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a sweep.")]


@app.command("run")
def run(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The sweep's folder; an unfinished sweep is resumed.")
    ],
    design: Annotated[
        str | None,
        typer.Option("--design", metavar="FILE", help="A design (TOML) or the name of one. Default: the paper's."),
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option("--corpus", metavar="NAME", help="built-in, fever, ramdocs, or a path. Default: the design's."),
    ] = None,
    queries: Annotated[
        str | None, typer.Option("--queries", metavar="FILE", help="Queries of your own, as JSON lines.")
    ] = None,
    data: Annotated[
        str | None, typer.Option("--data", metavar="PATH", help="Where public data sets are. Default: $RAGSTONE_DATA.")
    ] = None,
    decoding: Annotated[
        str | None,
        typer.Option("--decoding", metavar="MODES", help="independent, locked, or both with a comma."),
    ] = None,
    seeds: Annotated[int | None, typer.Option("--seeds", min=1, help="Decoding seeds of each cell.")] = None,
    draws: Annotated[int | None, typer.Option("--draws", min=1, help="Corruption draws of each cell.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of the whole sweep.")] = None,
    json_output: Json = False,
    config: Config = None,
    assignments: Set = None,
    embedder: Embedder = None,
    generator: Generator = None,
    debug: Debug = False,
) -> None:
    """Answer every query twice, from clean and from poisoned passages, for every strategy and level."""
    from ragstone.backends import open_embedder, open_generator
    from ragstone.cli.bench_progress import progress_of
    from ragstone.cli.output import note, print_json
    from ragstone.datasets.sweep import load_sweep_set
    from ragstone.experiments.sweep.design import load_design
    from ragstone.experiments.sweep.runner import SweepSetup, run_sweep

    overrides: dict[str, Any] = {
        "corpus": corpus,
        "queries": queries,
        "decoding": None if decoding is None else [mode.strip() for mode in decoding.split(",")],
        "decoding_seeds": seeds,
        "corruption_draws": draws,
        "seed": seed,
    }
    chosen = load_design(design, overrides)
    settings = effective_settings(config, assignments, embedder=embedder, generator=generator)
    setup = SweepSetup(chosen, load_sweep_set(chosen.corpus, chosen.queries, data), settings)
    models = open_embedder(settings.models.embedder, settings), open_generator(settings.models.generator, settings)
    with progress_of(out.name) as progress:
        result = run_sweep(setup, *models, out, progress=progress)
    if json_output:
        print_json({"folder": str(out), "total": result.total, "failed": dict(result.failed)})
    for key, reason in list(result.failed.items())[:5]:
        note(f"Failed: {key}: {reason}")
    if result.failed:
        note(f"{len(result.failed)} of {result.total} failed; the same command tries them again")
        raise typer.Exit(1)
    note(f"{result.total} done; see them with: ragstone sweep report {out}")


@app.command("report")
def report(
    folder: Run,
    json_output: Json = False,
    html: Html = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="DIR", help="Also write every figure as PNG and SVG.")
    ] = None,
    all_tables: Annotated[bool, typer.Option("--all", help="Every table, not the main ones only.")] = False,
    judge: Annotated[
        bool, typer.Option("--judge/--no-judge", help="Judge the answers by inference, once, and keep the outcomes.")
    ] = True,
    config: Config = None,
    assignments: Set = None,
    nli: Nli = None,
    debug: Debug = False,
) -> None:
    """Score a sweep, also one that is not finished: the paper's tables and figures, and more."""
    from ragstone.cli.output import note, print_json, working, write_text
    from ragstone.experiments.sweep.html import render_sweep_html, write_figures
    from ragstone.experiments.sweep.report import report_json, sweep_report
    from ragstone.experiments.sweep.scored import load_sweep

    with working("Reading the sweep"):
        found = load_sweep(folder)
    outcomes, identity = None, None
    if judge:
        outcomes, identity = _judged(folder, found, effective_settings(config, assignments, nli=nli))
    with working("Resampling"):
        made = sweep_report(found, outcomes=outcomes, judge=identity)
    if json_output:
        print_json(report_json(made))
    else:
        _print(made, all_tables)
    if html is not None:
        with working("Drawing"):
            write_text(html, render_sweep_html(made))
        note(f"Report: {html}")
    if figures is not None:
        note(f"{len(write_figures(made, figures))} figure files in {figures}")


@label.command("export")
def export(
    folder: Run,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The CSV file to label.")],
    n: Annotated[int, typer.Option("--n", min=1, help="How many answers.")] = 120,
    seed: Annotated[int, typer.Option("--seed", help="Of the choice.")] = 0,
    debug: Debug = False,
) -> None:
    """Write a stratified sample of answers that tells neither strategy nor level; its key stays in DIR."""
    from ragstone.cli.output import note
    from ragstone.experiments.sweep.labelling import LABELS, export_sample
    from ragstone.experiments.sweep.scored import load_sweep

    count = export_sample(load_sweep(folder), folder, out, size=n, seed=seed)
    typer.echo(out)
    note(f"{count} answers; fill the column 'label' with one of: {', '.join(LABELS)}")


@label.command("import")
def import_labels(
    folder: Run,
    labels: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Filled files, one for each person.")],
    json_output: Json = False,
    config: Config = None,
    assignments: Set = None,
    nli: Nli = None,
    debug: Debug = False,
) -> None:
    """Read labels back and say how far people agree with each other, with the NLI judge and with the scores."""
    from ragstone.cli.output import print_json
    from ragstone.experiments.sweep.agreement import agreements
    from ragstone.experiments.sweep.labelling import read_key, read_labels
    from ragstone.experiments.sweep.scored import load_sweep

    found, key = load_sweep(folder), read_key(folder)
    raters = [(path.stem, read_labels(path, tuple(key))) for path in labels]
    sampled = {item.cell for item in key.values()}
    outcomes, _ = _judged(folder, found, effective_settings(config, assignments, nli=nli), sampled)
    results = agreements(found, key, raters, outcomes)
    if json_output:
        print_json([result.as_json() for result in results])
    else:
        _print_agreements(results)


@app.command("validate")
def validate(
    dataset: Annotated[str, typer.Option("--dataset", metavar="NAME", help="fever or ramdocs.")] = "fever",
    n: Annotated[int, typer.Option("--n", min=1, help="Items drawn from the data set.")] = 300,
    seed: Annotated[int, typer.Option("--seed", help="Of the choice.")] = 0,
    data: Annotated[
        str | None, typer.Option("--data", metavar="PATH", help="Where public data sets are. Default: $RAGSTONE_DATA.")
    ] = None,
    json_output: Json = False,
    config: Config = None,
    assignments: Set = None,
    nli: Nli = None,
    debug: Debug = False,
) -> None:
    """Say how far the NLI judge of the outcomes agrees with a labelled data set."""
    from ragstone.cli.output import embedding, print_json
    from ragstone.experiments.sweep.validation import validate_judge

    entailment = _entailment(effective_settings(config, assignments, nli=nli))
    with embedding("Judging") as progress:
        result = validate_judge(dataset, entailment, size=n, seed=seed, data=data, progress=progress)
    if json_output:
        print_json({"judge": entailment.identity, **result.as_json()})
    else:
        _print_agreements([result])


def _judged(
    folder: Path, found: SweepRun, settings: Settings, only: set[str] | None = None
) -> tuple[dict[tuple[str, str], JudgedAnswer], str]:
    """The outcomes by the NLI model of the settings; what has not been judged is judged now."""
    from ragstone.cli.output import embedding
    from ragstone.experiments.sweep.outcomes import judge_cells, read_outcomes

    entailment = _entailment(settings)
    cells = [cell for cell in found.cells if only is None or cell.record.key in only]
    with embedding("Judging answers") as progress:
        judge_cells(folder, cells, entailment, progress)
    return dict(read_outcomes(folder, entailment.identity)), entailment.identity


def _entailment(settings: Settings) -> Entailment:
    from ragstone.backends import open_embedder, open_nli
    from ragstone.backends.encoder import Encoder
    from ragstone.backends.entailment import Entailment

    encoder = Encoder(open_embedder(settings.models.embedder, settings))
    return Entailment(open_nli(settings.models.nli, settings), encoder=encoder)


def _print(made: SweepReport, all_tables: bool) -> None:
    from dataclasses import replace

    from ragstone.cli.output import note, stdout_console
    from ragstone.cli.tables_view import rich_table
    from ragstone.experiments.sweep.findings import findings

    console = stdout_console()
    if made.comparison is not None:
        columns = tuple(column for column in made.comparison.columns if column.key in COMPARED)
        console.print(rich_table(replace(made.comparison, columns=columns)))
    for item in made.configurations:
        console.print(f"Configuration {item.name}", style="bold")
        for sentence in findings(item.breakdown):
            console.print(f"- {sentence}", markup=False)
        console.print()
        for table in item.tables:
            if all_tables or table.number in MAIN_TABLES:
                whole = table.number in OPEN_TABLES
                kept = [c for c in table.columns if c.key in NARROW or (whole and c.key != "cells")]
                console.print(rich_table(replace(table, columns=tuple(kept))))
    if made.unanswerable is not None:
        asked = made.unanswerable
        console.print(f"Unanswerable questions: abstained on {asked.successes} of {asked.total}")
    if not made.complete:
        note(f"Not finished: {len(made.run.cells)} of {made.run.expected} runs")


def _print_agreements(results: list[Agreement]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from ragstone.cli.output import stdout_console

    shown = Table(box=SIMPLE_HEAD)
    for heading in ("First", "Second"):
        shown.add_column(heading)
    for heading in ("Items", "Agree %", "Kappa", "95 % CI"):
        shown.add_column(heading, justify="right")
    for result in results:
        kappa = "n/a" if result.kappa is None else f"{result.kappa:.2f}"
        interval = "" if result.interval is None else f"{result.interval[0]:.2f} to {result.interval[1]:.2f}"
        agreement = f"{100.0 * result.agreement:.1f}"
        shown.add_row(result.first, result.second, str(result.items), agreement, kappa, interval)
    stdout_console().print(shown)
