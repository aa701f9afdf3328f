"""Documents to chunks of a bounded number of tokens that begin and end with sentences."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from ragstone.backends.wordpiece import token_spans
from ragstone.corpus.document import Document
from ragstone.errors import InputError
from ragstone.text.sentences import sentences
from ragstone.types import Passage, readable

__all__ = ["chunk_documents"]

_LEAST_TOKENS = 16


def chunk_documents(documents: Iterable[Document], *, tokens: int = 512, overlap: int = 50) -> list[Passage]:
    """The chunks of ``documents``, in order, as passages without score.

    Sizes are in WordPiece tokens, special tokens not counted (:func:`ragstone.backends.wordpiece.token_spans`). A
    document of at most ``tokens`` is one chunk, with its id and its whole text. A longer one is cut between sentences;
    a chunk begins with the last whole sentences of the one before, as many as ``overlap`` tokens hold. Only a
    sentence longer than ``tokens`` is cut inside, between words where it has any, and its parts overlap by
    ``overlap`` tokens. Each character that is not white space is in some chunk; blank documents have none.

    Ids of parts are ``document#0``, ``document#1``, … The metadata is the document's, with ``document_id``, the
    character offsets ``start`` and ``end`` of the chunk's text in the document's, and ``title`` if it has one.

    Raises InputError for sizes that make no sense, and for two documents or chunks with the same id.
    """
    if tokens < _LEAST_TOKENS or not 0 <= overlap < tokens:
        raise InputError(
            f"chunks of {tokens} tokens with {overlap} of overlap: expected at least {_LEAST_TOKENS} tokens, "
            "and an overlap from 0 to below that"
        )
    chunks: list[Passage] = []
    seen: dict[str, str] = {}
    for document in documents:
        if not isinstance(document, Document):
            raise InputError(f"expected a Document(id, text), got {type(document).__name__}")
        for chunk in _chunks(document, tokens, overlap):
            if chunk.id in seen:
                raise InputError(
                    f"documents {seen[chunk.id]!r} and {document.id!r} both have a chunk called {chunk.id!r}; "
                    "document ids must be unique"
                )
            seen[chunk.id] = document.id
            chunks.append(chunk)
    return chunks


def _chunks(document: Document, tokens: int, overlap: int) -> Iterator[Passage]:
    text, identifier = readable(document.text), readable(document.id)
    if not text.strip():
        return
    spans = list(_cut(text, tokens, overlap))
    for number, (start, end) in enumerate(spans):
        metadata = dict(document.metadata)
        if document.title:
            metadata["title"] = document.title
        metadata |= {"document_id": identifier, "start": start, "end": end}
        chunk_id = identifier if len(spans) == 1 else f"{identifier}#{number}"
        yield Passage(chunk_id, text[start:end], document.source, metadata=metadata)


def _cut(text: str, limit: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Character spans of the chunks of ``text``, without white space at their ends when there is more than one."""
    spans = token_spans(text)
    if len(spans) <= limit:
        yield 0, len(text)
        return
    # What no token covers (control characters, for one) belongs to the token before it.
    borders = [0, *(start for start, _ in spans[1:]), len(text)]
    for first, last in _token_ranges(text, [start for start, _ in spans], limit, overlap):
        piece = text[borders[first] : borders[last]]
        start = borders[first] + len(piece) - len(piece.lstrip())
        if stripped := piece.strip():
            yield start, start + len(stripped)


def _token_ranges(text: str, starts: list[int], limit: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Ranges [first, last) of tokens, each of at most ``limit``, their ends rising and their union complete."""
    count = len(starts)
    openings = sorted({bisect_left(starts, span.start) for span in sentences(text)} - {0, count})
    # One character can make several tokens (Hangul); between those there is no place to cut.
    places = [index for index in range(1, count) if starts[index] > starts[index - 1]]
    words = [index for index in places if text[starts[index] - 1].isspace()]
    first = last = 0
    while count - first > limit:
        end = first + limit
        opening = _highest(openings, last + 1, end)
        if opening is not None:
            last = opening
            following = openings[bisect_right(openings, last)] if last < openings[-1] else count
            # Overlap must not push the next sentence over the limit, unless that one has to be cut anyway.
            room = limit - (following - last)
            lowest = last - (min(overlap, room) if room >= 0 else overlap)
            following_first = openings[bisect_left(openings, max(lowest, first + 1))]
        else:
            last = _highest(words, max(last + 1, first + limit // 2), end) or _highest(places, last + 1, end) or end
            lowest = max(last - overlap, first + 1)
            following_first = _lowest(words, lowest, last) or _lowest(places, lowest, last) or last
        yield first, last
        first = following_first
    yield first, count


def _highest(values: list[int], lowest: int, highest: int) -> int | None:
    position = bisect_right(values, highest) - 1
    return values[position] if position >= 0 and values[position] >= lowest else None


def _lowest(values: list[int], lowest: int, highest: int) -> int | None:
    position = bisect_left(values, lowest)
    return values[position] if position < len(values) and values[position] <= highest else None
