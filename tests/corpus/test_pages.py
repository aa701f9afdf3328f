from __future__ import annotations

import sys
import time
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.corpus import Document, read_corpus
from ragstone.errors import InputError, MissingDependencyError

pypdf = pytest.importorskip("pypdf")
bs4 = pytest.importorskip("bs4")


def html(tmp_path: Path, markup: str | bytes) -> Document:
    path = tmp_path / "page.html"
    path.write_bytes(markup if isinstance(markup, bytes) else markup.encode("utf-8"))
    return read_corpus(path)[0]


def pdf(*pages: str, title: str | None = None, password: str | None = None) -> bytes:
    """A small PDF file with one line of text on each page."""
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = pypdf.PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for text in pages:
        page = writer.add_blank_page(300, 300)
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode("ascii"))
        page[NameObject("/Contents")] = writer._add_object(content)
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_markdown_title_is_the_first_top_heading(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("## Not this\n\n# The title #\n\n# Nor this\n", encoding="utf-8")
    (document,) = read_corpus(path)
    assert document.title == "The title"
    assert document.text.startswith("## Not this")


def test_html_as_a_reader_sees_it(tmp_path: Path) -> None:
    document = html(
        tmp_path,
        """<!DOCTYPE html><html><head><title> A
        page </title><style>p {color: red}</style></head><body><!-- a remark -->
        <h1>Head</h1><p>Hel<b>lo</b>
        wor&shy;ld,&nbsp;you.</p><script>run()</script><noscript>off</noscript>
        <ul><li>one<li>two</ul>first<br>second
        <table><tr><td>a</td><td>b</td></tr></table><pre>x  y
  z</pre></body></html>""",
    )
    assert document.title == "A page"
    assert document.id == "page.html"
    assert document.text == "Head\nHello wor\u00adld, you.\none\ntwo\nfirst\nsecond\na b\nx  y\nz"
    assert document.metadata == {}


@pytest.mark.parametrize(
    "attribute",
    [
        "hidden",
        "style='display:none'",
        "style='color: red; VISIBILITY : hidden !important'",
        "style='opacity:0'",
        "style='opacity: .0;'",
        "style='font-size: 0px'",
    ],
)
def test_hidden_html_is_left_out_and_counted(tmp_path: Path, attribute: str) -> None:
    document = html(tmp_path, f"<p>Seen.</p><div {attribute}>Un<b hidden>seen</b></div><p>Also.</p>")
    assert document.text == "Seen.\nAlso."
    assert document.metadata == {"hidden_characters": 6}


@pytest.mark.parametrize("style", ["opacity:0.5", "font-size:10px", "display:block", "visibility:visible", "opacity:"])
def test_what_only_looks_hidden_is_kept(tmp_path: Path, style: str) -> None:
    assert html(tmp_path, f"<p style='{style}'>Seen.</p>").text == "Seen."


def test_html_in_its_declared_encoding(tmp_path: Path) -> None:
    assert html(tmp_path, '<meta charset="iso-8859-1"><p>caf\xe9</p>'.encode("latin-1")).text == "café"


def test_broken_and_deep_html_is_read(tmp_path: Path) -> None:
    assert html(tmp_path, "<div><p>open <b>never closed").text == "open never closed"
    assert html(tmp_path, "<div>" * 3000 + "deep").text == "deep"


def test_markup_the_parser_rejects_is_an_input_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Which markup that is depends on the release of Python.
    def reject(*arguments: object) -> None:
        raise bs4.exceptions.ParserRejectedMarkup("unknown declaration")

    monkeypatch.setattr(bs4, "BeautifulSoup", reject)
    with pytest.raises(InputError, match=r"page\.html: cannot be read as HTML: unknown declaration"):
        html(tmp_path, "<p>a</p>")


def test_a_wide_page_takes_linear_time(tmp_path: Path) -> None:
    started = time.process_time()
    assert html(tmp_path, "<p>a</p>" * 5000).text == "a\n" * 4999 + "a"
    assert time.process_time() - started < 10


@given(st.text(st.sampled_from("<>/!-[]&;= ap\"'") | st.characters(), max_size=80))
def test_any_markup_gives_text_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, markup: str) -> None:
    path = tmp_path_factory.mktemp("markup") / "a.html"
    path.write_text(markup, encoding="utf-8", errors="replace")
    try:
        documents = read_corpus(path, skipped=lambda place, reason: None)
    except InputError as error:
        assert path.name in str(error)  # noqa: PT017
    else:
        assert all(document.text == document.text.strip() != "" for document in documents)


def test_pdf_pages_and_title(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf("First page.", "Second page.", title="A report"))
    (document,) = read_corpus(path)
    assert document.text == "First page.\n\nSecond page."
    assert document.title == "A report"
    assert document.metadata == {"pages": 2}


def test_a_scan_without_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(pdf(""))
    with pytest.warns(UserWarning, match=r"scan\.pdf: it has no text"):
        assert read_corpus(path) == []


def test_damaged_and_locked_pdf_files(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    for data in (b"", b"%PDF-1.7\nnothing", pdf("x", password="secret")):
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"a\.pdf: cannot be read as PDF"):
            read_corpus(path)


@pytest.mark.parametrize(("ending", "module"), [(".html", "bs4"), (".pdf", "pypdf")])
def test_a_missing_extra_names_its_install_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, module: str
) -> None:
    (tmp_path / f"a{ending}").write_bytes(b"<p>x</p>")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'ragstone\[files\]'"):
        read_corpus(tmp_path)
