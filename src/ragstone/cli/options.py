"""Options that several commands share, and the settings they make up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ragstone.settings import Settings

__all__ = [
    "Config",
    "Debug",
    "Embedder",
    "FailUnder",
    "Generator",
    "Html",
    "Json",
    "Nli",
    "Preset",
    "Session",
    "Set",
    "TopK",
    "effective_settings",
]

PANEL = "Settings"


@dataclass
class Session:
    """What one run of the command line remembers."""

    debug: bool = False


def _remember_debug(context: typer.Context, debug: bool) -> bool:
    if debug and isinstance(context.obj, Session):
        context.obj.debug = True
    return debug


Debug = Annotated[
    bool,
    typer.Option("--debug", metavar="", callback=_remember_debug, is_eager=True, help="Show tracebacks."),
]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")]
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Also write an HTML report.")]
FailUnder = Annotated[
    float | None,
    typer.Option("--fail-under", metavar="T", min=0.0, max=1.0, help="Exit with 1 when the Trust Index is below T."),
]
TopK = Annotated[int | None, typer.Option("--k", metavar="N", help="Passages to retrieve.", rich_help_panel=PANEL)]
Config = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings file (TOML).", rich_help_panel=PANEL)
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="A setting, e.g. trust.threshold=0.6; repeatable.", rich_help_panel=PANEL
    ),
]
Preset = Annotated[
    str | None, typer.Option("--preset", metavar="full|paper", help="Which arithmetic.", rich_help_panel=PANEL)
]
Nli = Annotated[str | None, typer.Option("--nli", metavar="NAME", help="NLI model.", rich_help_panel=PANEL)]
Embedder = Annotated[
    str | None, typer.Option("--embedder", metavar="NAME", help="Embedding model.", rich_help_panel=PANEL)
]
Generator = Annotated[
    str | None, typer.Option("--generator", metavar="NAME", help="Language model.", rich_help_panel=PANEL)
]


def effective_settings(
    config: Path | None,
    assignments: list[str] | None,
    *,
    preset: str | None = None,
    nli: str | None = None,
    embedder: str | None = None,
    generator: str | None = None,
    top_k: int | None = None,
) -> Settings:
    """Defaults, file, environment, ``--set`` and the options named for a setting, in rising order."""
    from ragstone.settings import load_settings

    overrides = dict(_assignment(text) for text in assignments or ())
    named = {
        "preset": preset,
        "models.nli": nli,
        "models.embedder": embedder,
        "models.generator": generator,
        "retrieval.top_k": top_k,
    }
    overrides |= {key: value for key, value in named.items() if value is not None}
    return load_settings(config, overrides=overrides)


def _assignment(text: str) -> tuple[str, Any]:
    """``KEY=VALUE``, the value read as TOML where it is TOML and as plain text elsewhere."""
    import tomllib

    from ragstone.errors import SettingsError

    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise SettingsError(f"--set {text!r}: expected KEY=VALUE, e.g. --set trust.threshold=0.6")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value
