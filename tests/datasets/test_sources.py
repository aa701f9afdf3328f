"""Downloads: pinned, checked, and with a way out when they fail. The hub's client is replaced; nothing is fetched."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragstone.datasets.sources import HubFile, Source
from ragstone.errors import BackendError, MissingDependencyError

REVISION = "0123456789abcdef0123456789abcdef01234567"


def source(sha256: str | None = None) -> Source:
    return Source(
        "sea", ("sea.jsonl",), "Get it at https://example.org.", HubFile("o/sea", REVISION, "sea.jsonl", sha256)
    )


@pytest.fixture(autouse=True)
def _no_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAGSTONE_DATA", raising=False)


def _client(monkeypatch: pytest.MonkeyPatch, download: Any) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(hf_hub_download=download))


def test_the_pinned_revision_is_asked_for_and_its_hash_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sea.jsonl"
    file.write_text("{}")
    asked: list[Any] = []

    def download(*args: str, **options: str) -> str:
        asked.append((args, options))
        return str(file)

    _client(monkeypatch, download)
    assert source(hashlib.sha256(b"{}").hexdigest()).locate(None) == file
    assert asked == [(("o/sea", "sea.jsonl"), {"repo_type": "dataset", "revision": REVISION})]
    with pytest.raises(BackendError, match="not the file pinned"):
        source("0" * 64).locate(None)


def test_a_failed_download_says_what_else_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def download(*args: str, **options: str) -> str:
        raise ConnectionError("no route")

    _client(monkeypatch, download)
    with pytest.raises(BackendError, match=r"o/sea at 0123456789ab \(ConnectionError: no route\)\. Get it at"):
        source().locate(None)


def test_without_the_client_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingDependencyError, match=r"ragstone\[hub\]"):
        source().locate(None)


def test_a_named_folder_is_never_replaced_by_a_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _client(monkeypatch, lambda *args, **options: pytest.fail("nothing may be downloaded"))
    with pytest.raises(Exception, match="under"):
        source().locate(tmp_path)
