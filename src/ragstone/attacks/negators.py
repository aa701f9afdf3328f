"""Taking the negation out of an English sentence: "does not vary" becomes "varies", "no X is" becomes "a X is"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragstone.attacks.base import Edit
from ragstone.attacks.verbs import Form, look_up, past, third_person
from ragstone.text.lexicon import words

__all__ = ["remove_negation"]

_DO = re.compile(
    r"(?P<do>\b(?:do|does|did))(?: ?n['’]t| not)\b(?P<adverb>(?: (?:\w+ly|even|also|always|ever|usually|necessarily))?)"
    r" (?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_CONTRACTED = re.compile(
    r"\b(?P<aux>is|are|was|were|has|have|had|could|would|should|must|might|need|do|does|did|ca|wo|can) ?n['’]t\b",
    re.IGNORECASE,
)
_CANNOT = re.compile(r"\b(?P<can>can) ?not\b", re.IGNORECASE)
_NOT = re.compile(
    r"(?<![\w'’])(?P<before>[\w'’]++) (?P<not>not)\b(?! (?:only|just|merely|until|least)\b)(?P<rest> yet\b)?",
    re.IGNORECASE,
)
_NEVER = re.compile(r"\b(?P<never>never)\b ?", re.IGNORECASE)
_WORDS_FOR = {
    "no one": "someone",
    "nobody": "somebody",
    "nothing": "something",
    "nowhere": "somewhere",
    "none of": "all of",
    "neither": "both",
    "nor": "and",
    "no longer": "still",
    "no more than": "more than",
    "no less than": "less than",
}
_PRO_FORM = re.compile(rf"\b(?:{'|'.join(_WORDS_FOR)})\b(?!-)", re.IGNORECASE)
_NO_NOUN = re.compile(r"\b(?P<no>[Nn]o) (?!one\b(?!-))(?P<phrase>[a-z][\w-]*(?: [a-z][\w-]*){0,3})")
_POLARITY = {
    "any": "some",
    "anything": "something",
    "anyone": "someone",
    "anybody": "somebody",
    "anywhere": "somewhere",
}
_POLARITY_ITEM = re.compile(
    r"\b(?P<item>any(?:thing|one|body|where)?)\b(?! other)|(?P<drop> (?:ever|at all))\b", re.IGNORECASE
)
_UNCOUNTED = frozenset(
    words(
        "evidence information proof truth knowledge money water food time sense research scientific consensus work "
        "known such"
    )
)
_BORDERS = frozenset(
    words("of in on at for to that which who is are was were has have can could will would with from by")
)


def remove_negation(sentence: str) -> list[Edit]:
    """The edits that take every negation out of ``sentence``, spans in the sentence; empty when it holds none."""
    edits: list[Edit] = []
    for reader in (_do_support, _contractions, _cannot, _pro_forms, _bare_not, _never, _no_noun):
        edits += [edit for edit in reader(sentence) if not any(_meets(edit, other) for other in edits)]
    if edits:
        first = min(edit.start for edit in edits)
        edits += [edit for edit in _polarity(sentence, first) if not any(_meets(edit, other) for other in edits)]
    return sorted(edits, key=lambda edit: edit.start)


def _meets(edit: Edit, other: Edit) -> bool:
    return edit.start < other.end and other.start < edit.end


def _edit(match: re.Match[str], after: str, first: int | str = 0, last: int | str = 0) -> Edit:
    start, end = match.start(first), match.end(last)
    return Edit(start, end, match.string[start:end], _with_case(match.string[start], after))


def _with_case(model: str, text: str) -> str:
    return text[:1].upper() + text[1:] if model.isupper() else text


def _do_support(sentence: str) -> Iterator[Edit]:
    for match in _DO.finditer(sentence):
        verb, auxiliary = match["verb"], match["do"].lower()
        known = any(form.form == Form.BASE for form in look_up(verb)) or verb in ("have", "do")
        inflected: str | None = verb
        if auxiliary == "does":
            inflected = third_person(verb)
        elif auxiliary == "did":
            inflected = {"have": "had", "do": "did"}.get(verb) or past(verb)
        adverb = "" if match["adverb"] in (" ever", " even") else match["adverb"][1:] + " " if match["adverb"] else ""
        if known and inflected:
            yield _edit(match, adverb + inflected)
        else:
            # The emphatic "did fly" needs no inflection.
            yield _edit(match, f"{match['do'].lower()}{match['adverb']} {verb}")


def _contractions(sentence: str) -> Iterator[Edit]:
    for match in _CONTRACTED.finditer(sentence):
        auxiliary = match["aux"].lower()
        yield _edit(match, {"ca": "can", "wo": "will"}.get(auxiliary, auxiliary))


def _cannot(sentence: str) -> Iterator[Edit]:
    for match in _CANNOT.finditer(sentence):
        yield _edit(match, "can")


def _pro_forms(sentence: str) -> Iterator[Edit]:
    for match in _PRO_FORM.finditer(sentence):
        if match[0].lower() == "nothing" and sentence[match.end() :].startswith(" but"):
            continue
        yield _edit(match, _WORDS_FOR[match[0].lower()])


def _bare_not(sentence: str) -> Iterator[Edit]:
    for match in _NOT.finditer(sentence):
        before = match["before"].lower()
        if before in ("whether", "or", "why", "if"):
            continue
        if before == "but":
            yield _edit(match, "and also", "before", "not")
            continue
        start = match.start("not") - 1
        end = match.end()
        yield Edit(start, end, sentence[start:end], " already" if match["rest"] else "")


def _never(sentence: str) -> Iterator[Edit]:
    for match in _NEVER.finditer(sentence):
        if match.start() == 0 or match.end() >= len(sentence) or not sentence[match.end()].isalnum():
            yield _edit(match, "always" + match[0][5:])
        else:
            yield _edit(match, "")


def _no_noun(sentence: str) -> Iterator[Edit]:
    for match in _NO_NOUN.finditer(sentence):
        if match.start() == 0 and sentence[match.end("no")] != " ":
            continue
        phrase = _noun_phrase(match["phrase"])
        if not phrase:
            continue
        after = _article(phrase)
        end = match.end("no") + (0 if after else 1)
        head = sentence[match.start() : end]
        start_word = sentence[match.end("no") + 1]
        if after:
            yield Edit(match.start(), end, head, _with_case(sentence[match.start()], after))
        else:
            # "No wizards live" keeps its capital: it moves on to the noun.
            end = match.end("no") + 2
            yield Edit(
                match.start(), end, sentence[match.start() : end], _with_case(sentence[match.start()], start_word)
            )


def _noun_phrase(phrase: str) -> list[str]:
    found: list[str] = []
    for word in phrase.lower().split():
        if word in _BORDERS:
            break
        found.append(word)
    return found


def _article(phrase: list[str]) -> str:
    """The article that replaces "no" before ``phrase``; empty before a plural or a mass noun."""
    plural = any(word.endswith("s") and not word.endswith(("ss", "us", "is", "ous")) for word in phrase)
    if phrase[0] == "single":
        return "a"
    if plural or phrase[0] in ("people", "men", "women", "children") or any(w in _UNCOUNTED for w in phrase):
        return ""
    return "an" if phrase[0][0] in "aeiou" else "a"


def _polarity(sentence: str, after: int) -> Iterator[Edit]:
    for match in _POLARITY_ITEM.finditer(sentence, after):
        if match["drop"]:
            yield _edit(match, "")
        else:
            yield _edit(match, _POLARITY[match["item"].lower()])
