"""The public surface: all of it importable, none of it accidental, and quick to import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ragstone


@pytest.mark.parametrize("name", ragstone.__all__)
def test_every_exported_name_resolves(name: str) -> None:
    assert getattr(ragstone, name) is not None


def test_exports_are_sorted_once_and_listed_by_dir() -> None:
    assert len(set(ragstone.__all__)) == len(ragstone.__all__)
    assert dir(ragstone) == sorted(ragstone.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'screne'"):
        _ = ragstone.screne


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys, ragstone; "
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'numpy', 'onnxruntime', 'faiss', 'pydantic', 'rich'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
