"""Turning an English statement into its opposite, by the smallest grammatical edit."""

from __future__ import annotations

import random
import re

from ragstone.attacks.base import Edit, apply_edits
from ragstone.attacks.negators import remove_negation
from ragstone.attacks.predicates import Kind, Predicate, Token, find_predicate, tokens_of
from ragstone.attacks.verbs import Form

__all__ = ["negate", "negated"]

_PARTICLE = re.compile(r"(?P<word>yes|no)(?=[,.;:])", re.IGNORECASE)
_VERDICT = re.compile(r"(?P<word>true|false)(?=[.,;:!]|$)", re.IGNORECASE)
_OPPOSITE = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
_ALWAYS = re.compile(r"\b(?P<always>always)\b", re.IGNORECASE)
_ALL = re.compile(r"(?P<all>all|every|everyone|everybody|everything)\b", re.IGNORECASE)
_THERE_IS = re.compile(r"\bthere (?:is|was|'s|’s) (?P<article>an?)\b", re.IGNORECASE)


def negate(sentence: str, rng: random.Random, *, never: float = 0.35) -> list[Edit]:
    """The edits that turn ``sentence`` into its opposite; empty when no way was found.

    A negation that is there is taken out; otherwise one is put in, "never" with probability ``never`` where both "not"
    and "never" would do. A leading "Yes," or "No," changes with the rest. Spans are in ``sentence``.
    """
    particle = _particle(sentence)
    rest = particle[0].end if particle else 0
    edits = [_moved(edit, rest) for edit in remove_negation(sentence[rest:])]
    if not edits:
        edits = [_moved(edit, rest) for edit in _insert(sentence[rest:], rng, never)]
    return particle + edits


def negated(sentence: str, rng: random.Random) -> str | None:
    """``sentence`` turned into its opposite, or None when no way was found."""
    edits = negate(sentence, rng)
    result = apply_edits(sentence, edits)
    return None if result == sentence else result


def _particle(sentence: str) -> list[Edit]:
    match = _PARTICLE.match(sentence) or _VERDICT.match(sentence)
    if not match:
        return []
    word = match["word"]
    opposite = _OPPOSITE[word.lower()]
    styled = opposite.upper() if word.isupper() else opposite.capitalize() if word[0].isupper() else opposite
    return [Edit(0, match.end(), word, styled)]


def _moved(edit: Edit, offset: int) -> Edit:
    return Edit(edit.start + offset, edit.end + offset, edit.before, edit.after)


def _insert(sentence: str, rng: random.Random, never: float) -> list[Edit]:
    if match := _ALWAYS.search(sentence):
        word = "Never" if match["always"][0].isupper() else "never"
        return [Edit(match.start(), match.end(), match[0], word)]
    if match := _THERE_IS.search(sentence):
        return [Edit(match.start("article"), match.end(), match["article"], "no")]
    if (match := _ALL.match(sentence.lstrip())) and sentence[:1].strip():
        word = match["all"]
        return [Edit(0, len(word), word, f"{'Not' if word[0].isupper() else 'not'} {word.lower()}")]
    tokens = tokens_of(sentence)
    predicate = find_predicate(tokens)
    use_never = rng.random() < never
    return [] if predicate is None else [_negation(sentence, tokens, predicate, use_never=use_never)]


def _negation(sentence: str, tokens: list[Token], predicate: Predicate, *, use_never: bool) -> Edit:
    token, verb = tokens[predicate.index], predicate.verb
    if predicate.kind == Kind.INSTRUCTION:
        word = token.text[0].lower() + token.text[1:]
        return Edit(token.start, token.end, token.text, f"{'Never' if use_never else 'Do not'} {word}")
    if predicate.kind == Kind.AUXILIARY:
        return _after_auxiliary(tokens, predicate.index, use_never=use_never)
    # "first flew" becomes "did not first fly": the negation goes before the adverb.
    before = tokens[predicate.index - 1]
    start = before.start if before.lower.endswith("ly") or before.lower in ("first", "only", "just") else token.start
    adverb = sentence[start : token.start]
    if predicate.kind == Kind.HAVE:
        support = {"has": "does", "had": "did"}.get(token.lower, "do")
        gap = "" if token.text[0].isalpha() else " "
        return Edit(start, token.end, sentence[start : token.end], f"{gap}{support} not {adverb}have")
    if use_never or verb is None:
        return Edit(start, start, "", "never ")
    support = {Form.PAST: "did", Form.THIRD: "does"}.get(verb.form, "do")
    return Edit(start, token.end, sentence[start : token.end], f"{support} not {adverb}{verb.base}")


def _after_auxiliary(tokens: list[Token], index: int, *, use_never: bool) -> Edit:
    token = tokens[index]
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    use_never = (
        use_never
        and token.lower not in ("is", "are", "am", "'s", "'re", "'m")
        and following not in ("also", "only", "just")
    )
    if token.lower in ("'ll", "'d"):
        full = " will" if token.lower == "'ll" else " would"
        return Edit(token.start, token.end, token.text, f"{full} {'never' if use_never else 'not'}")
    if token.lower == "can" and not use_never:
        return Edit(token.start, token.end, token.text, "cannot" if token.text[0].islower() else "Cannot")
    return Edit(token.end, token.end, "", " never" if use_never else " not")
