"""Reasoning is removed whatever its marks, and nothing else is."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.text.reasoning import settled_prefix, strip_reasoning


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Paris.", "Paris."),
        ("<think>The user asks…</think>\n\nParis.", "Paris."),
        ("<THINKING>\nHm.\n</THINKING> Paris.", "Paris."),
        ("<thought>a</thought><reasoning>b</reasoning>Paris.", "Paris."),
        ("<seed:think>a</seed:think>Paris.", "Paris."),
        ("[THINK]a[/THINK]Paris.", "Paris."),
        ("<|begin_of_thought|>a<|end_of_thought|>Paris.", "Paris."),
        ("◁think▷a◁/think▷Paris.", "Paris."),
        ("It is<think>sure?</think>Paris.", "It is Paris."),
        ("The template opened it.\n</think>\nParis.", "Paris."),
        ("<think>cut off while it reas", ""),
        ("Paris.\n<think>but is it", "Paris."),
        ("<think></think>", ""),
        ("<think>a<think>b</think>c</think>Paris.", "Paris."),
        ("", ""),
    ],
)
def test_known_marks(text: str, answer: str) -> None:
    assert strip_reasoning(text) == answer


def test_harmony_keeps_the_final_channel_only() -> None:
    text = (
        "<|channel|>analysis<|message|>They ask for a city.<|end|><|start|>assistant"
        "<|channel|>commentary<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Paris.<|return|>"
    )
    assert strip_reasoning(text) == "Paris."
    assert strip_reasoning("<|channel|>analysis<|message|>They ask for a city, so") == ""


@pytest.mark.parametrize(
    "text",
    [
        "Write `<think>` before the thoughts and `</think>` after them.",
        'The tag "<thinking>" is not HTML.',
        "x < think > y",
        "I think 3 < 4 and [1] agrees.",
        "<b>Paris</b>",
    ],
)
def test_what_only_looks_like_reasoning_is_kept(text: str) -> None:
    assert strip_reasoning(text) == text


PIECES = st.sampled_from(
    [
        "<think>",
        "</think>",
        "[THINK]",
        "[/THINK]",
        "<|channel|>",
        "final",
        "<|message|>",
        "<|end|>",
        "`",
        "a ",
        "\n",
        "<",
    ]
)


@given(st.text() | st.lists(PIECES).map("".join))
def test_stripping_twice_changes_nothing_more(text: str) -> None:
    once = strip_reasoning(text)
    assert strip_reasoning(once) == once


@given(st.text(alphabet=st.characters(exclude_characters="<[◁")))
def test_text_without_tags_is_only_trimmed(text: str) -> None:
    assert strip_reasoning(text) == text.strip()


UNMARKED = st.characters(exclude_characters="<[◁\"'`“‘«")


@given(st.text(UNMARKED, max_size=50), st.text(UNMARKED, max_size=50))
def test_what_a_growing_text_shows_is_a_beginning_of_the_answer(before: str, after: str) -> None:
    whole = f"{before}<think>hidden</think>{after}"
    answer = strip_reasoning(whole)
    assert "hidden" not in answer
    for end in range(len(whole) + 1):
        assert answer.startswith(strip_reasoning(settled_prefix(whole[:end])))


def test_time_is_linear_in_hostile_text() -> None:
    start = time.process_time()
    strip_reasoning("<think><" * 20_000 + "◁" * 20_000 + "<a" * 20_000)
    assert time.process_time() - start < 2.0
