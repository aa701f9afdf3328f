"""Chat messages in the form that endpoints take them, and a prompt's identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from ragstone.backends.protocols import Message
from ragstone.errors import InputError
from ragstone.types import readable

__all__ = ["as_chat", "prompt_sha256"]

_ROLES = ("system", "user", "assistant")


def as_chat(messages: Sequence[Message]) -> list[dict[str, str]]:
    """``role`` and ``content`` of each message, lone surrogates replaced; raises InputError for an unusable one."""
    if not messages:
        raise InputError("messages: expected at least one message, got none")
    for number, message in enumerate(messages, start=1):
        if message.role not in _ROLES:
            raise InputError(f"message {number}: role {message.role!r} is not one of {', '.join(_ROLES)}")
        if not isinstance(message.content, str):
            raise InputError(f"message {number}: content must be a string, got {type(message.content).__name__}")
    return [{"role": message.role, "content": readable(message.content)} for message in messages]


def prompt_sha256(messages: Sequence[Message]) -> str:
    """64 hex digits over roles and contents: SHA-256 of their JSON, UTF-8, as ``[[role, content], …]``."""
    turns = [[turn["role"], turn["content"]] for turn in as_chat(messages)]
    text = json.dumps(turns, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
