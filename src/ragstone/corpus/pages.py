"""Documents from files meant for people's eyes: plain text, Markdown, HTML and PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.corpus.document import Document
from ragstone.errors import InputError, optional_import

if TYPE_CHECKING:
    from bs4 import Tag

__all__ = ["html_document", "markdown_document", "pdf_document", "text_document"]

_HEADING = re.compile(r"^#[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_NEVER_SHOWN = ("head", "script", "style", "template", "noscript")
# fmt: off
_BLOCKS = (
    "address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "legend",
    "li", "main", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr",
    "ul",
)
# fmt: on
_BREAK_AT = {**dict.fromkeys((*_BLOCKS, "br"), "\n"), "td": " ", "th": " "}
_HIDING = {("display", "none"), ("visibility", "hidden"), ("visibility", "collapse")}
_ZERO = re.compile(r"(?:0+(?:\.0*)?|\.0+)(?:[a-z]*|%)")
_SPACES = re.compile(r"[ \t\n\r\f\v\u00a0]+")
_BREAKS = re.compile(r" ?\n[ \n]*")


def text_document(path: Path, name: str) -> Document:
    """A ``.txt`` file, UTF-8. Raises InputError for another encoding."""
    return Document(name, _text(path), None, str(path))


def markdown_document(path: Path, name: str) -> Document:
    """A ``.md`` file, its marks kept; the title is its first top-level heading."""
    text = _text(path)
    heading = _HEADING.search(text)
    return Document(name, text, heading[1] if heading else None, str(path))


def html_document(path: Path, name: str) -> Document:
    """The text of an HTML page as a reader sees it, a line a block; needs the extra ``files``.

    Left out: scripts, styles, comments, and elements hidden by the ``hidden`` attribute or their own ``style``. How
    many characters were hidden so is ``metadata["hidden_characters"]``, when there were any. Style sheets are not
    evaluated.
    """
    library = optional_import("bs4", extra="files", purpose="reading HTML")
    try:
        soup = library.BeautifulSoup(path.read_bytes(), "html.parser")
        title = _one_line(soup.title.get_text()) if soup.title else ""
        text, hidden = _seen(soup, library.NavigableString)
    except (library.exceptions.ParserRejectedMarkup, RecursionError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as HTML: {error}") from error
    return Document(name, text, title or None, str(path), {"hidden_characters": hidden} if hidden else {})


def _seen(soup: Tag, plain: type[Any]) -> tuple[str, int]:
    """The text shown, and how many characters are hidden. A walk of its own, since edits to a tree cost its depth."""
    pieces: list[str] = []
    hidden = preformatted = 0
    open_tags: list[tuple[Tag, Iterator[Any]]] = [(soup, iter(soup.contents))]
    while open_tags:
        tag, children = open_tags[-1]
        child = next(children, None)
        if child is None:
            open_tags.pop()
            preformatted -= tag.name == "pre"
            pieces.append(_BREAK_AT.get(tag.name, ""))
        elif type(child) is plain:  # comments and declarations are strings too, of types of their own
            pieces.append(child if preformatted else _SPACES.sub(" ", child))
        elif not hasattr(child, "contents") or child.name in _NEVER_SHOWN:
            continue
        elif child.has_attr("hidden") or _hides(str(child.get("style", ""))):
            hidden += len(_one_line(child.get_text()))
        else:
            preformatted += child.name == "pre"
            pieces.append("\n" if _BREAK_AT.get(child.name) == "\n" else "")
            open_tags.append((child, iter(child.contents)))
    return _BREAKS.sub("\n", "".join(pieces)).strip(), hidden


def _hides(style: str) -> bool:
    for declaration in style.lower().split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        value = value.removesuffix("!important").strip()
        if (name, value) in _HIDING or (name in ("opacity", "font-size") and _ZERO.fullmatch(value)):
            return True
    return False


def _one_line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def pdf_document(path: Path, name: str) -> Document:
    """The text of a PDF, a blank line between pages; needs the extra ``files``. ``metadata["pages"]`` counts them.

    A scan without a text layer gives a blank text. Raises InputError for a damaged file or one that asks for a
    password.
    """
    library = optional_import("pypdf", extra="files", purpose="reading PDF")
    try:
        reader = library.PdfReader(path)
        pages = [page.extract_text() for page in reader.pages]
        title = str(reader.metadata.title or "").strip() if reader.metadata else ""
    except Exception as error:  # damaged files raise whatever their damage leads to
        raise InputError(f"{path}: cannot be read as PDF: {type(error).__name__}: {error}") from error
    text = "\n\n".join(page.strip() for page in pages).strip()
    return Document(name, text, title or None, str(path), {"pages": len(pages)})


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: not UTF-8: {error.reason}; convert the file to UTF-8") from error
