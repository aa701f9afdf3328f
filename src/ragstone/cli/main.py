"""The command line. Data goes to standard output, progress and errors to standard error.

Exit status: 0 done (also when an answer is not trustworthy), 1 something failed or ``--fail-under`` was not reached,
2 the command, its input or a setting cannot be used, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from ragstone.cli import ask, attack, bench, calibrate, check, config, demo, index, models, replay, sweep
from ragstone.cli.options import Debug, Session
from ragstone.errors import InputError, RagstoneError

__all__ = ["app", "run"]

app = typer.Typer(
    name="ragstone",
    help="Screens retrieved passages, verifies answers against them, and says how far an answer can be trusted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("ask")(ask.ask)
app.command("screen")(check.screen)
app.command("evaluate")(check.evaluate)
app.add_typer(index.app, name="index")
app.add_typer(models.app, name="models")
app.add_typer(config.app, name="config")
app.command("attack")(attack.attack)
app.command("replay")(replay.replay)
app.add_typer(bench.app, name="bench")
app.add_typer(sweep.app, name="sweep")
app.command("calibrate")(calibrate.calibrate)


def _version(wanted: bool) -> None:
    if wanted:
        from ragstone import __version__

        typer.echo(f"ragstone {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", metavar="", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Debug = False,
) -> None:
    pass


def run() -> None:
    """Entry point of the ``ragstone`` command; always ends in SystemExit."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that is not UTF-8 shows "?" where it must
    session = Session()
    try:
        try:
            app(obj=session, prog_name="ragstone")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at exit and would complain about the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if session.debug:
            raise
        sys.exit(_explain(error))


def _explain(error: Exception) -> int:
    """Say on standard error what went wrong, in one paragraph; the exit status that goes with it."""
    from rich.console import Console
    from rich.text import Text

    from ragstone.report.spans import visible

    if isinstance(error, RagstoneError):
        message = str(error)
    elif isinstance(error, OSError) and error.filename is not None:
        message = f"{error.filename}: {error.strerror}"
    else:
        message = f"unexpected {type(error).__name__}: {error}. This is a defect; --debug shows where it happened."
    text = Text.assemble(("Error: ", "bold red"), " ".join(visible(message).split()))
    Console(stderr=True, soft_wrap=True).print(text)
    return 2 if isinstance(error, InputError) else 1


if __name__ == "__main__":
    run()
