from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.backends import wordpiece
from ragstone.backends.wordpiece import load_tokenizer, token_spans
from ragstone.errors import ModelError


def test_known_ids() -> None:
    # Ids of BERT-base-uncased: [CLS] hello , world ! [SEP].
    assert load_tokenizer().encode("Hello, World!").ids == [101, 7592, 1010, 2088, 999, 102]


def test_pairs_have_segment_ids() -> None:
    encoded = load_tokenizer().encode("one two", "three")
    assert encoded.type_ids == [0, 0, 0, 0, 1, 1]


def test_nothing_is_truncated_or_padded() -> None:
    tokenizer = load_tokenizer()
    assert len(tokenizer.encode("word " * 3000).ids) == 3002
    assert len(tokenizer.encode("word").ids) == 3


def test_tokenizers_are_independent() -> None:
    first = load_tokenizer()
    first.enable_truncation(4)
    assert len(load_tokenizer().encode("word " * 10).ids) == 12
    assert len(token_spans("word " * 10)) == 10


def test_spans_are_in_the_original_text() -> None:
    text = "Über-Caf\x00é is naïve"
    assert [text[start:end] for start, end in token_spans(text)] == ["Über", "-", "Caf\x00é", "is", "naïve"]


def test_a_word_too_long_for_the_vocabulary_is_measured_by_length() -> None:
    text = "see " + "x" * 402
    spans = token_spans(text)
    assert spans[0] == (0, 3)
    assert spans[1] == (4, 8)
    assert spans[-1] == (404, 406)
    assert len(spans) == 102


def test_another_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wordpiece._definition.cache_clear()
    monkeypatch.setattr(wordpiece, "TOKENIZER_SHA256", "0" * 64)
    with pytest.raises(ModelError, match=r"expected SHA-256 0{64}, found 5fd1c8.*Install ragstone again"):
        load_tokenizer()
    wordpiece._definition.cache_clear()


@given(st.text(st.characters(), max_size=300))
def test_spans_are_ordered_and_inside_the_text(text: str) -> None:
    last = 0
    for start, end in token_spans(text):
        assert last <= start < end <= len(text)
        last = start
