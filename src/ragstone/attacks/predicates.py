"""The main finite verb of an English statement, as far as word lists and word order tell.

There is no parser: closed lists of auxiliaries and common verbs, the word before and the word after decide. A verb in
a relative or subordinate clause is taken only when the main clause shows none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.attacks.verbs import Form, VerbForm, is_instruction_verb, is_participle, look_up
from ragstone.text.lexicon import words
from ragstone.text.number_words import NUMBER_WORDS

__all__ = ["Kind", "Predicate", "Token", "find_predicate", "tokens_of"]


class Kind:
    """How a predicate takes a negation."""

    AUXILIARY = "auxiliary"  # is, was, can, has (written), …
    LEXICAL = "lexical"  # a full verb: does not …
    HAVE = "have"  # have as a full verb
    INSTRUCTION = "instruction"  # "Use …"


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark with its span in the sentence; ``lower`` is its lower-case form with straight apostrophes."""

    start: int
    end: int
    text: str
    lower: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """The verb ``tokens[index]``; ``verb`` is None for auxiliaries and for past forms of unknown verbs."""

    index: int
    kind: str
    verb: VerbForm | None = None


_TOKEN = re.compile(r"['’]s\b|[^\W_]+(?:[-'’.][^\W_]+)*|\S")
BE = frozenset(words("is are was were am 's 're 'm"))
MODALS = frozenset(words("can could will would shall should may might must 'll 'd"))
HAVE = frozenset(words("has have had 've"))
DO = frozenset(words("do does did"))
_CONTRACTION = re.compile(r"(?<=[a-z])['’](?:s|re|m|ll|ve|d)$", re.IGNORECASE)
_SUBJECTS_OF_CONTRACTION = frozenset(
    words("it he she that there what who here this i you we they where how everyone everything nothing something")
)
_SUBORDINATORS = frozenset(
    words("that which who whom whose where when if because although though while whether until unless how why what")
)
_DETERMINERS = frozenset(words("the a an its his her their our your my some any no every each all both another"))
_PREPOSITIONS = frozenset(
    words(
        "of in on at by for from with to into onto over under about against between among through during without "
        "within across behind beyond near off out up down around upon as than like per via"
    )
)
_NOT_A_SUBJECT = (
    _DETERMINERS
    | _PREPOSITIONS
    | frozenset(words("and or but nor not very so be been being more most 's"))
    | (frozenset(NUMBER_WORDS) - {"one"})
)
_PLURALS = frozenset(
    words(
        "french dutch english irish british chinese japanese swiss spanish rich poor people men women children police "
        "feet teeth mice geese fish sheep media data fungi bacteria"
    )
)
_PLURAL_PRONOUNS = frozenset(words("i you we they these those both many most some few all"))
_SINGULAR_PRONOUNS = frozenset(words("he she it this that one everyone everything everybody nobody someone something"))
_ADVERBS = frozenset(
    words(
        "also still often sometimes usually always never rarely seldom just only even once twice first later then now "
        "soon already ever almost nearly really actually generally typically"
    )
)
# Past forms that after a noun are more often participles: "a film based on", "a town located in".
_PARTICIPIAL = frozenset(words("based located situated titled entitled called named used set born dubbed given known"))
_OBJECTS = frozenset(words("him her it them me us itself himself herself themselves"))
_RELATIVES = frozenset(words("that which who"))
_OPENERS = frozenset('([{"“`')
_CLOSERS = frozenset(")]}\"”'")


def tokens_of(sentence: str) -> list[Token]:
    """Words and marks of a sentence; "it's" is split into "it" and "'s" so that the verb stands alone."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(sentence):
        word, start = match[0], match.start()
        contraction = _CONTRACTION.search(word)
        possible = contraction and (word[: contraction.start()].lower() in _SUBJECTS_OF_CONTRACTION)
        pieces = [word[: contraction.start()], contraction[0]] if contraction and possible else [word]
        for piece in pieces:
            tokens.append(Token(start, start + len(piece), piece, piece.lower().replace("’", "'")))
            start += len(piece)
    return tokens


def find_predicate(tokens: Sequence[Token]) -> Predicate | None:
    """The main finite verb, or one of a subordinate clause, or None when none is recognised."""
    if (instruction := _instruction(tokens)) is not None:
        return instruction
    fallback: Predicate | None = None
    waiting = depth = 0
    for index, token in enumerate(tokens):
        if token.text in _OPENERS and not (token.text in _CLOSERS and depth):
            depth += 1
        elif token.text in _CLOSERS and depth:
            depth -= 1
        elif token.text == "," and waiting:
            waiting -= 1
        elif depth:
            continue
        elif token.lower in _SUBORDINATORS and _opens_clause(tokens, index):
            waiting += 1
        elif (found := _predicate_at(tokens, index)) is not None:
            if not waiting:
                return found
            waiting -= 1
            fallback = fallback or found
    return fallback


def _opens_clause(tokens: Sequence[Token], index: int) -> bool:
    # "That is true": a pronoun; "what's": asked later. A relative "that" follows a noun or a verb.
    if tokens[index].lower in ("that", "what", "who", "which") and index == 0:
        return tokens[index].lower != "that"
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    return not (tokens[index].lower == "that" and following in ("of", ".", ",", ""))


def _instruction(tokens: Sequence[Token]) -> Predicate | None:
    if len(tokens) < 2 or not is_instruction_verb(tokens[0].lower) or not tokens[0].text[0].isupper():
        return None
    following = tokens[1]
    finite = following.lower in BE | MODALS | HAVE | DO or any(f.form != Form.BASE for f in look_up(following.lower))
    return (
        None
        if finite or following.text in ",:"
        else Predicate(0, Kind.INSTRUCTION, VerbForm(tokens[0].lower, Form.BASE))
    )


def _predicate_at(tokens: Sequence[Token], index: int) -> Predicate | None:
    token = tokens[index]
    if index == 0 or token.text[0].isupper():
        return None
    if token.lower == "'s" and tokens[index - 1].lower not in _SUBJECTS_OF_CONTRACTION:
        return None
    if token.lower in BE | MODALS:
        may_noun = token.lower in ("can", "will", "may", "might", "must") and _before(tokens, index) in _DETERMINERS
        return None if may_noun else Predicate(index, Kind.AUXILIARY)
    if token.lower in HAVE:
        following = _after(tokens, index)
        return Predicate(index, Kind.AUXILIARY if is_participle(following) else Kind.HAVE)
    if token.lower in DO:
        return _do(tokens, index)
    return _lexical(tokens, index)


def _do(tokens: Sequence[Token], index: int) -> Predicate | None:
    if any(form.form == Form.BASE for form in look_up(_after(tokens, index))):
        return Predicate(index, Kind.AUXILIARY)
    form = {"do": Form.BASE, "does": Form.THIRD, "did": Form.PAST}[tokens[index].lower]
    return Predicate(index, Kind.LEXICAL, VerbForm("do", form))


def _lexical(tokens: Sequence[Token], index: int) -> Predicate | None:
    token, before, after = tokens[index], _before(tokens, index), _after(tokens, index)
    if not before or before in _NOT_A_SUBJECT or before in BE | HAVE | MODALS | DO:
        return None
    for form in look_up(token.lower):
        if form.form == Form.PAST and form.base != token.lower and _fits_past(tokens, index, after):
            return Predicate(index, Kind.LEXICAL, form)
        if form.form == Form.THIRD and _fits_third(tokens, index, before, after):
            return Predicate(index, Kind.LEXICAL, form)
        if form.form == Form.BASE and _fits_base(tokens, index, before, after):
            return Predicate(index, Kind.LEXICAL, form)
    unknown_past = token.lower.endswith("ed") and len(token.lower) > 5 and not look_up(token.lower)
    if unknown_past and after != "by" and before in _PLURAL_PRONOUNS | _SINGULAR_PRONOUNS | {"who"}:
        return Predicate(index, Kind.LEXICAL)
    return None


def _fits_past(tokens: Sequence[Token], index: int, after: str) -> bool:
    if after == "by" or (tokens[index].lower in _PARTICIPIAL and after not in _OBJECTS):
        return False
    # "Teeth placed under a pillow are …": the finite verb is yet to come, so this is a participle.
    for token in tokens[index + 1 :]:
        if token.text in ",;:-–" or token.lower in _SUBORDINATORS or token.lower in ("and", "but"):
            return True
        if token.lower in BE | MODALS | HAVE and token.lower != "'s":
            return False
    return True


def _fits_third(tokens: Sequence[Token], index: int, before: str, after: str) -> bool:
    if before in _PLURAL_PRONOUNS or _is_finite(after):
        return False
    return before in _SINGULAR_PRONOUNS or not _is_plural(tokens, index, before)


def _fits_base(tokens: Sequence[Token], index: int, before: str, after: str) -> bool:
    return (before in _PLURAL_PRONOUNS | _RELATIVES or _is_plural(tokens, index, before)) and not _is_finite(after)


def _is_finite(word: str) -> bool:
    return word in BE | HAVE | MODALS or any(form.form == Form.PAST for form in look_up(word) if form.base != word)


def _is_plural(tokens: Sequence[Token], index: int, before: str) -> bool:
    if before in _PLURALS or (before.endswith("s") and not before.endswith(("ss", "us", "is", "'s"))):
        return True
    position = _position_before(tokens, index)
    return position >= 2 and tokens[position - 1].lower == "and"


def _position_before(tokens: Sequence[Token], index: int) -> int:
    position = index - 1
    while position >= 0 and (tokens[position].lower in _ADVERBS or tokens[position].lower.endswith("ly")):
        position -= 1
    return position


def _before(tokens: Sequence[Token], index: int) -> str:
    """The word before, adverbs and a closing comma or bracket skipped; empty at the start of the sentence."""
    position = _position_before(tokens, index)
    while position >= 0 and tokens[position].text in (",", ".", ")", "]", '"', "”", "'"):
        position -= 1
    return tokens[position].lower if position >= 0 and tokens[position].text[0].isalnum() else ""


def _after(tokens: Sequence[Token], index: int) -> str:
    position = index + 1
    while position < len(tokens) - 1 and (tokens[position].lower in _ADVERBS or tokens[position].lower.endswith("ly")):
        position += 1
    return tokens[position].lower if position < len(tokens) else ""
