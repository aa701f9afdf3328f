"""Signal 1: phrases that give the reader orders, or that contradict and correct (paper 000, section III-B).

Patterns run on the normalised text, so spelling tricks do not hide them, and what they find is weighed by how it is
used (:mod:`ragstone.screening.mention`). Words that mark a text as teaching or defending lower only findings below
:data:`WEAK`, since an attacker can write them too; a quotation lowers more, but not when an order outside it follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import nlargest

from ragstone.screening.mention import Use, is_quoted_mention, is_token_talk, use_of
from ragstone.screening.patterns import Pattern, Patterns
from ragstone.text.normalise import Normalised, normalise
from ragstone.types import Finding, Passage, readable

__all__ = ["WEAK", "linguistic_findings"]

WEAK = 0.5
# Below it, a phrase that stands where no order can stand counts as one that is only mentioned.
STRONG = 0.8
BENIGN_SHARE = 0.5
LEAST = 0.12
MOST_PER_PATTERN = 10

_BENIGN = re.compile(
    r"\b(?:for example|for instance|e\.g\.|according to|never follow|do not follow|attackers? (?:may|can|might)"
    r"|glossary|quiz|exercise|multiple.choice|textbook|lesson|studies (?:show|suggest|indicate))\b"
)
_ORDERING = frozenset({"instruction_override", "forced_response", "exfiltration", "concealment"})
_SENTENCE = 160


@dataclass(frozen=True, slots=True)
class _Hit:
    pattern: Pattern
    start: int
    end: int
    use: Use
    quoted: bool
    severity: float


def linguistic_findings(passage: Passage, patterns: Patterns) -> list[Finding]:
    """Findings of rule = pattern id, with spans in the passage's own text, in order of position.

    Overlapping matches of one group are merged into the most severe; of one pattern, at most
    :data:`MOST_PER_PATTERN` findings are kept, and none below :data:`LEAST`. Severities are those of the patterns
    times the share for their use.
    """
    text = normalise(passage.text)
    hits = [
        hit
        for pattern in patterns
        for hit in nlargest(MOST_PER_PATTERN, _hits(passage.text, text, pattern), key=lambda h: (h.severity, -h.start))
    ]
    kept = _merge(_restore_quoted(hits))
    return [_finding(passage, hit) for hit in sorted(kept, key=lambda h: (h.start, h.end, h.pattern.id))]


def _hits(original: str, text: Normalised, pattern: Pattern) -> Iterator[_Hit]:
    searched = original if pattern.raw else text.text
    for match in pattern.regex.finditer(searched):
        start, end = match.span()
        while start < end and searched[start].isspace():
            start += 1
        span = (start, end) if pattern.raw else text.original_span(start, end)
        use = _use(original, text.text, start, span) if pattern.imperative and not pattern.raw else Use.ORDER
        quoted = is_quoted_mention(searched, start, end) or (
            pattern.group == "role_or_template_token" and is_token_talk(searched, start, end)
        )
        if use is Use.UNCLEAR and pattern.severity < STRONG:
            use = Use.MENTION
        severity = pattern.severity * (Use.MENTION.value if quoted else use.value)
        if severity < WEAK and _BENIGN.search(_sentence(searched, start, end)):
            severity *= BENIGN_SHARE
        if severity >= LEAST:
            yield _Hit(pattern, *span, use, quoted, severity)


def _sentence(text: str, start: int, end: int) -> str:
    """The sentence around a match, case folded, as far as 160 characters to each side."""
    before = re.split(r"[.!?\n] ", text[max(0, start - _SENTENCE) : start])[-1]
    after = re.split(r"[.!?\n](?: |$)", text[end : end + _SENTENCE])[0]
    return f"{before}{text[start:end]}{after}".lower()


def _use(original: str, text: str, start: int, span: tuple[int, int]) -> Use:
    """How the imperative is used; line breaks and capitals are looked up in the original."""
    gap = original[max(0, span[0] - 12) : span[0]]
    line_start = not gap.strip() or "\n" in gap[len(gap.rstrip()) :] or "\U000e0000" <= gap[-1:] <= "\U000e007f"
    hidden = "\U000e0000" <= original[span[0] : span[0] + 1] <= "\U000e007f"
    phrase = original[slice(*span)]
    before = original[max(0, span[0] - 60) : span[0]]
    shouted = phrase.isupper() and any(c.islower() for c in before)
    return use_of(text, start, line_start=line_start or hidden, shouted=shouted)


def _restore_quoted(hits: list[_Hit]) -> list[_Hit]:
    """Give quoted phrases their full weight when an order outside quotation marks comes after them."""
    last_order = max(
        (h.start for h in hits if not h.quoted and h.use is Use.ORDER and h.severity >= WEAK and _orders(h)),
        default=-1,
    )
    return [
        replace(hit, severity=hit.pattern.severity * hit.use.value) if hit.quoted and hit.end <= last_order else hit
        for hit in hits
    ]


def _orders(hit: _Hit) -> bool:
    return hit.pattern.group in _ORDERING


def _merge(hits: list[_Hit]) -> list[_Hit]:
    """Of matches of one group that overlap, the most severe; of equals, the longest."""
    kept: dict[str, list[_Hit]] = {}
    for hit in sorted(hits, key=lambda h: (h.start, h.end)):
        of_group = kept.setdefault(hit.pattern.group, [])
        if of_group and hit.start < of_group[-1].end:
            rival = of_group[-1]
            if (hit.severity, hit.end - hit.start) > (rival.severity, rival.end - rival.start):
                of_group[-1] = hit
        else:
            of_group.append(hit)
    return [hit for of_group in kept.values() for hit in of_group]


def _finding(passage: Passage, hit: _Hit) -> Finding:
    evidence = {"text": readable(passage.text[hit.start : hit.end]), "group": hit.pattern.group}
    if hit.quoted or hit.use is not Use.ORDER:
        evidence["use"] = "quoted" if hit.quoted else hit.use.name.lower()
    return Finding(
        passage_id=passage.id,
        signal="linguistic",
        rule=hit.pattern.id,
        severity=hit.severity,
        start=hit.start,
        end=hit.end,
        message=hit.pattern.message,
        evidence=evidence,
    )
