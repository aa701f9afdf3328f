from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ragstone.corpus import iter_corpus, read_corpus
from ragstone.errors import InputError


def test_a_folder_is_read_in_the_order_of_its_paths(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("Second.", encoding="utf-8")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "z.md").write_text("# Deep water\n\nFirst.", encoding="utf-8")
    (tmp_path / "c.jsonl").write_text('{"_id": "x", "text": "Third."}\n', encoding="utf-8")
    (tmp_path / ".hidden.txt").write_text("Not read.", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "d.txt").write_text("Not read.", encoding="utf-8")
    documents = read_corpus(tmp_path)
    assert [(d.id, d.title) for d in documents] == [("a/z.md", "Deep water"), ("b.txt", None), ("x", None)]
    assert documents[1].source == str(tmp_path / "b.txt")
    assert documents[1].text == "Second."


def test_other_files_of_a_folder_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Text.", encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "blank.txt").write_text(" \n", encoding="utf-8")
    left_out: list[tuple[str, str]] = []
    documents = read_corpus(tmp_path, skipped=lambda place, reason: left_out.append((place, reason)))
    assert [document.id for document in documents] == ["a.txt"]
    assert left_out[0] == (str(tmp_path / "blank.txt"), "it has no text")
    assert left_out[1][0] == str(tmp_path / "picture.png")
    assert left_out[1][1].startswith("no reader for this kind of file; known: .txt, .md, ")
    (tmp_path / "blank.txt").unlink()
    with pytest.warns(UserWarning, match=r"left out .*picture\.png"):
        read_corpus(tmp_path)


def test_an_unknown_file_by_name_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "table.xlsx"
    path.write_bytes(b"PK")
    with pytest.raises(InputError, match=r"table\.xlsx: no reader for this kind of file; known: \.txt"):
        read_corpus(path)
    with pytest.raises(InputError, match="there is no such file or folder"):
        read_corpus(tmp_path / "absent")


def test_endings_in_any_case(tmp_path: Path) -> None:
    path = tmp_path / "READ.TXT"
    path.write_text("Text.", encoding="utf-8")
    assert read_corpus(str(path))[0].id == "READ.TXT"


def test_an_id_used_twice_names_both_places(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "x", "text": "One."}\n', encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"id": "y", "text": "Two."}\n{"id": "x", "text": "Three."}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.jsonl:2: the document id 'x' is already that of .*a\.jsonl:1"):
        read_corpus(tmp_path)


def test_a_text_that_is_not_utf8_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("fine\ncaf\xe9\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.txt:2: not UTF-8.*convert"):
        read_corpus(path)


def test_a_byte_order_mark_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfText.")
    (tmp_path / "b.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "Line."}\n')
    assert [document.text for document in read_corpus(tmp_path)] == ["Text.", "Line."]


def test_a_corpus_can_be_read_piece_by_piece(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.write('{"text": "One."}\nbroken\n')
    documents = iter_corpus(path)
    assert next(documents).id == "corpus.jsonl.gz:1"
    with pytest.raises(InputError, match=r"corpus\.jsonl\.gz:2: not valid JSON"):
        next(documents)
