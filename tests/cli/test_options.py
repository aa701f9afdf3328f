"""Settings from the command line: what overrides what, and how mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragstone.cli.options import effective_settings
from ragstone.errors import SettingsError


def test_values_are_read_as_toml_and_else_as_text() -> None:
    settings = effective_settings(
        None,
        [
            "trust.threshold=0.6",
            "screening.signals=['linguistic']",
            "generation.base_url=http://localhost:11434/v1",
            "models.generator=openai:llama3.3:70b",
        ],
    )
    assert settings.trust.threshold == 0.6
    assert settings.screening.signals == ("linguistic",)
    assert settings.generation.base_url == "http://localhost:11434/v1"
    assert settings.models.generator == "openai:llama3.3:70b"


def test_options_override_set_which_overrides_environment_which_overrides_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('preset = "paper"\n[trust]\nthreshold = 0.1\nlow_retrieval = 0.2\n[models]\nnli = "file"\n')
    monkeypatch.setenv("RAGSTONE_TRUST__THRESHOLD", "0.3")
    monkeypatch.setenv("RAGSTONE_MODELS__NLI", "environment")
    settings = effective_settings(file, ["models.nli=set"], nli="option", top_k=7)
    assert (settings.preset, settings.trust.low_retrieval) == ("paper", 0.2)
    assert settings.trust.threshold == 0.3
    assert settings.models.nli == "option"
    assert settings.retrieval.top_k == 7
    assert effective_settings(file, ["models.nli=set"]).models.nli == "set"


@pytest.mark.parametrize(
    ("assignment", "named"),
    [
        ("trust.threshold", "expected KEY=VALUE"),
        ("=1", "expected KEY=VALUE"),
        ("trust.treshold=0.6", "unknown setting 'trust.treshold'"),
        ("nonsense=1", "unknown setting 'nonsense'"),
        ("trust.threshold=high", "trust.threshold"),
        ("trust=1", "trust"),
        ("trust.threshold.deeper=1", "trust.threshold"),
    ],
)
def test_a_mistake_is_named(assignment: str, named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        effective_settings(None, [assignment])


def test_an_unknown_preset_is_named() -> None:
    with pytest.raises(SettingsError, match="preset"):
        effective_settings(None, None, preset="papper")
