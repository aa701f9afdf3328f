"""Where settings come from, and how a wrong one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragstone.errors import SettingsError
from ragstone.settings import Settings, load_settings


def load(path: Path | None = None, env: dict[str, str] | None = None, **overrides: object) -> Settings:
    return load_settings(path, environment=env or {}, overrides={k.replace("__", "."): v for k, v in overrides.items()})


def test_later_sources_win(tmp_path: Path) -> None:
    file = tmp_path / "ragstone.toml"
    file.write_text("preset = 'paper'\n[trust]\nthreshold = 0.4\nlow_retrieval = 0.2\n[retrieval]\ntop_k = 3\n")
    settings = load(file, {"RAGSTONE_TRUST__THRESHOLD": "0.6", "RAGSTONE_RETRIEVAL__TOP_K": "7"}, retrieval__top_k=9)
    assert settings.preset == "paper"
    assert settings.trust.low_retrieval == 0.2
    assert settings.trust.threshold == 0.6
    assert settings.retrieval.top_k == 9


def test_the_settings_file_can_be_named_by_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text("[trust]\nthreshold = 0.1\n")
    assert load(env={"RAGSTONE_CONFIG": str(file)}).trust.threshold == 0.1


def test_lists_come_from_variables_separated_by_commas() -> None:
    assert load(env={"RAGSTONE_SCREENING__SIGNALS": "structure, linguistic"}).screening.signals == (
        "structure",
        "linguistic",
    )


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"RAGSTONE_TRUST__TRESHOLD": "0.6"}, ["trust.treshold", "RAGSTONE_TRUST__TRESHOLD", "threshold"]),
        ({"RAGSTONE_TRUST__THRESHOLD": "7"}, ["trust.threshold", "less than or equal to 1", "'7'"]),
        ({"RAGSTONE_TRUST__THRESHOLD": "nan"}, ["trust.threshold", "finite"]),
        ({"RAGSTONE_NOPE": "1"}, ["nope", "RAGSTONE_NOPE"]),
        ({"RAGSTONE_PRESET": "best"}, ["preset", "full", "paper", "best"]),
        ({"RAGSTONE_SCREENING__SIGNALS": "magic"}, ["screening.signals", "magic"]),
        ({"RAGSTONE_RETRIEVAL__CHUNK_OVERLAP": "600"}, ["retrieval", "chunk_overlap"]),
    ],
)
def test_a_wrong_setting_is_named(env: dict[str, str], words: list[str]) -> None:
    with pytest.raises(SettingsError) as error:
        load(env=env)
    for word in words:
        assert word in str(error.value)


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"absent\.toml"):
        load(tmp_path / "absent.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("[trust\n")
    with pytest.raises(SettingsError, match=r"bad\.toml"):
        load(bad)


def test_variables_that_are_no_settings_are_left_alone() -> None:
    assert load(env={"RAGSTONE_DATA": "/data", "RAGSTONE_MODELS": "/models", "PATH": "/bin"}) == Settings()


def test_the_fingerprint_follows_what_a_verdict_depends_on(tmp_path: Path) -> None:
    base = Settings()
    assert base.fingerprint("m") == Settings().fingerprint("m")
    assert base.fingerprint("m") != base.fingerprint("n")
    assert base.fingerprint("m") != load(trust__threshold=0.4).fingerprint("m")
    assert base.fingerprint("m") == load(models__threads=7, retrieval__top_k=3).fingerprint("m")
    patterns = tmp_path / "patterns.toml"
    patterns.write_text("a")
    one = load(screening__patterns=[patterns]).fingerprint("m")
    patterns.write_text("b")
    assert one != load(screening__patterns=[patterns]).fingerprint("m")


def test_the_fingerprint_follows_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Settings().fingerprint("m")
    monkeypatch.setattr("ragstone.__version__", "99.0")
    assert Settings().fingerprint("m") != before


@pytest.mark.parametrize("name", ["TRUST__THRESHOLD", "SCREENING__SIGNALS", "MODELS__NLI", "PRESET", "CONFIG"])
def test_an_empty_variable_counts_as_not_set(name: str) -> None:
    assert load(env={f"RAGSTONE_{name}": ""}) == Settings()
