"""Clauses of an English sentence, as far as word lists tell; doubtful cases are left whole.

There is no part-of-speech tagger here: a token counts as a finite verb when it is in a closed list, looks like a
regular past tense, or ends in -s before a determiner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.text.lexicon import words as listed

__all__ = ["Clause", "has_verb", "split_clauses", "stands_alone"]


@dataclass(frozen=True, slots=True)
class Clause:
    """``text[start:end]``; ``subject`` is to be read before it where the sentence names it only once."""

    start: int
    end: int
    subject: str = ""


_AUXILIARIES = frozenset(
    listed(
        "is are was were am be been being has have had do does did can could will would shall should may might must "
        "cannot isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't "
        "shouldn't it's he's she's they're we're you're i'm that's there's i've they've we've you've"
    )
)
_PAST = frozenset(
    listed(
        "ate became began bent bit blew bought bound broke brought built burnt came caught chose cost cut dealt died "
        "drank drew drove fed fell fled flew fought found froze gave got grew held heard hit kept knew laid lay led "
        "left lent lost made meant met overcame paid put ran rang read rose said sang sank sat saw sent set shook "
        "shot showed sold spent split spoke spread stole stood struck swam swept swore taught thought threw told took "
        "understood went withdrew woke won wore wove wrote"
    )
)
_PRESENT = frozenset(
    listed(
        "allows appears applies attracts becomes begins belongs borders causes claims closes comes connects considers "
        "consists contains continues costs covers crosses depends describes determines differs employs ends equals "
        "exists feeds flows follows gives goes grows happens helps hosts includes increases indicates involves keeps "
        "knows leads lies lives looks makes means measures needs occurs offers opens operates owns passes plays "
        "prevents produces protects provides reaches receives refers remains represents requires rises runs says "
        "seems sells serves shows sits sleeps spans stands starts boils carries eats enters falls fits freezes "
        "governs holds leaves loses manages melts moves orbits pays reads returns rules seeks sends stays stores "
        "supports takes tells turns uses weighs works writes"
    )
)
_NOT_PAST = frozenset(
    listed(
        "bed bleed breed embed exceed feed freed greed hundred indeed kindred naked need proceed red reed sacred seed "
        "shed speed succeed unused unlimited wicked weed united limited related so-called"
    )
)
_DETERMINERS = frozenset(
    listed("the a an its his her their our your my this that these those each every all both no some any")
)
_PLURAL_COMPANIONS = _DETERMINERS - {"this", "that", "all", "each", "any", "some"} | frozenset(
    listed("two three four five six seven eight nine ten several many few various other new different following of")
)
_PRONOUNS = frozenset(listed("he she it they we i you this that these those there"))
_SUBORDINATORS = frozenset(
    listed(
        "if when while although though because since after before unless whereas as until once whether that what who "
        "whom whose which where how why despite without given"
    )
)
_FRONTED = frozenset(listed("by with for in on at to from during under over of"))
_SAYING = frozenset(
    listed(
        "said say says think thinks thought know knows knew believe believes believed find found report reported "
        "claim claims claimed show shows showed state stated states between both either neither"
    )
)
_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_BASE_FORM = re.compile(
    r"\b(?:they|we|you|i|people|who) (?:\w+ly )?(?!of\b|in\b|and\b|or\b|from\b|with\b)[a-z]{2,}\b", re.IGNORECASE
)
_SEPARATOR = re.compile(r"\s*;\s*(?:and |but |however, )?|,\s+(?:and|but|while|whereas|yet) |\s(?:and|but) ")
_PREDICATES = re.compile(r",\s+(?P<last>and |but )?")
_LONGEST = 2000
_LONGEST_SUBJECT = 8


def _tokens(text: str) -> list[str]:
    return _WORD.findall(text.replace("’", "'"))


def _takes_object(words: Sequence[str], at: int) -> bool:
    following = words[at + 1] if at + 1 < len(words) else ""
    return following.lower() in _DETERMINERS | {"it", "him", "them", "about"} or following[:1].isdigit()


def _counts(word: str) -> bool:
    """Whether an -s form after ``word`` is a plural noun: "the rules", "two covers"."""
    return word in _PLURAL_COMPANIONS or word.isdigit()


def _is_verb(words: Sequence[str], at: int) -> bool:
    word = words[at]
    lower = word.lower()
    before = words[at - 1].lower() if at else ""
    if lower in _AUXILIARIES or (lower in _PRESENT and at and not _counts(before)):
        return True
    if at and (
        lower in _PAST or (word.islower() and len(word) > 3 and lower.endswith("ed") and lower not in _NOT_PAST)
    ):
        # "the mill built by Ann" is a noun phrase, "the mill was built by Ann" has its verb earlier.
        return words[at + 1 : at + 2] != ["by"]
    return (
        at > 0 and word.islower() and re.fullmatch(r"[a-z]{2,}[^s\W]s", word) is not None and _takes_object(words, at)
    )


def has_verb(text: str) -> bool:
    """Whether an English ``text`` has a finite verb."""
    words = _tokens(text[:_LONGEST])
    return any(_is_verb(words, at) for at in range(len(words))) or bool(_BASE_FORM.search(text[:_LONGEST]))


def _verb_of(words: Sequence[str]) -> int | None:
    """Where the verb stands in words that start with its subject; None when they do not."""
    if not words or words[0].lower() in _FRONTED | (_SUBORDINATORS - {"that"}):
        return None
    first = words[0]
    if first.lower() not in _PRONOUNS | _DETERMINERS and not first[0].isupper() and not first[0].isdigit():
        return None
    for at in range(1, min(len(words), _LONGEST_SUBJECT)):
        if words[at].lower() in _SUBORDINATORS:
            return None
        if _is_verb(words, at):
            return at
    return None


def stands_alone(text: str) -> bool:
    """Whether ``text`` starts with a subject and goes on to its verb, both recognised."""
    return _verb_of(_tokens(text[:_LONGEST])) is not None


def split_clauses(text: str) -> list[Clause]:
    """The statements that one sentence joins by semicolons, "and", "but" or a shared subject; else it as a whole."""
    if len(text) > _LONGEST:
        return [Clause(0, len(text))]
    found: list[Clause] = []
    start = 0
    for match in _SEPARATOR.finditer(text):
        if _joins_statements(text[start : match.start()], match[0], text[match.end() :]):
            found.append(Clause(start, match.start()))
            start = match.end()
    found.append(Clause(start, len(text)))
    return [part for clause in found for part in _by_predicate(text, clause)]


def _joins_statements(left: str, separator: str, right: str) -> bool:
    before, after = _tokens(left), _tokens(right)
    verb = _verb_of(after)
    if verb is None or _verb_of(before) is None:
        return False
    if separator.strip()[0] in ";,":
        return True
    # Without a comma, what follows may be one more object ("the mill and the dam built in 1990"), or share a
    # governing word ("she said that the mill and the dam were old").
    if any(word.lower() in _SUBORDINATORS | _SAYING for word in before):
        return False
    lower = after[verb].lower()
    return lower in _AUXILIARIES or lower in _PRESENT or _takes_object(after, verb)


def _by_predicate(text: str, clause: Clause) -> list[Clause]:
    """Three of "The mill opened in 1874, has five floors, and grinds rye", which names its subject once."""
    body = text[clause.start : clause.end]
    joints = list(_PREDICATES.finditer(body))
    if not joints or not (joints[-1]["last"] or len(joints) > 1):
        return [clause]
    borders = [0, *(edge for joint in joints for edge in joint.span()), len(body)]
    spans = list(zip(borders[::2], borders[1::2], strict=True))
    first = _tokens(body[: spans[0][1]])
    verb = _verb_of(first)
    openings = [_tokens(body[a:b])[:2] for a, b in spans[1:]]
    if verb is None or any(len(words) < 2 for words in openings):
        return [clause]
    certain = [words[0].lower() in _AUXILIARIES or words[0] in _PRESENT for words in openings]
    possible = [re.fullmatch(r"[a-z]{2,}[^s\W]s", words[0]) is not None for words in openings]
    possible[-1] = possible[-1] or (joints[-1]["last"] is not None and _is_verb(["it", *openings[-1]], 1))
    if not any(certain) or not all(a or b for a, b in zip(certain, possible, strict=True)):
        return [clause]
    subject = re.match(rf"(?:\W*{_WORD.pattern}){{{verb}}}", body)
    name = subject[0].strip() if subject else ""
    parts = [Clause(clause.start + a, clause.start + b, name) for a, b in spans]
    return [Clause(parts[0].start, parts[0].end), *parts[1:]]
