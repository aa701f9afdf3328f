"""Removing a reasoning model's thoughts, so that only what it says as its answer is verified and shown.

Two ways of marking them are known: paired tags (``<think>…</think>``, ``<thinking>``, ``<thought>``, ``<reasoning>``,
``[THINK]…[/THINK]``, ``<|begin_of_thought|>…<|end_of_thought|>``, ``◁think▷…◁/think▷``) and the channels of the
harmony format (``<|channel|>analysis<|message|>…<|end|>``), of which ``final`` is the answer.
"""

from __future__ import annotations

import re

__all__ = ["settled_prefix", "strip_reasoning"]

_NAMES = r"(?:[a-z]{1,16}:)?(?:think|thinking|thought|reasoning)"
_TAG = re.compile(
    rf"""(?<!["'`“‘«])(?:
        <(?P<closing>/)?{_NAMES}>
      | \[(?P<closing_bracket>/)?THINK\]
      | <\|(?:begin|(?P<closing_thought>end))_of_thought\|>
      | ◁(?P<closing_triangle>/)?think▷
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CHANNEL, _MESSAGE = "<|channel|>", "<|message|>"
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start)\|>")
_LONGEST_TAG = 40


def strip_reasoning(text: str) -> str:
    """``text`` without its reasoning and without blanks around it; "" when nothing else was there.

    A block that is not closed runs to the end, since the model was cut off while it reasoned. A closing tag that was
    never opened ends reasoning that began with the text: chat templates often write the opening tag themselves.
    A tag right after a quotation mark or a backtick is left alone, being talked about and not used.
    """
    if _CHANNEL in text:
        text = _final_channel(text)
    kept: list[str] = []
    position, reasoning = 0, False
    for tag in _TAG.finditer(text):
        if not reasoning:
            kept.append(text[position : tag.start()])
        closing = any(tag.groups())
        if closing and not reasoning:
            kept.clear()
        reasoning = not closing
        position = tag.end()
    if not reasoning:
        kept.append(text[position:])
    return " ".join(part for part in map(str.strip, kept) if part)


def settled_prefix(text: str) -> str:
    """The beginning of a text still being written that no later piece can turn into a part of a tag."""
    start = max(len(text) - _LONGEST_TAG, 0, *(text.rfind(end) + 1 for end in ">]▷"))
    marks = [position for mark in "<[◁" if (position := text.find(mark, start)) >= 0]
    return text[: min(marks, default=len(text))]


def _final_channel(text: str) -> str:
    parts = []
    for segment in text.split(_CHANNEL)[1:]:
        header, _, body = segment.partition(_MESSAGE)
        if header.strip().lower().startswith("final"):
            parts.append(_CHANNEL_END.split(body, maxsplit=1)[0].strip())
    return " ".join(part for part in parts if part)
