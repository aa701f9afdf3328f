"""``ragstone sweep``: run, report, label; with small models in place of the embedded ones."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fakes import TableNLI, WordEmbedder
from ragstone import backends
from ragstone.cli.main import app
from sweeps import Reader

DESIGN = 'strategies = ["number_swap"]\nlevels = [0, 3]\nunanswerable = false\n'


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    nli = TableNLI(lambda p, h: (0.9, 0.1, 0.0) if h.rstrip(".") in p else (0.1, 0.8, 0.1))
    monkeypatch.setattr(backends, "open_embedder", lambda name, settings=None: WordEmbedder())
    monkeypatch.setattr(backends, "open_generator", lambda name, settings=None: Reader())
    monkeypatch.setattr(backends, "open_nli", lambda name, settings=None: nli)
    return lambda *arguments: CliRunner().invoke(app, ["sweep", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path, invoke: Callable[..., Result]) -> Path:
    design = tmp_path / "design.toml"
    design.write_text(DESIGN)
    result = invoke("run", "--design", design, "--out", tmp_path / "sweep", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {"folder": str(tmp_path / "sweep"), "total": 98, "failed": {}}
    return tmp_path / "sweep"


def test_report(folder: Path, invoke: Callable[..., Result], tmp_path: Path) -> None:
    result = invoke("report", folder, "--json")
    assert result.exit_code == 0, result.output
    values = json.loads(result.stdout)
    assert values["complete"]
    assert values["judge"] == "table-nli"
    tables = values["configurations"]["k3"]["tables"]
    assert [row["poisoned"] for row in tables["II"]] == ["0 / 3", "3 / 3"]
    assert tables["outcomes"]
    page = tmp_path / "report.html"
    shown = invoke("report", folder, "--no-judge", "--html", page, "--figures", tmp_path / "figures")
    assert shown.exit_code == 0, shown.output
    assert "Fooled rate with query-level bootstrap intervals" in shown.stdout
    assert page.read_text().startswith("<!doctype html>")
    assert len(list((tmp_path / "figures").iterdir())) == 12


def test_label(folder: Path, invoke: Callable[..., Result], tmp_path: Path) -> None:
    target = tmp_path / "ann.csv"
    assert invoke("label", "export", folder, "--out", target, "--n", 12).exit_code == 0
    with target.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 12
    with target.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(row | {"label": "abstained" if n % 2 else "still correct"} for n, row in enumerate(rows))
    result = invoke("label", "import", folder, target, "--json")
    assert result.exit_code == 0, result.output
    values = json.loads(result.stdout)
    assert [value["second"] for value in values] == ["NLI judge", "normalised scoring", "keyword"]
    assert "Kappa" in invoke("label", "import", folder, target).stdout


@pytest.mark.parametrize("dataset", ["fever", "ramdocs"])
def test_validate(invoke: Callable[..., Result], dataset: str) -> None:
    result = invoke("validate", "--dataset", dataset, "--data", "samples", "--json")
    assert result.exit_code == 0, result.output
    values = json.loads(result.stdout)
    assert values["judge"] == "table-nli"
    assert values["items"] == sum(entry["items"] for entry in values["confusion"]) > 3


def test_failed_cells_are_told(invoke: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ragstone.errors import BackendError

    def answer(prompt: str, seed: int) -> str:
        if len(reader.asked) == 5:
            raise BackendError("the prompt is too long")
        return "Paris"

    reader = Reader(answer)
    monkeypatch.setattr(backends, "open_generator", lambda name, settings=None: reader)
    design = tmp_path / "design.toml"
    design.write_text(DESIGN)
    result = invoke("run", "--design", design, "--out", tmp_path / "sweep")
    assert result.exit_code == 1
    assert "1 of 98 failed" in result.stderr
    assert invoke("run", "--design", design, "--out", tmp_path / "sweep").exit_code == 0


def test_options_override_the_design(invoke: Callable[..., Result], tmp_path: Path) -> None:
    out = tmp_path / "sweep"
    design = tmp_path / "design.toml"
    design.write_text('strategies = ["negation"]\nlevels = [1]\nunanswerable = false\n')
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"question": "In which city is the Eiffel Tower?", "references": ["Paris"]}\n')
    options = ("--decoding", "locked, independent", "--seeds", 2, "--draws", 2, "--seed", 7, "--queries", queries)
    result = invoke("run", "--design", design, "--out", out, "--json", *options)
    assert json.loads(result.stdout)["total"] == 2 * 2 * 2
    recorded = json.loads((out / "meta.json").read_text())["run"]["design"]
    assert (recorded["decoding"], recorded["seed"]) == (["locked", "independent"], 7)
    assert invoke("report", out, "--no-judge").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "--design", "nowhere", "--out", "x"),
        ("run", "--corpus", "nowhere", "--out", "x"),
        ("run", "--decoding", "random", "--out", "x"),
        ("report", "nowhere"),
        ("validate", "--dataset", "nowhere"),
        ("label", "export", "nowhere", "--out", "x.csv"),
    ],
)
def test_what_cannot_be_used_is_an_input_error(invoke: Callable[..., Result], arguments: tuple[str, ...]) -> None:
    from ragstone.errors import InputError

    result = invoke(*arguments)
    assert result.exit_code == 1
    assert isinstance(result.exception, InputError)
