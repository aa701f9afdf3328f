"""English verb forms: which base a form belongs to, and how to inflect it.

The lists in ``data/attacks`` hold the common verbs; a form outside them is unknown and is never inflected.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ragstone.text.lexicon import read_rows, words

__all__ = ["Form", "VerbForm", "is_instruction_verb", "is_participle", "look_up", "past", "third_person"]

_VOWELS = "aeiou"
_DOUBLED = frozenset(
    words(
        "admit ban dub commit drop fit occur permit plan refer regret ship skip slip spot star step stop strip submit "
        "transfer trap wrap control log expel compel prefer top cancel travel label model signal"
    )
)


class Form:
    """The finite forms that need telling apart."""

    BASE = "base"
    THIRD = "third person"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class VerbForm:
    """A finite form: its base and one of :class:`Form`."""

    base: str
    form: str


@dataclass(frozen=True, slots=True)
class _Verbs:
    forms: dict[str, tuple[VerbForm, ...]]
    pasts: dict[str, str]
    participles: frozenset[str]
    instructions: frozenset[str]


@cache
def _verbs() -> _Verbs:
    irregular = {row[0]: (row[1], row[2]) for row in read_rows("attacks/irregular_verbs.tsv")}
    listed = [word for row in read_rows("attacks/regular_verbs.txt") for word in row[0].split()]
    regular = [word.lstrip("*") for word in listed]
    pasts = {base: _regular_past(base) for base in regular} | {base: forms[0] for base, forms in irregular.items()}
    forms: dict[str, list[VerbForm]] = {}
    for base, past_form in pasts.items():
        for written, form in ((base, Form.BASE), (third_person(base), Form.THIRD), (past_form, Form.PAST)):
            forms.setdefault(written, []).append(VerbForm(base, form))
    return _Verbs(
        forms={written: tuple(found) for written, found in forms.items()},
        pasts=pasts,
        participles=frozenset({forms[1] for forms in irregular.values()} | {_regular_past(base) for base in regular}),
        instructions=frozenset(word[1:] for word in listed if word.startswith("*")),
    )


def look_up(word: str) -> tuple[VerbForm, ...]:
    """The finite forms that ``word`` (lower case) can be; empty when it is unknown."""
    return _verbs().forms.get(word, ())


def is_participle(word: str) -> bool:
    """Whether ``word`` can be a past participle; regular-looking unknown words count."""
    return word in _verbs().participles or word in ("been", "had", "done") or (word.endswith("ed") and len(word) > 4)


def is_instruction_verb(word: str) -> bool:
    """Whether ``word`` commonly opens an instruction."""
    return word in _verbs().instructions


def past(base: str) -> str | None:
    """The simple past of a known verb."""
    return _verbs().pasts.get(base)


def third_person(base: str) -> str:
    """ "passes" for "pass", "carries" for "carry"."""
    if base in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[base]
    if base.endswith(("s", "sh", "ch", "x", "z")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    if base in _DOUBLED:
        return base + base[-1] + "ed"
    return base + "ed"
