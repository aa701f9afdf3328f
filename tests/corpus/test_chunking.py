from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.backends.wordpiece import token_spans
from ragstone.corpus import Document, chunk_documents
from ragstone.errors import InputError
from ragstone.types import Passage, readable

# Eleven tokens each, full stop included.
SENTENCES = [f"This is sentence {number:02d} of a rather long text." for number in range(60)]
LONG = " ".join(SENTENCES)


def spans(chunks: list[Passage]) -> list[tuple[int, int]]:
    return [(chunk.metadata["start"], chunk.metadata["end"]) for chunk in chunks]


def test_a_document_that_fits_is_one_chunk() -> None:
    document = Document("d", " A short text. \n", "T", "d.txt", {"year": 2020})
    (chunk,) = chunk_documents([document])
    assert chunk == Passage(
        "d",
        " A short text. \n",
        "d.txt",
        metadata={"year": 2020, "title": "T", "document_id": "d", "start": 0, "end": 16},
    )


def test_the_limit_itself_still_fits() -> None:
    document = Document("d", "word " * 512)
    assert len(chunk_documents([document])) == 1
    assert len(chunk_documents([Document("d", "word " * 513)])) == 2


def test_chunks_are_whole_sentences_that_overlap() -> None:
    assert {len(token_spans(sentence)) for sentence in SENTENCES} == {10}
    chunks = chunk_documents([Document("d", LONG)], tokens=100, overlap=25)
    assert [chunk.id for chunk in chunks[:2]] == ["d#0", "d#1"]
    assert chunks[0].text == " ".join(SENTENCES[:10])
    # Two sentences are all of the last ten that 25 tokens hold.
    assert chunks[1].text == " ".join(SENTENCES[8:18])
    assert chunks[-1].text.endswith(SENTENCES[-1])


def test_no_overlap_where_the_last_sentence_is_longer() -> None:
    chunks = chunk_documents([Document("d", LONG)], tokens=100, overlap=9)
    assert [chunk.text for chunk in chunks] == [" ".join(SENTENCES[k : k + 10]) for k in range(0, 60, 10)]


def test_overlap_gives_way_to_a_sentence_that_fits_only_alone() -> None:
    short, long = "A short one.", "Word " * 94 + "ends."
    chunks = chunk_documents([Document("d", f"{long} {short} {long}")], tokens=100, overlap=40)
    assert [chunk.text for chunk in chunks] == [f"{long} {short}", f"{short} {long}"]
    longer = "Word " * 97 + "ends."
    chunks = chunk_documents([Document("d", f"{short} {longer} {short}")], tokens=100, overlap=40)
    assert [chunk.text for chunk in chunks] == [short, longer, short]


def test_a_sentence_above_the_limit_is_cut_between_words_with_overlap() -> None:
    text = " ".join(f"w{number}" for number in range(400))
    chunks = chunk_documents([Document("d", text)], tokens=100, overlap=20)
    for left, right in itertools.pairwise(chunks):
        assert text[right.metadata["start"] - 1] == " "
        shared = left.metadata["end"] - right.metadata["start"]
        assert 0 < len(token_spans(text[right.metadata["start"] :][:shared])) <= 20


def test_a_text_without_spaces_is_cut_too() -> None:
    chunks = chunk_documents([Document("d", "x" * 10_000)], tokens=500, overlap=50)
    assert [len(chunk.text) for chunk in chunks] == [2000, 2000, 2000, 2000, 2000, 1000]
    chunks = chunk_documents([Document("d", "汉字" * 600)], tokens=500, overlap=0)
    assert [len(chunk.text) for chunk in chunks] == [500, 500, 200]


def test_a_character_of_several_tokens_is_not_cut() -> None:
    text = "각" * 33
    assert len(token_spans(text)) == 99
    chunks = chunk_documents([Document("d", text)], tokens=16, overlap=0)
    assert [len(chunk.text) for chunk in chunks] == [5, 5, 5, 5, 5, 5, 3]


def test_blank_documents_have_no_chunk() -> None:
    assert chunk_documents([Document("a", " \n"), Document("b", "Text.")])[0].id == "b"


def test_offsets_win_over_metadata_of_the_same_name() -> None:
    (chunk,) = chunk_documents([Document("d", "Text.", metadata={"start": "x", "document_id": "other"})])
    assert chunk.metadata == {"start": 0, "end": 5, "document_id": "d"}


@pytest.mark.parametrize(("tokens", "overlap"), [(15, 0), (100, 100), (100, -1), (0, 0)])
def test_sizes_that_make_no_sense(tokens: int, overlap: int) -> None:
    with pytest.raises(InputError, match=f"chunks of {tokens} tokens with {overlap} of overlap"):
        chunk_documents([], tokens=tokens, overlap=overlap)


def test_ids_must_be_unique() -> None:
    with pytest.raises(InputError, match="documents 'd' and 'd' both have a chunk called 'd'"):
        chunk_documents([Document("d", "One."), Document("d", "Two.")])
    with pytest.raises(InputError, match="documents 'd' and 'd#1' both have a chunk called 'd#1'"):
        chunk_documents([Document("d", LONG), Document("d#1", "One.")], tokens=400)


def test_other_values_are_refused() -> None:
    with pytest.raises(InputError, match=r"expected a Document\(id, text\), got str"):
        chunk_documents(["text"])  # type: ignore[list-item]


words = st.text(st.characters(), max_size=12)
pieces = st.sampled_from(["Hello.", "It is 3.5 m.", "\n\n", "- item", "汉字", "각각", "x" * 130, "\x00", "A!"])
prose = st.lists(st.one_of(words, pieces), max_size=120).map(" ".join)


@settings(deadline=None, max_examples=150)
@given(st.one_of(prose, st.text(st.characters(), max_size=400)), st.integers(16, 60), st.data())
def test_every_visible_character_is_in_a_chunk_of_exact_offsets(text: str, tokens: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, tokens - 1))
    chunks = chunk_documents([Document("d", text)], tokens=tokens, overlap=overlap)
    covered: set[int] = set()
    for chunk, (start, end) in zip(chunks, spans(chunks), strict=True):
        assert chunk.text == readable(text)[start:end]
        assert chunk.text.strip()
        covered.update(range(start, end))
    assert all(character.isspace() for index, character in enumerate(text) if index not in covered)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    # Neither start nor end ever goes back, and no chunk lies within another.
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in zip(spans(chunks), spans(chunks)[1:], strict=False))


@settings(deadline=None, max_examples=100)
@given(prose, st.integers(16, 60), st.data())
def test_no_chunk_is_above_the_limit(text: str, tokens: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, tokens - 1))
    inside = token_spans(text)
    for start, end in spans(chunk_documents([Document("d", text)], tokens=tokens, overlap=overlap)):
        assert sum(start <= a and b <= end for a, b in inside) <= tokens
