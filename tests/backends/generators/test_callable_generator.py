"""A function as a generator, and what messages must look like."""

from __future__ import annotations

from typing import Any, cast

import pytest

from ragstone.backends.generators.callable import CallableGenerator
from ragstone.backends.generators.chat import as_chat, prompt_sha256
from ragstone.backends.protocols import Generator, Message, StreamingGenerator
from ragstone.errors import BackendError, InputError

SAMPLING: dict[str, Any] = {"temperature": 0.1, "max_tokens": 20}
ASKED = [Message("system", "Be brief."), Message("user", "Who?")]


def test_the_function_gets_the_messages() -> None:
    generator = CallableGenerator(lambda messages: " / ".join(m.content for m in messages), "join-1")
    assert generator.generate(ASKED, **SAMPLING).text == "Be brief. / Who?"
    assert generator.identity == "callable:join-1"
    assert isinstance(generator, Generator)
    assert not isinstance(generator, StreamingGenerator)


def test_another_result_than_text_is_an_error() -> None:
    generator = CallableGenerator(cast(Any, lambda messages: None), "none")
    with pytest.raises(BackendError, match="returned NoneType, expected a string"):
        generator.generate(ASKED, **SAMPLING)


def test_unusable_arguments() -> None:
    with pytest.raises(InputError, match="got str"):
        CallableGenerator(cast(Any, "gpt"), "x")
    with pytest.raises(InputError, match="identity"):
        CallableGenerator(lambda messages: "", "")


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ([], "at least one message"),
        ([Message("tool", "x")], "role 'tool'"),
        ([Message("user", cast(Any, None))], "message 1: content must be a string, got NoneType"),
    ],
)
def test_unusable_messages(messages: list[Message], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        as_chat(messages)


def test_a_prompts_hash_depends_on_roles_and_bounds() -> None:
    prompts = [
        [Message("user", "ab")],
        [Message("system", "ab")],
        [Message("user", "a"), Message("user", "b")],
        [Message("user", "a\ud800")],
    ]
    assert len({prompt_sha256(messages) for messages in prompts}) == len(prompts)
    assert prompt_sha256([Message("user", "a\ud800")]) == prompt_sha256([Message("user", "a\ufffd")])
