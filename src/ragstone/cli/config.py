"""``ragstone config``: which settings are in effect."""

from __future__ import annotations

from typing import Any

import typer

from ragstone.cli.options import (
    Config,
    Debug,
    Embedder,
    Generator,
    Json,
    Nli,
    Preset,
    Set,
    TopK,
    effective_settings,
)

__all__ = ["app"]

app = typer.Typer(help="Show the settings in effect.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command("show")
def show(
    json_output: Json = False,
    config: Config = None,
    assignments: Set = None,
    preset: Preset = None,
    nli: Nli = None,
    embedder: Embedder = None,
    generator: Generator = None,
    top_k: TopK = None,
    debug: Debug = False,
) -> None:
    """Print the settings in effect as TOML, which --config reads again, or as JSON."""
    from ragstone.cli.output import print_json

    settings = effective_settings(
        config, assignments, preset=preset, nli=nli, embedder=embedder, generator=generator, top_k=top_k
    )
    values = settings.model_dump(mode="json")
    if json_output:
        print_json(values)
    else:
        typer.echo(_toml(values), nl=False)


def _toml(values: dict[str, Any]) -> str:
    sections = {name: content for name, content in values.items() if isinstance(content, dict)}
    lines = _pairs({key: value for key, value in values.items() if key not in sections})
    for name, content in sections.items():
        lines += ["", f"[{name}]", *_pairs(content)]
    return "\n".join(lines) + "\n"


def _pairs(values: dict[str, Any]) -> list[str]:
    """JSON's scalars and lists of them are TOML's; what has no value is left out, since TOML knows no null."""
    import json

    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items() if value is not None]
