"""Which sentences of a passage an attack should edit, and which one states what the question is about."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from ragstone.text.lexicon import words
from ragstone.text.sentences import Span, is_question, sentences

__all__ = ["Parts", "bare_statement", "content_words", "passage_parts", "rank_statements"]

_WORD = re.compile(r"[^\W_]+")
_MARKER = re.compile(r"\s*(?:answer|a)\s*[:.]\s*", re.IGNORECASE)
_QUESTION_MARKER = re.compile(r"\s*(?:question|q)\s*[:.]\s*", re.IGNORECASE)
_STOP_WORDS = frozenset(
    words(
        "a an the of in on at by for from with to and or but is are was were be been has have had do does did it its "
        "this that these those what which who whom whose when where why how can could will would should may might "
        "must not no yes as than there their they he she his her you your i we our if so"
    )
)


@dataclass(frozen=True, slots=True)
class Parts:
    """``statements`` are to be edited first; ``rest`` (the repeated question) only when nothing else can be."""

    statements: tuple[Span, ...]
    rest: tuple[Span, ...]

    @property
    def in_turn(self) -> tuple[tuple[Span, ...], ...]:
        """The groups of sentences in the order in which to try them, empty ones left out."""
        return tuple(group for group in (self.statements, self.rest) if group)


def passage_parts(text: str, question: str | None = None) -> Parts:
    """The sentences of ``text``, the question that it repeats at its start set apart.

    Without ``question``, what leads up to a question within the first two sentences counts as that question, as long
    as a statement follows it.
    """
    spans = sentences(text)
    border = _question_end(text, question) if question else 0
    if not border:
        asked = [span.end for span in spans[:2] if is_question(span.text)]
        border = asked[0] if asked and any(span.start >= asked[0] for span in spans) else 0
    statements: list[Span] = []
    rest: list[Span] = []
    for span in spans:
        if span.start < border < span.end:
            rest.append(Span(text[span.start : border], span.start, border))
            span = _stripped(text, border, span.end)
        if span.end <= border or is_question(span.text):
            rest.append(span)
        elif span.text:
            statements.append(_without_marker(span))
    return Parts(tuple(span for span in statements if span.text), tuple(rest))


def _question_end(text: str, question: str) -> int:
    """Where the question that opens ``text`` ends; 0 when it does not open it. Case and blanks may differ."""
    asked = question.split()
    if not asked:
        return 0
    pattern = r"\s+".join(re.escape(word) for word in asked)
    marker = _QUESTION_MARKER.match(text)
    match = re.compile(pattern, re.IGNORECASE).match(text, marker.end() if marker else len(text) - len(text.lstrip()))
    return match.end() if match and text[match.end() :].strip() else 0


def _stripped(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return Span(piece.strip(), start, start + len(piece.strip()))


def _without_marker(span: Span) -> Span:
    match = _MARKER.match(span.text)
    return Span(span.text[match.end() :], span.start + match.end(), span.end) if match else span


def content_words(text: str) -> frozenset[str]:
    """The words of ``text`` in lower case, function words left out."""
    return frozenset(word.lower() for word in _WORD.findall(text)) - _STOP_WORDS


def rank_statements(parts: Parts, question: str | None, rng: random.Random) -> list[Span]:
    """The statements, those that share most words with the question first, the others in random order."""
    shuffled = list(parts.statements)
    rng.shuffle(shuffled)
    asked = content_words(question or " ".join(span.text for span in parts.rest))
    return sorted(shuffled, key=lambda span: -len(asked & content_words(span.text)))


def bare_statement(statement: str, context: str = "") -> str:
    """``statement`` ready to stand after "that": no leading "Yes,", no end mark, a lower-case start.

    A first word keeps its capital unless it is a function word or ``context`` holds it in lower case.
    """
    bare = re.sub(r"^(?:yes|no)[,.;:]\s*", "", statement.strip(), flags=re.IGNORECASE).rstrip(" .!;:…")
    first = bare.split(" ", 1)[0].strip("\"“'‘")
    lower = first[:1].lower() + first[1:]
    participle = lower.endswith(("ed", "ing")) and len(lower) > 4
    plain = (
        first.lower() in _OPENERS
        or participle
        or (first != lower and re.search(rf"(?<!\w){re.escape(lower)}(?!\w)", context))
    )
    return lower + bare[len(first) :] if plain and bare.startswith(first) else bare


_OPENERS = frozenset(
    words(
        "the a an this that these those it there they he she we you in on at by for from with most many some all no "
        "not few every each one two three four five if when while after before since as because only less more people "
        "there's it's its his her their nothing something none someone nobody everyone each by according under during "
        "over about both neither do don't never always use store"
    )
)
