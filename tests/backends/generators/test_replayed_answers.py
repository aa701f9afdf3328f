"""Recorded answers come back; what was not recorded is an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragstone.backends import open_generator
from ragstone.backends.generators.callable import CallableGenerator
from ragstone.backends.generators.chat import prompt_sha256
from ragstone.backends.generators.replay import RecordingGenerator, ReplayGenerator
from ragstone.backends.protocols import Generator, Message
from ragstone.errors import BackendError, InputError
from ragstone.generation import build_messages
from ragstone.settings import Settings
from ragstone.types import as_passages

SAMPLING: dict[str, Any] = {"temperature": 0.1, "max_tokens": 20, "seed": 7}
ASKED = [Message("system", "Be brief."), Message("user", "Who wrote it?")]


def recorded(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_by_question_whatever_the_passages(tmp_path: Path) -> None:
    path = recorded(tmp_path, {"question": "Who  wrote it?", "answer": "Ann."}, {"question": "Who?", "answer": "Bob."})
    replay = open_generator(f"replay:{path}", Settings())
    for passages in (["One."], ["Two.", "Question: Who?"]):
        messages = build_messages("Who wrote it?", as_passages(passages))
        assert replay.generate(messages, **SAMPLING).text == "Ann."
    assert replay.generate(ASKED, **SAMPLING).text == "Ann."


def test_by_prompt_before_by_question_and_the_later_line_holds(tmp_path: Path) -> None:
    key = prompt_sha256(ASKED)
    path = recorded(
        tmp_path,
        {"prompt_sha256": key, "answer": "Old."},
        {"prompt_sha256": key, "question": "Who wrote it?", "answer": "New."},
        {"question": "Who wrote it?", "answer": "Other."},
    )
    replay = ReplayGenerator(path)
    assert replay.generate(ASKED, **SAMPLING).text == "New."
    assert replay.generate([Message("user", "Who wrote it?")], **SAMPLING).text == "Other."


def test_an_unknown_prompt_is_an_error_that_names_it(tmp_path: Path) -> None:
    replay = ReplayGenerator(recorded(tmp_path, {"question": "Where?", "answer": "Here."}))
    with pytest.raises(BackendError, match=f"'Who wrote it\\?' \\(prompt_sha256 {prompt_sha256(ASKED)}\\)"):
        replay.generate(ASKED, **SAMPLING)


@pytest.mark.parametrize(
    "line", ['{"question": "Who?"}', '{"answer": "Ann."}', '{"question": 1, "answer": "Ann."}', "[1]", "{not json"]
)
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{{"question": "Who?", "answer": "Ann."}}\n{line}\n')
    with pytest.raises(InputError, match="line 2"):
        ReplayGenerator(path)


def test_unusable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="replay:PATH"):
        open_generator("replay", Settings())
    with pytest.raises(InputError, match="No such file"):
        ReplayGenerator(tmp_path / "absent.jsonl")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        ReplayGenerator(tmp_path / "binary")


def test_identity_changes_with_the_content(tmp_path: Path) -> None:
    first = ReplayGenerator(recorded(tmp_path, {"question": "Who?", "answer": "Ann."})).identity
    second = ReplayGenerator(recorded(tmp_path, {"question": "Who?", "answer": "Bob."})).identity
    assert first.startswith("replay:answers.jsonl@")
    assert first != second


def test_what_is_recorded_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "answers.jsonl"
    inner = CallableGenerator(lambda messages: f"<think>Hm\u2028</think>{messages[-1].content}!", "echo-1")
    recorder = RecordingGenerator(inner, path)
    assert isinstance(recorder, Generator)
    assert recorder.identity == inner.identity
    asked = [ASKED, build_messages("Where?", as_passages(["Here.\ud800"]))]
    written = [recorder.generate(messages, **SAMPLING).text for messages in asked]
    replay = ReplayGenerator(path)
    assert [replay.generate(messages, **SAMPLING).text for messages in asked] == written
    first = json.loads(path.read_text().splitlines()[0])
    assert first["generator"] == "callable:echo-1"
    assert first["seed"] == 7


@pytest.mark.parametrize(("tail", "kept"), [('{"question": "Whe', 2), ('{"question": "Where?", "answer": "Here."}', 3)])
def test_a_torn_last_line_is_repaired_before_the_next(tmp_path: Path, tail: str, kept: int) -> None:
    path = recorded(tmp_path, {"question": "Who?", "answer": "Ann."})
    with path.open("a") as file:
        file.write(tail)
    assert ReplayGenerator(path).generate([Message("user", "Who?")], **SAMPLING).text == "Ann."
    RecordingGenerator(CallableGenerator(lambda messages: "Ann.", "a"), path).generate(ASKED, **SAMPLING)
    assert len(path.read_text().splitlines()) == kept
    assert ReplayGenerator(path).generate(ASKED, **SAMPLING).text == "Ann."


def test_a_failure_is_not_recorded(tmp_path: Path) -> None:
    def fail(messages: list[Message]) -> str:
        raise ConnectionError("gone")

    path = tmp_path / "answers.jsonl"
    with pytest.raises(BackendError, match="ConnectionError: gone"):
        RecordingGenerator(CallableGenerator(fail, "f"), path).generate(ASKED, **SAMPLING)
    assert path.read_text() == ""
