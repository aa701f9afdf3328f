"""Files of passages and cases: every form that is documented, and every way to spoil one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.cli.inputs import decoded, parsed, read_lines, read_passages
from ragstone.errors import InputError


def written(folder: Path, content: bytes | str) -> str:
    path = folder / "input"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


@pytest.mark.parametrize(
    "content",
    [
        '{"text": "a", "id": "x"}\n"b"\n',
        '{"text": "a", "id": "x"}\r\n\r\n  \n"b"',
        '[{"text": "a", "id": "x"},\n "b"]',
        '\ufeff{"text": "a", "id": "x"}\n"b"\n',
    ],
)
def test_passages_come_as_lines_or_as_one_array(tmp_path: Path, content: str) -> None:
    assert read_passages(written(tmp_path, content)) == [{"text": "a", "id": "x"}, "b"]


def test_an_empty_file_holds_no_passages(tmp_path: Path) -> None:
    assert read_passages(written(tmp_path, "\n \n")) == []


@pytest.mark.parametrize("content", ['{"text": "a"}\n{"text": \n', '"a"\nplain words\n', '"a"\n{"text": NaN}\n'])
def test_a_bad_line_is_named(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"input, line 2: not valid JSON: .*expected on each line"):
        read_passages(written(tmp_path, content))


def test_a_line_separator_within_a_string_does_not_end_the_line(tmp_path: Path) -> None:
    assert read_passages(written(tmp_path, '"a\u2028b\x85c"\n"d"')) == ["a\u2028b\x85c", "d"]


def test_raw_control_characters_and_lone_surrogates_are_read(tmp_path: Path) -> None:
    assert read_passages(written(tmp_path, b'"a\x00b"\n"\\ud800"')) == ["a\x00b", "\ud800"]


def test_bytes_that_are_not_utf8_are_read_as_replacement_characters() -> None:
    assert decoded(b"caf\xe9") == ("caf\ufffd", False)
    assert decoded("café".encode()) == ("café", True)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_deep_nesting_is_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        parsed(text)


def test_a_number_too_long_to_read_is_an_input_error() -> None:
    with pytest.raises(InputError, match="not valid JSON"):
        parsed("1" * 10_000)


@pytest.mark.parametrize("name", ["absent.jsonl", "", "\0"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_passages(str(tmp_path / name) if name != "\0" else name)
    with pytest.raises(InputError, match="cannot read"):
        list(read_lines(str(tmp_path / name) if name != "\0" else name))


def test_lines_keep_their_numbers_and_blank_ones_are_left_out(tmp_path: Path) -> None:
    source = written(tmp_path, b"\xef\xbb\xbfone\n\n \t\r\ntwo\xff")
    assert list(read_lines(source)) == [(1, b"one\n"), (4, b"two\xff")]


scalars = st.none() | st.booleans() | st.integers() | st.text()
json_values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


@settings(max_examples=60)
@given(st.lists(json_values.filter(lambda value: not isinstance(value, list)), max_size=6))
def test_what_was_written_as_lines_is_read_back(tmp_path_factory: pytest.TempPathFactory, values: list[object]) -> None:
    source = written(tmp_path_factory.mktemp("lines"), "".join(json.dumps(value) + "\n" for value in values))
    assert read_passages(source) == values


@settings(max_examples=60)
@given(st.binary(max_size=200))
def test_any_bytes_are_passages_or_an_input_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    source = written(tmp_path_factory.mktemp("bytes"), content)
    try:
        passages: list[object] | None = read_passages(source)
    except InputError:
        passages = None
    assert passages is None or all(not isinstance(p, bytes) for p in passages)
