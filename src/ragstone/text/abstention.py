"""Answers that decline to answer.

Paper 001, section II-D, counts answers that decline to commit by a small set of phrases such as "not enough
information" and "cannot determine". Found anywhere in an answer, a phrase also counts statements that merely contain
it, so each clause is read here: it declines, tells what the passages say or are about, or commits to something.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import cache

from ragstone.text.abstention_phrases import ELSEWHERE, EXPLAINS, LACKS, REFUSALS
from ragstone.text.clauses import stands_alone
from ragstone.text.framing import is_filler, without_framing
from ragstone.text.markup import plain, without_citations
from ragstone.text.passage_names import MARK, with_marks
from ragstone.text.sentences import is_question, sentences

__all__ = ["declines", "is_abstention"]


class _Sense(Enum):
    """What a clause does: to refuse is to say that there is no answer; to decline, that the passages lack it."""

    EMPTY = auto()
    EXPLAINS = auto()
    REPORTS = auto()
    DECLINES = auto()
    REFUSES = auto()
    COMMITS = auto()


_DECLINING = frozenset({_Sense.DECLINES, _Sense.REFUSES})


@cache
def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(phrases) + ")", re.IGNORECASE)


_REPORT = (
    rf"{MARK} (?:\w+ly |also |only |rather |then ){{0,2}}"
    r"(?:stat|say|mention|not|indicat|suggest|report|claim|show|impl|provid)\w*"
)
_MENTION = rf"{MARK} (?:\w+ly |also |only ){{0,2}}(?:do(?:es)? )?(?:mention|discuss|refer|describ|talk|note)\w*"
_FRAMED = rf"(?:according to|based on|in|from) {MARK}"
_FRAMED_AFTER = rf"\s(?:according to|based on) {MARK}\W*$"
_APOLOGY = (
    r"(?:i(?:'m| am) (?:very |so )?(?:sorry|afraid)(?: to say)?|sorry|(?:my )?apologies|i apologi[sz]e"
    r"|i regret(?: to say)?|unfortunately"
    r"|lo siento|(?:je suis )?désolée?|leider|(?:es )?tut mir leid|desculpe|mi dispiace|抱歉|对不起|很抱歉)"
    r"(?:,? (?:but|that|pero|mais|aber|mas|ma)\b)?[,:，—–-]*\s?"
)
_CONCESSION = r"(?:while|although|though|even though)\s(?P<conceded>[^,]{1,240}),\s"
_REASON = (
    r"(?:since|because|as|given|without|if|despite|based on|for|from|regarding|beyond|whether|due to)\b[^,]{1,240},\s"
)
# "and" and "or" also join words: what follows them is only read when it is a clause of its own.
_JOINT = (
    r"\s*;\s*|\s[–—-]\s|:\s(?=[\"“A-Z])|，\s?(?:但是?|不过|然而|而|所以|因此)?|,?\s(?P<and>and|or|nor)\s"
    r"|[,:]?\s(?:but|yet|however|so|though|although|nevertheless|nonetheless|pero|mais|aber|mas|ma)\b,?\s"
    r"|,\s(?=(?:it|they|as|since|because|therefore|which|i)\s)"
)
_WHY = r"(?:as|since|because|which|given that)\b"
_ELIDED_SUBJECT = r"(?:(?:also|only|rather) )?(?:(?:do|does|did)(?:n't| not) |(?:mention|state|say|note|indicate)s\b)"
_ANAPHOR = r"(?:it|they|this|these|that|which) (?=\S)"
_CLOSING = r"(?:therefore|so|thus|hence|consequently|as a result|in conclusion|overall|in summary|based on this)\b"
_QUESTION = r"\banswer (?:to )?(?:this|the|that|your) (?:\w+ )?question\b"
# Phrases stand near the start of a clause; a window keeps the search linear.
_REACH = 400
_MOST_SENTENCES = 40
_LONGEST = 2000


def is_abstention(answer: str) -> bool:
    """Whether ``answer`` declines to answer, in English or by common phrases of six other languages.

    An answer that also states facts is none, unless they only tell what the passages are about, or it closes by
    saying that it cannot answer. A blank answer is none: it says nothing. Nor is one of more than 40 sentences.
    """
    spans = sentences(answer)
    if not spans or len(spans) > _MOST_SENTENCES:
        return False
    read: list[tuple[str, list[_Sense]]] = []
    for span in spans:
        of_passages = bool(read) and _Sense.COMMITS not in read[-1][1]
        if reading := _read(span.text, of_passages=of_passages):
            read.append((span.text, reading))
    everything = [sense for _, reading in read for sense in reading]
    if not _DECLINING.intersection(everything):
        return False
    for text, reading in reversed(read):
        if _Sense.COMMITS in reading:
            break
        if _Sense.REFUSES in reading and (_any_of(_CLOSING).match(text) or _any_of(_QUESTION).search(text)):
            return True
    if _Sense.COMMITS in everything:
        return False
    return _Sense.REPORTS not in everything or _Sense.REFUSES in (everything[0], everything[-1])


def declines(sentence: str) -> bool:
    """Whether one sentence declines to answer and states nothing besides."""
    reading = _read(sentence, of_passages=False)
    return bool(_DECLINING.intersection(reading)) and _Sense.COMMITS not in reading


def _read(sentence: str, *, of_passages: bool) -> list[_Sense]:
    """The senses of a sentence's clauses; none for a question, a greeting or a citation mark alone.

    ``of_passages``: "it" and "they" at its start mean the passages.
    """
    if len(sentence) > _LONGEST:
        return [_Sense.COMMITS]
    cleaned = without_citations(plain(sentence, 0, len(sentence))).text.strip("() ")
    if is_filler(cleaned) or is_question(cleaned):
        return []
    if cleaned[:1] in {'"', "“"} and cleaned.rstrip(" .!")[-1:] not in {'"', "”"}:
        return [_Sense.COMMITS]
    cleaned = cleaned.strip('"“” ')
    if opening := _any_of(_APOLOGY).match(cleaned):
        cleaned = cleaned[opening.end() :]
    marked = with_marks(cleaned).text
    reported = bool(_any_of(_REPORT, _FRAMED).match(marked) or _any_of(_FRAMED_AFTER).search(marked))
    if not _any_of(_REPORT).match(marked):
        marked = with_marks(_bare(cleaned)).text
    found: list[_Sense] = []
    mentions = False
    for added, clause in _clauses(marked):
        spoken_of = _Sense.COMMITS not in found if found else of_passages
        text = _with_subject(clause, of_passages=spoken_of)
        sense = _sense(text, reported=reported)
        if found and found[-1] in _DECLINING and _any_of(_WHY).match(text):
            sense = _Sense.EXPLAINS
        elif found and added and sense is _Sense.COMMITS:
            # "The passages say that it is old and the roof was lost": one report.
            sense = found[-1] if found[-1] in (_Sense.EXPLAINS, _Sense.REPORTS) else sense
        if sense is _Sense.EMPTY:
            continue
        if sense in _DECLINING and mentions and found == [_Sense.REPORTS]:
            # "The passages mention that the tower is high, but do not name its designer."
            found = [_Sense.EXPLAINS]
        mentions = not found and _any_of(_MENTION).match(text) is not None
        found.append(sense)
    return found


def _bare(text: str) -> str:
    return without_framing(plain(text, 0, len(text))).text


def _with_subject(clause: str, *, of_passages: bool) -> str:
    """The clause with "it", or a subject left out, spelt as the passages when these are spoken of."""
    text = clause.strip(" .!?,:;()[]。，！")[:_REACH]
    if not of_passages:
        return text
    if anaphor := _any_of(_ANAPHOR).match(text):
        spelt = f"{MARK} {text[anaphor.end() :]}"
        return spelt if _any_of(*LACKS, _REPORT, *EXPLAINS).match(spelt) else text
    return f"{MARK} {text}" if _any_of(_ELIDED_SUBJECT).match(text) else text


def _clauses(sentence: str) -> list[tuple[bool, str]]:
    """The clauses, each with whether "and" or "or" joins it to the one before."""
    if concession := _any_of(_CONCESSION).match(sentence):
        return [(False, concession["conceded"]), *_clauses(sentence[concession.end() :])]
    found: list[tuple[bool, str]] = []
    start, added = 0, False
    for match in _any_of(_JOINT).finditer(sentence):
        following = sentence[match.end() : match.end() + _REACH]
        if match["and"] and not (_any_of(*REFUSALS, *LACKS).match(following) or stands_alone(following)):
            continue
        found.append((added, sentence[start : match.start()]))
        start, added = match.end(), bool(match["and"])
    return [*found, (added, sentence[start:])]


def _sense(text: str, *, reported: bool) -> _Sense:
    if not any(map(str.isalnum, text)):
        return _Sense.EMPTY
    for reading in (text, _bare(text)):
        if _any_of(*REFUSALS).match(reading):
            return _Sense.REFUSES
        if _any_of(*LACKS).match(reading):
            return _Sense.DECLINES
    if _any_of(*ELSEWHERE).search(text):
        return _Sense.REFUSES
    if reason := _any_of(_REASON).match(text):
        return _sense(text[reason.end() :], reported=reported)
    if _any_of(*EXPLAINS).match(text):
        return _Sense.EXPLAINS
    return _Sense.REPORTS if reported or _any_of(_REPORT, _FRAMED).match(text) else _Sense.COMMITS
