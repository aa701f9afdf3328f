"""The run folder: torn lines, other settings, two processes at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.experiments.append_log import AppendLog, read_log
from ragstone.experiments.run_lock import hold_lock
from ragstone.experiments.runs import RunFolder, read_meta


def rows(path: Path) -> list[dict[str, object]]:
    return [row for _, row in read_log(path)]


def test_appending_after_a_torn_line_loses_only_that_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"key": 1}\n{"key": 2, "te')
    with AppendLog(path) as log:
        log.append({"key": 3, "text": "ü\n"})
    assert rows(path) == [{"key": 1}, {"key": 3, "text": "ü\n"}]


@given(cut=st.integers(0, 120))
def test_wherever_a_log_is_cut_whole_lines_are_kept_and_it_goes_on(cut: int) -> None:
    whole = b"".join(json.dumps({"key": i, "text": "äß"}).encode() + b"\n" for i in range(4))
    kept = whole[:cut].count(b"\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_bytes(whole[:cut])
        assert len(rows(path)) == kept
        with AppendLog(path) as log:
            log.append({"key": "next"})
        assert [row["key"] for row in rows(path)] == [*range(kept), "next"]


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"key": 1}\n{"key": \n{"key": 3}\n')
    with pytest.raises(InputError, match=r"log\.jsonl:2: not valid JSON"):
        rows(path)


def test_nan_never_gets_into_a_log(tmp_path: Path) -> None:
    with AppendLog(tmp_path / "log.jsonl") as log, pytest.raises(ValueError, match="JSON"):
        log.append({"key": float("nan")})
    assert rows(tmp_path / "log.jsonl") == []


def test_a_folder_is_resumed_with_the_same_settings_only(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    with RunFolder.opened(folder, {"k": 5, "strategies": ("mixed",)}) as run:
        run.samples.append({"key": "a"})
        run.generations.append({"key": "g", "text": "yes"})
        assert run.done == frozenset()
    with RunFolder.opened(folder, {"k": 5, "strategies": ["mixed"]}) as run:
        assert run.done == {"a"}
        assert run.generated() == {"g": {"key": "g", "text": "yes"}}
    with pytest.raises(InputError, match=r"k: 5 there, 3 now"), RunFolder.opened(folder, {"k": 3}):
        pass
    assert read_meta(folder) == {"k": 5, "strategies": ["mixed"]}


def test_what_is_no_run_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no meta\.json"):
        read_meta(tmp_path)
    (tmp_path / "samples.jsonl").write_text("")
    with pytest.raises(InputError, match=r"but no meta\.json"), RunFolder.opened(tmp_path, {}):
        pass
    (tmp_path / "meta.json").write_text('{"format": 99}')
    with pytest.raises(InputError, match="format 1"):
        read_meta(tmp_path)
    (tmp_path / "meta.json").write_text("{")
    with pytest.raises(InputError, match="not valid JSON"):
        read_meta(tmp_path)


def test_a_second_process_is_kept_out_and_told_by_whom(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from ragstone.experiments.run_lock import hold_lock\n"
        f"with hold_lock(Path({str(tmp_path / 'lock')!r})):\n    print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "held\n"
        with pytest.raises(InputError, match=f"in use by process {owner.pid}"), hold_lock(tmp_path / "lock"):
            pass
        owner.kill()
        owner.wait()
        with hold_lock(tmp_path / "lock"):
            assert (tmp_path / "lock").read_text() == str(os.getpid())
    assert (tmp_path / "lock").read_text() == ""
