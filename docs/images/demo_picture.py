"""Draws docs/images/demo.svg from a real run of ``ragstone demo``.

python docs/images/demo_picture.py ["A question" …]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 112


def main(questions: list[str]) -> None:
    arguments = [part for question in questions for part in ("--question", question)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "ragstone.cli.main", "demo", *arguments, "--html", f"{folder}/report.html"],
            env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
    console.print(Text("$ ragstone demo", style="bold"))
    console.print(Text.from_ansi(done.stdout.strip("\n")))
    console.save_svg(str(Path(__file__).with_name("demo.svg")), title="ragstone demo")


if __name__ == "__main__":
    main(sys.argv[1:])
