"""Text that is in a passage but not on the page: comments, CSS that hides, white letters, Markdown and LaTeX tricks.

A small scanner rather than an HTML parser: it must work on fragments, keep positions in the original, and stay linear
on hostile input (each element's content is looked at up to :data:`LONGEST` characters).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Hidden", "gives_orders", "hidden_texts", "reads_as_prose"]

LONGEST = 4000

_COMMENT = re.compile(r"<!--|<!(?=-?[^-a-zA-Z>\[])")
_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9]{0,15})((?:\s|/)[^<>]{0,800})?>")
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_CODE = frozenset({"script", "style"})
_STYLE_RULE = re.compile(r"\.([\w-]{1,40})\s{0,4}(?:,[^{}]{0,100})?\{([^{}]{0,400})\}")
_CLASS = re.compile(r"""\bclass\s{0,2}=\s{0,2}["']?([^"'>]{1,200})""", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]{1,800}>")

_HIDING = re.compile(
    r"display\s{0,2}:\s{0,2}none|visibility\s{0,2}:\s{0,2}(?:hidden|collapse)|content-visibility\s{0,2}:\s{0,2}hidden"
    r"|font-size\s{0,2}:\s{0,2}(?:0(?![.\d]*[1-9])|0?\.\d|1px|1pt)|opacity\s{0,2}:\s{0,2}(?:0(?![.\d]*[1-9])|0?\.0\d)"
    r"|color\s{0,2}:\s{0,2}transparent|text-indent\s{0,2}:\s{0,2}-\d{3}"
    r"|(?:left|top|right)\s{0,2}:\s{0,2}-\d{3,6}|clip\s{0,2}:\s{0,2}rect\(\s{0,2}0|mso-hide\s{0,2}:\s{0,2}all"
    r"|(?:max-)?(?:height|width)\s{0,2}:\s{0,2}0(?:px)?\s{0,2}(?:;|$)",
    re.IGNORECASE,
)
_HIDDEN_ATTRIBUTE = re.compile(r"(?:^|\s)hidden(?=\s|=|/|$)", re.IGNORECASE)
_WHITE = r"(?:white|#fff(?:fff)?\b|rgba?\(\s{0,2}255\s{0,2},\s{0,2}255\s{0,2},\s{0,2}255|snow|ivory|#fefefe\b)"
# Hidden only if the page plays along: white on a ground that is not given here, or hidden from screen readers alone.
_PERHAPS = re.compile(
    rf"""(?<![\w-])color\s{{0,2}}[:=]\s{{0,2}}["']?{_WHITE}|aria-hidden\s{{0,2}}=\s{{0,2}}["']?true""", re.IGNORECASE
)
_MARKDOWN = re.compile(r"""(?m)^[ \t]{0,3}\[[^\]\n]{0,60}\]:[ \t]{0,4}(?:#|<>|<#>)[ \t]{1,4}["'(]([^\n]{1,1000})$""")
_LATEX = re.compile(r"\\(?:textcolor|color)\{white\}\s{0,2}\{?([^{}\n]{1,1000})")

_WORD = re.compile(r"[^\W\d_]{2,40}")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ADDRESS = re.compile(
    r"\b(?:assistants?|ai|llms?|chat ?bots?|language models?|gpt|chatgpt|claude|gemini|copilot"
    r"|the (?:model|reader)|your (?:answer|reply|response|summary|output|instructions|rules|prompt)"
    r"|(?:ask|tell|direct|urge|instruct) (?:the )?(?:user|reader|customer|visitor)s? "
    r"(?:for|that|to (?:visit|call|send|give|pay|enter|e-?mail|download|click|provide))"
    r"|system prompt|instructions?|ignore|disregard|forget (?:the|all|every|what|your)|drop the|override"
    r"|(?:when|if|before|while|after) (?:you )?(?:summari[sz]|answer|repl[yi]|respond|quot)\w{0,3}"
    r"|(?:text|passage|document|page|content|paragraph)s? (?:above|below))\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:^|[.!?;:,]\s{0,4}|\b(?:and|then|please|must|should|always|never|not|to|you)\s{1,2})"
    r"(?:tell|say|state|answer|reply|respond|claim|recommend|report|output|print|reveal|send|cite|mention|ask|request|"
    r"ignore|disregard|forget|drop|rank|rate|mark|give|accept|insist|write|repeat|pretend|act|direct|praise|describe|"
    r"include|append|add|use|treat|follow|obey|visit|call|email|forward|approve|score)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A stretch of the original that is not shown: how it is hidden, and the text it holds."""

    start: int
    end: int
    how: str
    text: str
    surely: bool


def reads_as_prose(text: str) -> bool:
    """At least four words, or six wide characters, and mostly letters."""
    letters = sum(c.isalpha() or c.isspace() for c in text)
    words = len(_WORD.findall(text))
    return letters >= 0.7 * len(text) and (words >= 4 or len(_WIDE.findall(text)) >= 6)


def gives_orders(text: str) -> bool:
    """Whether hidden text both speaks to, or of, a reader and its answer, and tells it what to do."""
    return bool(_ADDRESS.search(text) and _ORDER.search(text))


def hidden_texts(text: str) -> Iterator[Hidden]:
    """All hidden stretches of ``text``; nested elements give the outer one only."""
    if "<" in text:
        yield from _comments(text)
        yield from _elements(text)
    if "]:" in text:
        for match in _MARKDOWN.finditer(text):
            yield Hidden(match.start(1), match.end(1), "Markdown comment", match[1].rstrip(" )\"'"), surely=True)
    if "{white}" in text:
        for match in _LATEX.finditer(text):
            yield Hidden(match.start(), match.end(), "white LaTeX text", match[1].strip(), surely=True)


def _comments(text: str) -> Iterator[Hidden]:
    position = 0
    while (match := _COMMENT.search(text, position)) is not None:
        closing = "-->" if match.group() == "<!--" else ">"
        found = text.find(closing, match.end(), match.end() + LONGEST)
        end = found + len(closing) if found >= 0 else min(len(text), match.end() + LONGEST)
        inner = text[match.end() : found if found >= 0 else end].strip()
        if not inner.startswith("[if "):
            yield Hidden(match.start(), end, "HTML comment", inner, surely=True)
        position = end


def _elements(text: str) -> Iterator[Hidden]:
    hiding_classes = {
        match[1] for match in _STYLE_RULE.finditer(text) if _HIDING.search(match[2]) or _PERHAPS.search(match[2])
    }
    position = 0
    while (match := _TAG.search(text, position)) is not None:
        position = match.end()
        name, attributes = match[1].lower(), match[2] or ""
        how = _how(attributes, hiding_classes)
        if how is None or name in _VOID or name in _CODE or attributes.rstrip().endswith("/"):
            continue
        end = _element_end(text, name, match.end())
        inner = html.unescape(_ANY_TAG.sub(" ", text[match.end() : end]))
        yield Hidden(match.start(), end, how[0], " ".join(inner.split()), surely=how[1])
        position = end


def _how(attributes: str, hiding_classes: set[str]) -> tuple[str, bool] | None:
    if not attributes:
        return None
    hiding = _HIDING.search(attributes) if "style" in attributes.lower() else None
    if hiding:
        return f"CSS {hiding.group().replace(' ', '').rstrip(';')}", True
    if _HIDDEN_ATTRIBUTE.search(attributes):
        return "attribute hidden", True
    named = _CLASS.search(attributes)
    if named and hiding_classes.intersection(named[1].split()):
        return "a CSS class that hides", True
    perhaps = _PERHAPS.search(attributes)
    return (perhaps.group().replace(" ", ""), False) if perhaps else None


def _element_end(text: str, name: str, start: int) -> int:
    """Where the element that opened before ``start`` closes; the next :data:`LONGEST` characters when it does not."""
    limit = min(len(text), start + LONGEST)
    depth = 1
    for match in re.compile(rf"<(/?){name}\b", re.IGNORECASE).finditer(text, start, limit):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.start()
    return limit
