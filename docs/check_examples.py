"""Runs the examples of these pages and compares what they print with what the pages show.

    python docs/check_examples.py             # all pages
    python docs/check_examples.py cli gate    # those whose path holds one of these words
    python docs/check_examples.py --update    # write what the commands print into the pages

Checked are ``console`` blocks that show what their ``$ ragstone`` commands print, and ``python`` blocks, those of a
page one after the other, with the ``text`` block right after one as what it prints. A page's blocks run in one folder,
a copy of ``docs/examples/``. ``…`` stands for anything within a line, and alone on a line for any lines. A block after
``<!-- not run -->`` is left out. A block with a ``title`` shows the file of that name.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from difflib import unified_diff
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parent
ANY = "…"
_BLOCK = re.compile(
    r"(?P<skip><!-- not run -->\n)?^```(?P<kind>console|python)\n(?P<body>.*?)^```\n"
    r"(?:\n```text\n(?P<printed>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
_FILE = re.compile(r'^```\w+ title="(?P<name>[^"]+)"\n(?P<body>.*?)^```\n', re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


def matches(shown: str, printed: str) -> bool:
    """Whether ``printed`` is what the page shows, ``…`` standing for anything."""
    lines = (".*?" if line == ANY else ".*".join(map(re.escape, line.split(ANY))) for line in shown.splitlines())
    pattern = "\n".join(f"(?s:{line})" if line == ".*?" else line for line in lines)
    return re.fullmatch(pattern, printed.rstrip("\n")) is not None


def run_command(command: str, folder: Path) -> str:
    """Standard output and error of a shell command as on a terminal of 80 columns, in the order of writing."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAGSTONE_")}
    environment |= {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}
    environment |= {"PATH": f"{Path(sys.executable).parent}:{environment['PATH']}"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def run_python(source: str, names: dict[str, Any]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        exec(compile(source, "<example>", "exec"), names)
    return stream.getvalue()


def checked(page: Path, folder: Path, failures: list[str]) -> str:
    """The page's text with what the examples printed in place of what it showed; differences go to ``failures``."""
    names: dict[str, Any] = {"__name__": "__main__"}

    def compare(shown: str, printed: str, example: str) -> str:
        if matches(shown, printed):
            return shown
        lines = unified_diff(shown.splitlines(), printed.splitlines(), "shown", "printed", lineterm="", n=1)
        failures.append("\n".join([f"{page.relative_to(PAGES)}: {example.splitlines()[0]}", *lines]))
        return printed

    def command(match: re.Match[str]) -> str:
        if not match["output"] or "ragstone" not in match["command"]:
            return match[0]
        printed = run_command(match["command"], folder)
        return f"$ {match['command']}\n{compare(match['output'], printed, match['command'])}"

    def block(match: re.Match[str]) -> str:
        if match["skip"]:
            return match[0]
        if match["kind"] == "console":
            return f"```console\n{_COMMAND.sub(command, match['body'])}```\n"
        printed = run_python(match["body"], names)
        if match["printed"] is None:
            return match[0]
        return f"```python\n{match['body']}```\n\n```text\n{compare(match['printed'], printed, match['body'])}```\n"

    def file(match: re.Match[str]) -> str:
        content = (PAGES / "examples" / match["name"]).read_text(encoding="utf-8")
        return match[0].replace(match["body"], compare(match["body"], content, match["name"]))

    return _FILE.sub(file, _BLOCK.sub(block, page.read_text(encoding="utf-8")))


def main(arguments: list[str]) -> int:
    words = [word for word in arguments if not word.startswith("--")]
    failures: list[str] = []
    home = Path.cwd()
    for page in sorted(PAGES.rglob("*.md")):
        name = page.relative_to(PAGES).as_posix()
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(shutil.copytree(PAGES / "examples", Path(scratch, "examples")))
            os.chdir(folder)
            try:
                text = checked(page, folder, failures)
            finally:
                os.chdir(home)
        if "--update" in arguments:
            page.write_text(text, encoding="utf-8")
    sys.stdout.write("\n\n".join(failures) + f"\n{len(failures)} examples differ\n" if failures else "All as shown\n")
    return 1 if failures and "--update" not in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
