"""Signal 2: how a passage is built, whatever it says (paper 000, section III-B).

Capitals, repetition and over-long tokens are weak signs and stay low. Text that is in the passage but not on the page
is a strong one when it gives orders, and is reported with what it says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from heapq import nlargest
from itertools import islice

from ragstone.screening.hidden_markup import Hidden, gives_orders, hidden_texts, reads_as_prose
from ragstone.screening.invisible_text import Oddity, invisible_oddities
from ragstone.types import Finding, Passage, readable

__all__ = ["structure_findings"]

HIDDEN_ORDER = 0.80
HIDDEN_PROSE = 0.40
HIDDEN_COMMENT = 0.25
CAPITALS = 0.30
REPETITION = 0.30
LONG_TOKEN = 0.15

_MOST = 20
_EVIDENCE = 500
_LEAST_LETTERS = 60
_LEAST_SENTENCE = 12
_HEADING_WORDS = 8
_WORD = re.compile(r"[^\W\d_]{1,60}")
_SENTENCE = re.compile(r"[^.!?\n]+")
_SAME_WORD = re.compile(r"\b([^\W\d_]{1,30})(?:[\s,.!]{1,3}\1\b){5,200}", re.IGNORECASE)
_SAME_CHARACTER = re.compile(r"([^\s\-=_*.#~·•─━—|+<>/\\])\1{24}")
_TOKEN = re.compile(r"[^\s|<>\"'`()\[\]{},;]{60,}")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,12}:|www\.|(?:[\w.-]{1,60}/){2}", re.IGNORECASE)
_WIDE_SCRIPT = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def structure_findings(passage: Passage) -> list[Finding]:
    """Findings of signal ``structure`` in order of position; at most 20 of each kind. Linear in the length."""
    text = passage.text
    oddities = [
        *_strongest(_hidden(text)),
        *_strongest(invisible_oddities(text)),
        *_capitals(text),
        *_repetition(text),
        *islice(_long_tokens(text), 1),
    ]
    return [_finding(passage, oddity) for oddity in sorted(oddities, key=lambda o: (o.start, o.end, o.rule))]


def _strongest(oddities: Iterator[Oddity]) -> list[Oddity]:
    """Not the first ones: harmless oddities before a payload must not crowd it out."""
    return nlargest(_MOST, oddities, key=lambda oddity: (oddity.severity, -oddity.start))


def _finding(passage: Passage, oddity: Oddity) -> Finding:
    shown = readable(passage.text[oddity.start : min(oddity.end, oddity.start + _EVIDENCE)])
    evidence = {"text": shown}
    if oddity.text:
        evidence["hidden"] = readable(oddity.text[:_EVIDENCE])
    return Finding(
        passage_id=passage.id,
        signal="structure",
        rule=oddity.rule,
        severity=oddity.severity,
        start=oddity.start,
        end=oddity.end,
        message=oddity.message,
        evidence=evidence,
    )


def _hidden(text: str) -> Iterator[Oddity]:
    for hidden in hidden_texts(text):
        if gives_orders(hidden.text):
            yield Oddity("hidden-order", HIDDEN_ORDER, hidden.start, hidden.end, _hidden_message(hidden), hidden.text)
        elif hidden.surely and reads_as_prose(hidden.text):
            comment = "comment" in hidden.how
            severity = HIDDEN_COMMENT if comment else HIDDEN_PROSE
            yield Oddity("hidden-text", severity, hidden.start, hidden.end, _hidden_message(hidden), hidden.text)


def _hidden_message(hidden: Hidden) -> str:
    return f"Text that the page does not show ({hidden.how})"


def _capitals(text: str) -> Iterator[Oddity]:
    """Capitals in more than half of the longer words, headings aside. Short words may be acronyms."""
    upper = letters = 0
    for line in text.splitlines():
        words = [w.group() for w in _WORD.finditer(line)]
        if len(words) <= _HEADING_WORDS and line.isupper() and not line.rstrip().endswith(("!", ".")):
            continue
        longer = [w for w in words if len(w) >= 4]
        letters += sum(map(len, longer))
        upper += sum(len(w) for w in longer if w.isupper())
    if letters >= _LEAST_LETTERS and upper > letters / 2:
        yield Oddity("capitals", CAPITALS, 0, len(text), f"{upper / letters:.0%} of the text's words are in capitals")


def _repetition(text: str) -> Iterator[Oddity]:
    """One finding for words, one for characters, one for sentences: the longest of each kind."""
    words = max(_SAME_WORD.finditer(text), key=_length, default=None)
    if words:
        yield Oddity("repeated-word", REPETITION, *words.span(), f"The word {words[1]!r} is repeated without a break")
    characters = max(_SAME_CHARACTER.finditer(text), key=_length, default=None)
    if characters:
        yield Oddity("repeated-character", LONG_TOKEN, *characters.span(), f"A long run of {characters[1]!r}")
    parts = ((match.group().strip().casefold(), match.span()) for match in _SENTENCE.finditer(text))
    sentences = [(sentence, span) for sentence, span in parts if len(sentence) >= _LEAST_SENTENCE]
    counts = Counter(sentence for sentence, _ in sentences)
    sentence, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
    if count >= 3:
        first = dict(reversed(sentences))[sentence]
        yield Oddity("repeated-sentence", REPETITION, *first, f"A sentence is repeated {count} times")


def _length(match: re.Match[str]) -> int:
    return match.end() - match.start()


def _long_tokens(text: str) -> Iterator[Oddity]:
    """Rules, addresses, paths and scripts that are written without spaces do not count."""
    for match in _TOKEN.finditer(text):
        token = match.group()
        rule = sum(map(str.isalnum, token)) < len(token) / 2
        if not rule and not _ADDRESS.match(token) and not _WIDE_SCRIPT.search(token):
            yield Oddity("long-token", LONG_TOKEN, *match.span(), f"A token of {len(token)} characters")
