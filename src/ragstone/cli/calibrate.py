"""``ragstone calibrate``: a settings file fitted on a stored run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragstone.cli.options import Debug, Json

if TYPE_CHECKING:
    from ragstone.experiments.fitted_settings import FittedSettings
    from ragstone.stats import Confusion

__all__ = ["calibrate"]


def calibrate(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run of `ragstone bench detect`.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The settings file (TOML) to write.")],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="NAME",
            help="percentile: of clean trust, as the paper; conformal: false alarms bounded with a confidence; "
            "joint: weights, dampener and threshold, judged by cross-validation.",
        ),
    ] = "percentile",
    false_alarms: Annotated[
        float, typer.Option("--false-alarms", metavar="SHARE", min=0.001, max=0.5, help="Of clean answers.")
    ] = 0.10,
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="SHARE", min=0.5, max=0.999, help="Of the conformal bound.")
    ] = 0.90,
    strategy: Annotated[
        str | None, typer.Option("--strategy", metavar="NAME", help="Part B to use. Default: the mixed one.")
    ] = None,
    json_output: Json = False,
    debug: Debug = False,
) -> None:
    """Fit the trust threshold, or all trust settings, to a generator from a run's stored samples."""
    from ragstone.cli.output import note, print_json, working, write_text
    from ragstone.errors import InputError
    from ragstone.experiments.fitted_settings import Method, fit_settings, settings_toml
    from ragstone.experiments.stored_runs import load_run

    if method not in list(Method):
        raise InputError(f"unknown method {method!r}; known: {', '.join(Method)}")
    stored = load_run(run)
    with working("Fitting"):
        fitted = fit_settings(
            stored, Method(method), false_alarms=false_alarms, confidence=confidence, strategy=strategy
        )
    text = settings_toml(fitted, stored.meta)
    write_text(out, text)
    if json_output:
        print_json(_values(fitted, out))
    else:
        typer.echo(text, nl=False)
    note(f"Settings: {out}")
    if fitted.warning:
        note(f"Caution: {fitted.warning}")


def _values(fitted: FittedSettings, out: Path) -> dict[str, Any]:
    return {
        "file": str(out),
        "method": fitted.method.value,
        "trust": fitted.trust.model_dump(mode="json"),
        "fitted_on": fitted.fitted_on,
        "judged_on": fitted.judged_on,
        "default": _counts(fitted.default),
        "fitted": _counts(fitted.fitted),
        "guarantee": fitted.guarantee,
        "warning": fitted.warning,
    }


def _counts(confusion: Confusion) -> dict[str, Any]:
    from ragstone.experiments.tables import describe_counts

    shares = {name: getattr(confusion, name) for name in ("accuracy", "precision", "recall", "f1")}
    return {**describe_counts(confusion), **shares}
