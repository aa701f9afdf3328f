from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.corpus import Document, read_corpus
from ragstone.errors import InputError, RagstoneError


def jsonl(tmp_path: Path, text: str) -> list[Document]:
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    return read_corpus(path)


def csv(tmp_path: Path, text: str) -> list[Document]:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return read_corpus(path)


def test_beir_lines(tmp_path: Path) -> None:
    documents = jsonl(
        tmp_path,
        '{"_id": "d1", "title": "T", "text": "One.", "metadata": {"url": "u"}, "year": 2020}\n'
        "\n"
        '{"id": 7, "text": "Two.", "title": "", "source": "https://a.example"}\n'
        '{"text": "Three."}\n',
    )
    assert [(d.id, d.title, d.text) for d in documents] == [
        ("d1", "T", "One."),
        ("7", None, "Two."),
        ("a.jsonl:4", None, "Three."),
    ]
    assert documents[0].metadata == {"url": "u", "year": 2020}
    assert [d.source for d in documents[:2]] == [str(tmp_path / "a.jsonl"), "https://a.example"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("9" * 5000, "not valid JSON"),
        ('["text"]', "expected a JSON object with 'text', got list"),
        ('{"txt": "x", "a": 1}', "expected a string under 'text'; found a, txt"),
        ("{}", "found no fields"),
        ('{"text": null}', "found 'text' of type NoneType"),
        ('{"text": "x", "title": 5}', "'title' must be a string, got 5"),
        ('{"text": "x", "source": ["a"]}', r"'source' must be a string, got \['a'\]"),
        ('{"text": "x", "_id": true}', "the id must be a string or an integer, got True"),
        ('{"text": "x", "_id": "  "}', "the id is blank"),
        ('{"text": "x", "metadata": [1]}', r"'metadata' must be an object, got \[1\]"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"a\.jsonl:2: .*{message}"):
        jsonl(tmp_path, f'{{"text": "fine"}}\n{line}\n')


def test_a_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "fine"}\n{"text": "fine too"}\n{"text": "\xff"}\n')
    with pytest.raises(InputError, match=r"a\.jsonl:3: not UTF-8"):
        read_corpus(path)


def test_cut_off_and_false_gzip_files(tmp_path: Path) -> None:
    whole = gzip.compress(b'{"text": "fine"}\n' * 100)
    path = tmp_path / "a.jsonl.gz"
    for data in (whole[:-12], b"not gzip at all", whole[:10] + b"\x00\x01\x02" + whole[13:]):
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"a\.jsonl\.gz"):
            read_corpus(path)


def test_csv_with_a_text_column(tmp_path: Path) -> None:
    documents = csv(tmp_path, 'id,Title,Text,year\r\nx,T,"One, two\r\nthree.",1999\r\n\r\n,,Four.\r\n')
    assert [(d.id, d.title, d.text, d.metadata) for d in documents] == [
        ("x", "T", "One, two\r\nthree.", {"year": "1999"}),
        ("a.csv:5", None, "Four.", {}),
    ]


@pytest.mark.parametrize("column", ["text", "Content", "passage", "answer"])
def test_csv_text_columns(tmp_path: Path, column: str) -> None:
    assert [d.text for d in csv(tmp_path, f"{column}\nOne.\n")] == ["One."]


@pytest.mark.parametrize("column", ["answer", "Best Answer", "best_answer"])
def test_csv_with_questions(tmp_path: Path, column: str) -> None:
    (document,) = csv(tmp_path, f"Type,Question,{column},Source\nx,Who?,Ann.,https://a.example\n")
    assert document.text == "Who? Ann."
    assert document.metadata == {"type": "x"}
    assert document.source == "https://a.example"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.csv:1: no column holds the text; expected one called text, .* found an empty file"),
        ("name,value\na,b\n", "a.csv:1: no column holds the text; .* found name, value"),
        ("text,text\na,b\n", "a.csv:1: the header names columns twice: text"),
        ("text,year\nOne, two.,1999\n", "a.csv:2: 3 fields under a header of 2; .*double quotes"),
        ('text\n"never closed\n', "a.csv:2: not valid CSV"),
    ],
)
def test_a_bad_csv_file_is_explained(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        csv(tmp_path, text)


def test_rows_without_text_are_reported(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"left out .*a\.csv:3: it has no text"):
        assert len(csv(tmp_path, "id,text\na,One.\nb,\n")) == 1


@given(st.binary(max_size=200), st.sampled_from([".jsonl", ".jsonl.gz", ".csv", ".txt", ".md"]))
def test_any_bytes_give_documents_or_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, ending: str
) -> None:
    path = tmp_path_factory.mktemp("bytes") / f"a{ending}"
    path.write_bytes(data)
    try:
        documents = read_corpus(path, skipped=lambda place, reason: None)
    except RagstoneError as error:
        message = str(error)
    else:
        assert all(document.text.strip() for document in documents)
        return
    assert path.name in message
