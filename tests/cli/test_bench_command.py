"""``ragstone bench`` and ``ragstone calibrate`` on stand-in models: output, resuming, and mistakes that are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import benchmark_fakes
from fakes import TableNLI, WordEmbedder
from ragstone import backends
from ragstone.cli.main import app
from ragstone.errors import InputError


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    makers: dict[str, Any] = {
        "open_words": lambda argument, settings: WordEmbedder(),
        "open_table": lambda argument, settings: TableNLI(benchmark_fakes.by_negation),
        "open_parrot": lambda argument, settings: benchmark_fakes.Parrot(),
    }
    for name, maker in makers.items():
        monkeypatch.setattr(benchmark_fakes, name, maker, raising=False)
    monkeypatch.setitem(backends.EMBEDDERS, "words", "benchmark_fakes:open_words")
    monkeypatch.setitem(backends.NLI_MODELS, "table", "benchmark_fakes:open_table")
    monkeypatch.setitem(backends.GENERATORS, "parrot", "benchmark_fakes:open_parrot")


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments])


def detect(out: Path, *arguments: str) -> Result:
    models = ("--embedder", "words", "--nli", "table", "--k", "3")
    return invoke("bench", "detect", "--data", "samples", *models, "--out", str(out), *arguments)


def test_a_run_prints_its_tables_and_progress_goes_to_the_other_stream(tmp_path: Path) -> None:
    result = detect(tmp_path / "run", "--generator", "parrot", "--strategy", "mixed", "--n", "4", "--json")
    assert result.exit_code == 0, result.output
    values = json.loads(result.stdout)
    assert values["complete"]
    assert (values["samples"], values["run"]["n"], values["run"]["generator"]) == (12, 4, "parrot")
    assert values["run"]["generation"] == {"temperature": 0.7, "max_tokens": 512, "seed": 42}
    assert values["tables"]["retrieval"][0]["strategy"] == "Mixed"
    assert "12/12 samples" in result.stderr
    again = invoke("bench", "show", str(tmp_path / "run"), "--json")
    assert json.loads(again.stdout) == values


def test_tables_for_people(tmp_path: Path) -> None:
    result = detect(tmp_path / "run", "--generator", "expected", "--strategy", "mixed,negation")
    assert result.exit_code == 0, result.output
    assert "retrieval-grounded truth" in result.stdout
    assert "Negation" in result.stdout
    assert "the agent's share" in result.stderr


def test_other_settings_do_not_resume_a_run(tmp_path: Path) -> None:
    detect(tmp_path / "run", "--generator", "expected", "--strategy", "mixed", "--n", "4")
    result = detect(tmp_path / "run", "--generator", "expected", "--strategy", "mixed", "--n", "4", "--preset", "paper")
    assert isinstance(result.exception, InputError)
    assert 'preset: "full" there, "paper" now' in str(result.exception)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--n", "40"], "has 12 samples"),
        (["--split", "tune"], "no samples in split 'tune'"),
        (["--dataset", "squad"], "known: fever"),
        (["--strategy", "bribery"], "unknown strategy 'bribery'"),
        (["--generator", "expected", "--repeats", "2"], "would all be the same"),
        (["--generator", "oracle"], "unknown generator 'oracle'"),
    ],
)
def test_mistakes_are_named(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = detect(tmp_path / "run", *arguments)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def test_from_a_stored_run_to_studies_report_comparison_and_settings(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for out, preset in ((first, "full"), (second, "paper")):
        detect(out, "--generator", "expected", "--strategy", "mixed", "--preset", preset)
    studies = json.loads(invoke("bench", "studies", str(first), "--json").stdout)
    assert len(studies["tables"]["ablation-document"]) == 5
    compared = json.loads(invoke("bench", "compare", str(first), str(second), "--json").stdout)
    assert [row["preset"] for row in compared["tables"]["grid"]] == ["full", "paper"]
    report = invoke("bench", "report", str(first))
    assert Path(report.stdout.strip()) == first / "report" / "index.html"
    assert (first / "report" / "figures" / "roc.png").is_file()
    settings = tmp_path / "settings.toml"
    fitted = invoke("calibrate", str(first), "--out", str(settings), "--json")
    assert fitted.exit_code == 0, fitted.output
    assert json.loads(fitted.stdout)["method"] == "percentile"
    shown = invoke("config", "show", "--config", str(settings))
    assert "threshold = " in shown.stdout
    assert "Caution" in fitted.stderr


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    for command in (["bench", "show"], ["bench", "studies"], ["bench", "report"]):
        result = invoke(*command, str(tmp_path))
        assert isinstance(result.exception, InputError)
        assert "is no run folder" in str(result.exception)
    result = invoke("calibrate", str(tmp_path), "--out", str(tmp_path / "x.toml"), "--method", "guess")
    assert "unknown method 'guess'; known: percentile, conformal, joint" in str(result.exception)
