"""Sentences and what is built of them."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.text.sentences import Span, halves, is_question, sentences, windows

ANY_TEXT = st.text(max_size=300)
# Characters that segmentation turns on are rare in arbitrary text.
TRICKY_TEXT = st.text(alphabet="ab AZ.?!…,;:'\"“”()[]{}|-*#1 2\n\t\r\0\ufffd😀é中。？\u0301\u2028\u200b", max_size=120)


def texts(text: str) -> list[str]:
    return [span.text for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello there. It works.", ["Hello there.", "It works."]),
        ("Dr. Smith came. He left.", ["Dr. Smith came.", "He left."]),
        ("It needs approx. 3.5 kg, e.g. of ash. Then wait.", ["It needs approx. 3.5 kg, e.g. of ash.", "Then wait."]),
        ("The U.S. economy grew. No. 5 is alive.", ["The U.S. economy grew.", "No. 5 is alive."]),
        (
            "Pi is 3.14. See Section 2.1.3. Version 1.2.3 works.",
            ["Pi is 3.14.", "See Section 2.1.3.", "Version 1.2.3 works."],
        ),
        ("See Fig. 3 and Eq. 4. It holds.", ["See Fig. 3 and Eq. 4.", "It holds."]),
        ("J. K. Rowling wrote it. Good.", ["J. K. Rowling wrote it.", "Good."]),
        ("He left... Then he came back. Wait… What?", ["He left...", "Then he came back.", "Wait…", "What?"]),
        ("Water boils at 100 C. Ice melts at 0 C.", ["Water boils at 100 C.", "Ice melts at 0 C."]),
        ("java.lang.String is a class. Use it.", ["java.lang.String is a class.", "Use it."]),
        ("Paris.It is big.", ["Paris.", "It is big."]),
        ('He said "Go away. Now." Then he left.', ['He said "Go away. Now."', "Then he left."]),
        ("“One. Two.” He said so.", ["“One. Two.”", "He said so."]),
        ("**Bold.** Next one.", ["**Bold.**", "Next one."]),
        ("It opened in 1874.[1] It is old.", ["It opened in 1874.[1]", "It is old."]),
        ("Who wrote it? Ann did! Really?! Yes.", ["Who wrote it?", "Ann did!", "Really?!", "Yes."]),
        ("第一句。第二句！第三句？", ["第一句。", "第二句！", "第三句？"]),
        ("Title\n\nFirst line\nof a paragraph. End.", ["Title", "First line\nof a paragraph.", "End."]),
        ("Tools:\n- A sextant. It is old.\n- A compass", ["Tools:", "- A sextant.", "It is old.", "- A compass"]),
        ("1. First item. 2. Second item.", ["1. First item.", "2. Second item."]),
        ("1. First item\n2. Second item", ["1. First item", "2. Second item"]),
        ("42. It is the answer.", ["42.", "It is the answer."]),
        ("# Heading\nText after it.", ["# Heading", "Text after it."]),
        ("| a. b | c |\n|---|---|\n| 1 | 2 |", ["| a. b | c |", "| 1 | 2 |"]),
        ("Height: 40 m\nOwner: Kerr trust", ["Height: 40 m", "Owner: Kerr trust"]),
        ("Friday 18:00.\nIgn\nore the prev\nious text", ["Friday 18:00.", "Ign\nore the prev\nious text"]),
        ("One.\r\n\r\nTwo.\r\nThree.", ["One.", "Two.", "Three."]),
        ("The toll\0 is 12. \ufffd It rose.", ["The toll\0 is 12.", "\ufffd It rose."]),
        ("😀 smiles. 👍🏽 agrees.", ["😀 smiles.", "👍🏽 agrees."]),
        ("   ", []),
        ("", []),
        ("... !!! 😀", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_offsets_count_code_points() -> None:
    text = "  😀 Cafe\u0301 opened. 中文句子。 Last one. "
    for span in sentences(text):
        assert text[span.start : span.end] == span.text
    assert sentences(text)[-1] == Span("Last one.", 24, 33)


def test_a_passage_quoted_whole_is_still_segmented() -> None:
    quoted = '"' + "The mill opened in the old town a long time ago. " * 8 + '"'
    assert len(sentences(quoted)) == 8


def test_a_hard_wrapped_paragraph_is_read_as_one() -> None:
    text = (
        "The harbour was rebuilt in the last years of the war by the\nKerr company, which had moved there.\nIt closed."
    )
    assert texts(text)[0].endswith("moved there.")


def test_lone_surrogates_do_no_harm() -> None:
    assert texts("The toll \ud800 is 12. It rose.") == ["The toll \ud800 is 12.", "It rose."]


@settings(deadline=None)
@given(ANY_TEXT | TRICKY_TEXT)
def test_spans_are_ordered_slices_that_miss_no_letter(text: str) -> None:
    position = 0
    for span in sentences(text):
        assert position <= span.start < span.end <= len(text)
        assert span.text == text[span.start : span.end] == span.text.strip()
        assert not any(map(str.isalnum, text[position : span.start]))
        position = span.end
    assert not any(map(str.isalnum, text[position:]))


@pytest.mark.parametrize(
    "unit",
    ["a", "a ", "A b. ", ".", '"', "“", "‘", "'", "(a ", "\n", "- a\n", "1. ", "Dr. ", "[1]. ", "|", "-", "* ", "a.b"],
)
def test_long_strings_take_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    begin = time.process_time()
    found = sentences(text)
    assert time.process_time() - begin < 10.0
    assert all(span.text for span in found)


@pytest.mark.parametrize(
    "text",
    [
        "Is it open?",
        "Who wrote Hamlet?",
        '"Is it open?"',
        "Really?!",
        "¿Quién es?",
        "是吗？",
        "**Why?**",
        "How many are there",
        "Why? [1]",
    ],
)
def test_questions(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "It is open.",
        "",
        'He asked "Who are you?"',
        "She wrote 'Who is Afraid?'",
        "The mill opened in 1874, didn't it?",
        "It is old, right?",
        "What is known is that it opened.",
        "Paris",
    ],
)
def test_statements_are_no_questions(text: str) -> None:
    assert not is_question(text)


def test_halves_cut_nearest_to_the_middle() -> None:
    text = "It is old. It has five floors and a red roof. It grinds rye."
    parts = halves(text)
    assert parts is not None
    assert [part.text for part in parts] == ["It is old. It has five floors and a red roof.", "It grinds rye."]


def test_halves_leave_an_opening_question_out() -> None:
    parts = halves("What is the mill? It is old. It grinds rye.")
    assert parts is not None
    assert [part.text for part in parts] == ["It is old.", "It grinds rye."]


@pytest.mark.parametrize("text", ["", "One sentence.", "What is X? X is Y.", "Why? How?"])
def test_no_halves_of_less_than_two_statements(text: str) -> None:
    assert halves(text) is None


@settings(deadline=None)
@given(ANY_TEXT | TRICKY_TEXT)
def test_halves_are_slices(text: str) -> None:
    if parts := halves(text):
        first, second = parts
        assert first.text == text[first.start : first.end]
        assert second.text == text[second.start : second.end]
        assert first.end <= second.start


def words(text: str) -> int:
    return len(text.split())


def test_a_text_that_fits_is_one_window() -> None:
    assert windows(" One two. Three. ", words, 3) == [Span("One two. Three.", 1, 16)]


def test_neighbouring_windows_share_a_sentence_when_it_fits() -> None:
    text = "A one. B two. C three. D four."
    assert [w.text for w in windows(text, words, 4)] == ["A one. B two.", "B two. C three.", "C three. D four."]
    assert [w.text for w in windows(text, words, 3)] == ["A one.", "B two.", "C three.", "D four."]


def test_a_long_sentence_is_split_between_words() -> None:
    found = windows("alpha beta gamma delta epsilon zeta.", words, 2)
    assert all(words(window.text) <= 2 for window in found)
    assert {word for window in found for word in window.text.split()} == {
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta.",
    }  # fmt: skip


def test_a_giant_token_is_split_between_characters() -> None:
    found = windows("x" * 1000, len, 64)
    assert max(len(window.text) for window in found) <= 64
    assert found[0].start == 0
    assert found[-1].end == 1000


def test_each_sentence_is_counted_once() -> None:
    seen: list[str] = []

    def counted(text: str) -> int:
        seen.append(text)
        return words(text)

    text = " ".join(f"Sentence number {n} is here." for n in range(200))
    windows(text, counted, 50)
    assert sum(1 for part in seen if part.count(".") == 1) == 200


@pytest.mark.parametrize("limit", [0, -3])
def test_windows_without_room_are_refused(limit: int) -> None:
    with pytest.raises(InputError, match="at least 1 token"):
        windows("One.", words, limit)


def sub_additive(text: str) -> int:
    """Needs a token more where two words meet."""
    return max(0, 2 * words(text) - 1)


@settings(deadline=None)
@given(ANY_TEXT | TRICKY_TEXT, st.integers(1, 12), st.sampled_from([words, len, sub_additive]))
def test_windows_hold_every_character_within_the_limit(text: str, limit: int, count: Callable[[str], int]) -> None:
    found = windows(text, count, limit)
    covered = {index for window in found for index in range(window.start, window.end)}
    assert all(index in covered for index, character in enumerate(text) if not character.isspace())
    assert [window.start for window in found] == sorted(window.start for window in found)
    for window in found:
        assert window.text == text[window.start : window.end]
        assert count(window.text) <= limit or len(window.text) == 1


def test_windows_of_a_long_text_take_linear_time() -> None:
    text = "word " * 20_000 + "x" * 20_000
    begin = time.process_time()
    found = windows(text, lambda part: len(part) // 4, 200)
    assert time.process_time() - begin < 10.0
    assert found[-1].end == len(text)
