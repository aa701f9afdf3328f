"""Shared by all tests: fakes importable, no settings from the caller's environment."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis
import pytest

# A busy machine must not fail a test; what has to be fast is timed on its own.
hypothesis.settings.register_profile("ragstone", deadline=None)
hypothesis.settings.load_profile("ragstone")

sys.path.insert(0, str(Path(__file__).parent))

DATA = Path(os.environ.get("RAGSTONE_DATA") or Path(__file__).parents[2] / "shared" / "data")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("RAGSTONE_") and name not in ("RAGSTONE_DATA", "RAGSTONE_MODELS"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of public data sets; the test is skipped where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"no data sets at {DATA}; set RAGSTONE_DATA to a folder that holds them")
    return DATA
