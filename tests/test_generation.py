"""The prompt keeps passages in their place; reasoning never becomes an answer; streaming shows the same text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.backends.generators.callable import CallableGenerator
from ragstone.backends.protocols import Generation, Message, StreamingGenerator
from ragstone.errors import BackendError, EmptyAnswerError, InputError
from ragstone.generation import answer, build_messages, generate_answer, stream_answer
from ragstone.settings import Settings
from ragstone.types import as_passages

SETTINGS = Settings.model_validate({"generation": {"temperature": 0.5, "max_tokens": 9, "seed": 3}})
PASSAGES = as_passages(["Ann wrote it.", "  ", "It is\n\nlong."])


class Pieces:
    """Streams what it is given, and remembers how it was asked."""

    identity = "pieces"

    def __init__(self, *pieces: str, error: Exception | None = None) -> None:
        self.pieces = pieces
        self.error = error
        self.asked: dict[str, object] = {}

    def generate(self, messages: Sequence[Message], **sampling: Any) -> Generation:
        return Generation("".join(self.stream(messages, **sampling)), 5, 2, "length")

    def stream(self, messages: Sequence[Message], **sampling: Any) -> Iterator[str]:
        self.asked = {"messages": list(messages), **sampling}
        yield from self.pieces
        if self.error:
            raise self.error


def test_the_prompt() -> None:
    system, user = build_messages(" Who\nwrote it? ", PASSAGES)
    assert (system.role, user.role) == ("system", "user")
    lines = user.content.split("\n")
    assert lines[0] == "Passage 1: Ann wrote it."
    assert lines[1] == "Passage 3: It is long."
    assert "Not enough information" in lines[-2]
    assert lines[-1] == "Question: Who wrote it?"


MARKS = ["Passage 2:", "Question: Who?", "<|im_end|>", "<|im_start|>system", "</s>", "[/INST]", "<<SYS>>"]
MARKS += ["<end_of_turn>", "<｜User｜>", "<|eot_id|", ">", "<", "a", " ", "\n", "\r", "\u2028", "\x85", "\ud800"]
HOSTILE = st.lists(st.sampled_from(MARKS)).map("".join)
CONTROL = re.compile(r"<\|\w*\|?>|</s>|\[/INST\]|<<SYS>>|<end_of_turn>|<｜User｜>")


@given(st.lists(HOSTILE | st.text(), min_size=1, max_size=3), HOSTILE)
def test_no_passage_leaves_its_line_or_poses_as_a_turn(texts: list[str], question: str) -> None:
    passages = as_passages([*texts, "Ann."])
    user = build_messages(f"Who? {question}", passages)[1].content
    user.encode()
    lines = user.splitlines()
    filled = [n for n, passage in enumerate(passages, start=1) if passage.text.strip()]
    assert [line.split(":")[0] for line in lines[: len(filled)]] == [f"Passage {n}" for n in filled]
    assert len(lines) == len(filled) + 3
    assert lines[-1].startswith("Question: Who?")
    assert not CONTROL.search(user)


def test_ordinary_brackets_are_left_alone() -> None:
    text = "If a < b | c > d then List<int> [see 1], <b>bold</b> and [NOTE]."
    assert text in build_messages("Why?", as_passages([text]))[1].content


@pytest.mark.parametrize(("question", "texts"), [("  ", ["a"]), ("Why?", []), ("Why?", ["", "\n"])])
def test_nothing_to_ask_or_to_answer_from(question: str, texts: list[str]) -> None:
    with pytest.raises(InputError, match=r"question|passages"):
        build_messages(question, as_passages(texts))


def test_the_settings_reach_the_generator() -> None:
    generator = Pieces("Ann.")
    assert answer("Who?", PASSAGES, generator, SETTINGS) == Generation("Ann.", 5, 2, "length")
    assert generator.asked == {
        "messages": build_messages("Who?", PASSAGES),
        "temperature": 0.5,
        "max_tokens": 9,
        "seed": 3,
    }


@pytest.mark.parametrize("text", ["<think>Is it Ann?</think>\nAnn.", "Is it Ann?</think> Ann.", "Ann.<think>Or Bob"])
def test_reasoning_is_no_part_of_the_answer(text: str) -> None:
    assert answer("Who?", PASSAGES, Pieces(text), SETTINGS).text == "Ann."


@pytest.mark.parametrize(("text", "what"), [("", "no text"), (" \n", "no text"), ("<think>Hm", "only its reasoning")])
def test_an_answer_that_is_empty(text: str, what: str) -> None:
    with pytest.raises(EmptyAnswerError, match=rf"pieces returned {what} \(finish reason 'length'\)"):
        answer("Who?", PASSAGES, Pieces(text), SETTINGS)
    with pytest.raises(EmptyAnswerError, match=f"pieces returned {what}"):
        list(stream_answer("Who?", PASSAGES, Pieces(text), SETTINGS))


def test_a_generator_that_breaks_is_a_backend_error() -> None:
    broken = Pieces("Ann", error=ZeroDivisionError("oh"))
    with pytest.raises(BackendError, match="pieces failed: ZeroDivisionError: oh"):
        generate_answer([Message("user", "Who?")], broken, SETTINGS)
    with pytest.raises(BackendError, match="pieces failed: ZeroDivisionError: oh"):
        list(stream_answer("Who?", PASSAGES, broken, SETTINGS))


def test_a_generator_that_cannot_stream_gives_one_piece() -> None:
    generator = CallableGenerator(lambda messages: "<think>x</think>Ann wrote it.", "f")
    assert not isinstance(generator, StreamingGenerator)
    assert list(stream_answer("Who?", PASSAGES, generator, SETTINGS)) == ["Ann wrote it."]


def test_streaming_shows_words_early_and_reasoning_never() -> None:
    generator = Pieces("<th", "ink>Is it", " Ann?</thi", "nk>", "\n\nAnn", " wrote", " it", ".")
    assert list(stream_answer("Who?", PASSAGES, generator, SETTINGS)) == ["Ann", " wrote", " it", "."]


def test_streaming_starts_anew_when_what_was_shown_proves_to_be_reasoning() -> None:
    generator = Pieces("Is it Ann?", "</think>", "Ann", " wrote it.")
    assert "".join(stream_answer("Who?", PASSAGES, generator, SETTINGS)) == "Is it Ann?\nAnn wrote it."


@given(st.lists(st.text(st.characters(exclude_characters="<[◁"), max_size=8), max_size=8), st.integers(0, 8))
def test_streaming_and_generating_give_the_same_text(pieces: list[str], place: int) -> None:
    generator = Pieces(*pieces[:place], " <think>", "hm", "</think> ", *pieces[place:], "end.")
    whole = answer("Who?", PASSAGES, generator, SETTINGS).text
    assert "".join(stream_answer("Who?", PASSAGES, generator, SETTINGS)) == whole
