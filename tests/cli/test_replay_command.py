"""``ragstone replay``: JSON in the documented form, tables on a terminal, a clear error without records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ragstone.cli.main import app
from ragstone.errors import InputError


def test_json_has_every_table_and_the_findings(data_folder: Path) -> None:
    if not (data_folder / "trustworthyrag").is_dir():
        pytest.skip(f"no trustworthyrag/ under {data_folder}")
    result = CliRunner().invoke(app, ["replay", str(data_folder), "--json"])
    assert result.exit_code == 0, result.output
    values = json.loads(result.stdout)
    assert list(values["tables"]) == ["I", "II", "III", "IV", "V", "VI"]
    mixed = next(row for row in values["tables"]["I"] if row["strategy"] == "Mixed")
    assert (mixed["accuracy"], mixed["f1"]) == (91.0, 57.1)
    assert values["findings"]


def test_without_records_the_error_says_what_to_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAGSTONE_DATA", raising=False)
    for arguments in ([], [str(tmp_path)]):
        result = CliRunner().invoke(app, ["replay", *arguments])
        assert isinstance(result.exception, InputError)
        assert "runs.json" in str(result.exception)
