"""Text without its Markdown, HTML tags and citation marks, each character remembering where it stood."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Plain", "plain", "without_citations"]


@dataclass(frozen=True, slots=True)
class Plain:
    """A text made by leaving characters out of another; ``origin[i]`` is where ``text[i]`` stood there."""

    text: str
    origin: list[int]

    def part(self, start: int, end: int) -> Plain:
        """``text[start:end]`` without white space at its ends."""
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip())
        piece = piece.strip()
        return Plain(piece, self.origin[start : start + len(piece)])

    def without(self, pattern: re.Pattern[str], when: Callable[[re.Match[str]], bool] | None = None) -> Plain:
        """Leave the matches of ``pattern`` out, but for its group ``keep`` when it has one."""
        ranges: list[tuple[int, int]] = []
        position = 0
        for match in pattern.finditer(self.text):
            if when is not None and not when(match):
                continue
            ranges.append((position, match.start()))
            if "keep" in pattern.groupindex and match["keep"] is not None:
                ranges.append(match.span("keep"))
            position = match.end()
        if not ranges:
            return self
        ranges.append((position, len(self.text)))
        return Plain(
            "".join(self.text[a:b] for a, b in ranges), [index for a, b in ranges for index in self.origin[a:b]]
        )

    def span(self) -> tuple[int, int]:
        """Where it starts and ends in the text it was made from. It must not be empty."""
        return self.origin[0], self.origin[-1] + 1


# Soft hyphens, zero-width and direction marks, variation selectors, tags, control characters.
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1b\x7f\xad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_SPACE = re.compile(r"\s")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])[’ʼ′´‘`＇](?=[^\W\d_])")
_SPACES = re.compile(r"(?<= ) +")
_LINK = re.compile(
    r"!\[[^\[\]]*\]\([^()\s]*(?:\s\"[^\"()]*\")?\)|\[(?P<keep>[^\[\]]*)\]\([^()\s]*(?:\s\"[^\"()]*\")?\)"
)
_SUPERSCRIPT_TAG = re.compile(r"(?:(?<=[^\W\d_]{3})|(?<=[.,;:!?])|^)<sup>\s*\[?[\d, ]{1,9}\]?\s*</sup>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|br|code|div|em|i|li|mark|p|pre|q|s|small|span|strong|u|ul)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
# "1**5**0" is emphasis inside a number, "2**3" and "2*3" are arithmetic.
_EMPHASIS_IN_NUMBER = re.compile(r"(?<=\d)(?:\*\*|__)(?P<keep>[\d.,]+)(?:\*\*|__)")
_EMPHASIS = re.compile(
    r"(?<!\d)\*{2,}|\*{2,}(?!\d)|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|(?<![\w\s*])\*(?=\S)|(?<!\S)\*(?=\S)"
    r"|(?<=\S)\*(?![\w*])|~~|`+"
)
_LINE_MARK = re.compile(r"^(?:#{1,6}\s|>+\s?|[-*+•‣▪●]\s|(?:\(?\d{1,2}|\(?[a-zivx]{1,3}(?=\)))[.)]\s(?=\S))+")


def plain(source: str, start: int, end: int) -> Plain:
    """``source[start:end]`` without markup, invisible characters and doubled spaces; its apostrophes are straight."""
    text = Plain(_APOSTROPHE.sub("'", _SPACE.sub(" ", source[start:end])), list(range(start, end)))
    for pattern in (_INVISIBLE, _SPACES, _LINE_MARK, _LINK, _SUPERSCRIPT_TAG, _TAG, _EMPHASIS_IN_NUMBER, _EMPHASIS):
        text = text.without(pattern)
    return text.part(0, len(text.text))


_NUMBERS = r"\d{1,3}(?:\s?[,;&–-]\s?\^?\d{1,3}|\sand\s\d{1,3})*"
_BRACKETED_NUMBER = re.compile(rf"\s*\[\^?{_NUMBERS}\]|\s*【\d[^【】]{{0,30}}】")
_INTERVAL = re.compile(r"\b(?:in|range|interval|between|within|from|to|over|∈)\s*$|[∈=]\s*$", re.IGNORECASE)
_CITED = (
    r"(?:sources?|src|refs?|references?|passages?|documents?|docs?|contexts?|chunks?|excerpts?|snippets?|pages?"
    r"|citations?)"
)
_REFERENCE = re.compile(
    rf"\s*[(\[](?:see |from |cf\.? )?(?:{_CITED}[\s.#]*{_NUMBERS}|{_CITED}\s?:\s?[^()\[\]]{{1,80}}|p(?:[1-9]|1\d|20)"
    rf"(?:\s?[,;]\s?p\d{{1,2}})*|pp?\.\s?\d{{1,4}}(?:\s?[–-]\s?\d{{1,4}})?|(?:{_CITED}|citation needed))[)\]]",
    re.IGNORECASE,
)
_SUPERSCRIPT = re.compile(r"(?:(?<=[^\W\d_]{4})|(?<=[.,;:!?\"”]))[¹²³⁰⁴-⁹]+")
_LEFT_EMPTY = re.compile(rf"\s+[(\[]\s*(?:see|{_CITED})?\s*[)\]]|\s+(?=[.,;]+(?:\s|$))", re.IGNORECASE)


def without_citations(text: Plain) -> Plain:
    """Leave out marks that say where a statement comes from: [1], (source: x), (p2), 【1】, superscript numbers.

    An interval ("in [1, 5]") and a power ("10⁵", "m²") stay.
    """

    def cites(match: re.Match[str]) -> bool:
        return not ("," in match[0] and _INTERVAL.search(match.string[max(0, match.start() - 12) : match.start()]))

    text = text.without(_BRACKETED_NUMBER, cites).without(_REFERENCE).without(_SUPERSCRIPT).without(_LEFT_EMPTY)
    return text.part(0, len(text.text))
