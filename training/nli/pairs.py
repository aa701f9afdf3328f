"""Premise/hypothesis pairs made from clean sentences, to teach what RAG poisoning does to a fact.

Each rule takes one sentence and returns a changed copy with the label the change implies: a restatement entails, a
changed entity, number, date, negation or comparator contradicts, another subject or an unrelated sentence is neutral.
The word lists are in ``lexicon.toml``. Labels are right by construction in most cases, not all: they are training
noise of a few percent, accepted because no test set is made this way.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

Edit = Callable[[str, random.Random], str | None]

LEXICON = tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text("utf-8"))
FRAMES = (
    "Based on the provided context, {}",
    "According to the documents, {}",
    "The context states that {}",
    "The passages say that {}",
    "According to the context provided, {}",
    "{} [1]",
    "Answer: {}",
    "Yes. {}",
)
UNRELATED = 0.14  # share of pairs of two different sentences, most of them sharing a name
CAPTIONS = 0.3  # share of edits made to picture captions, the rest to any sentence
MONTHS = "|".join(LEXICON["exclusive"]["month"])
NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]+)(?: (?:[A-Z][a-z]+))*")
NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-])")
CAMEL_TAG = re.compile(r"-[LR][SR]B-")
WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}


def _word(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){re.escape(text)}(?![\w'-])")


def _table(groups: dict[str, list[str]]) -> dict[str, list[str]]:
    """word -> words that exclude it."""
    table: dict[str, list[str]] = {}
    for members in groups.values():
        for word in members:
            table.setdefault(word, []).extend(w for w in members if w != word)
    return table


EXCLUSIVE = _table(LEXICON["exclusive"])
OPPOSITE: dict[str, list[str]] = {}
for _a, _b in LEXICON["antonyms"]["pairs"]:
    OPPOSITE.setdefault(_a, []).append(_b)
    OPPOSITE.setdefault(_b, []).append(_a)
SAME: dict[str, list[str]] = {}
for _a, _b in LEXICON["synonyms"]["pairs"]:
    SAME.setdefault(_a, []).append(_b)
    SAME.setdefault(_b, []).append(_a)
BROADER = {word: [kind] for kind, words in LEXICON["broader"].items() for word in words}


def _finder(table: dict[str, list[str]]) -> re.Pattern[str]:
    words = sorted(table, key=len, reverse=True)
    return re.compile(r"(?<![\w'-])(?:" + "|".join(map(re.escape, words)) + r")(?![\w'-])")


FIND = {id(t): _finder(t) for t in (EXCLUSIVE, OPPOSITE, SAME, BROADER)}


def replace_from(table: dict[str, list[str]]) -> Edit:
    def edit(text: str, rng: random.Random) -> str | None:
        found = list(FIND[id(table)].finditer(text))
        if not found:
            return None
        match = rng.choice(found)
        return text[: match.start()] + rng.choice(table[match.group()]) + text[match.end() :]

    return edit


def swap_number(text: str, rng: random.Random) -> str | None:
    """Change one number, keeping its format (thousands separator, decimals, year-likeness)."""
    found = list(NUMBER.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    raw = match.group().rstrip(",")
    plain = raw.replace(",", "")
    try:
        value = float(plain)
    except ValueError:
        return None
    if "." in plain:
        new = f"{value * rng.choice([0.4, 0.6, 1.7, 2.5, 10]):.{len(plain.split('.')[1])}f}"
    elif re.fullmatch(r"1[5-9]\d\d|20[0-3]\d", raw):
        new = str(int(value) + rng.choice([-40, -23, -12, -7, -3, -1, 1, 2, 5, 11, 19, 30]))
    else:
        factor = rng.choice([0.1, 0.3, 0.5, 2, 3, 10]) if value > 9 else rng.choice([2, 3, 4])
        new_value = max(1, round(value * factor)) + rng.choice([0, 1, 2])
        new = f"{new_value:,}" if "," in raw else str(new_value)
    if new == raw:
        return None
    return text[: match.start()] + new + text[match.start() + len(raw) :]


def swap_name(pool: list[str], after: str) -> Edit:
    """Replace a name that follows a preposition (``after``) by another of the same number of words."""
    find = re.compile(rf" (?:{after}) ([A-Z][a-z]+(?: [A-Z][a-z]+)*)")

    def edit(text: str, rng: random.Random) -> str | None:
        found = list(find.finditer(text))
        if not found:
            return None
        match = rng.choice(found)
        same = [n for n in rng.sample(pool, 40) if n.count(" ") == match.group(1).count(" ") and n not in text]
        return text[: match.start(1)] + same[0] + text[match.end(1) :] if same else None

    return edit


def other_subject(pool: list[str]) -> Edit:
    """The same statement about somebody else: neutral, however alike the words are."""
    find = re.compile(r"^(?!If )(?:The )?[A-Z][a-z]+(?: [A-Z][a-z]+)+(?= (?:is|was|has|are|were|had) )")

    def edit(text: str, rng: random.Random) -> str | None:
        match = find.match(text)
        if not match:
            return None
        other = rng.choice(pool)
        if other in text or match.group().split()[-1] in other:
            return None
        return other + text[match.end() :]

    return edit


def negate(text: str, rng: random.Random) -> str | None:
    """Insert or remove one negation at the first finite auxiliary."""
    if match := re.search(r"\b(is|was|are|were|has|have|had|can|could|will|would|should|must|may) not ", text):
        return text[: match.start()] + match.group(1) + " " + text[match.end() :]
    match = re.search(
        r"(?<=\w )(is|was|are|were|has been|have been|can|could|will|would|should|must|does|did)(?= [a-z])",
        text,
    )
    if not match or " not " in text or "n't" in text or "never" in text:
        return None
    return text[: match.end()] + rng.choice([" not", " not", " never", " no longer"]) + text[match.end() :]


def restate(text: str, rng: random.Random) -> str | None:
    """Say the same (or a part of the same) in another form."""
    ways = []
    if re.search(r"\s*\([^()]*\)", text):
        ways.append(re.sub(r"\s*\([^()]*\)", "", text))
    if match := re.match(r"((?:In|On|During|After|Since) [^,]{3,40}), ([A-Za-z].{20,})$", text):
        rest = match.group(2).rstrip(".")
        ways.append(rest[0].upper() + rest[1:] + ".")
        ways.append(f"{rest[0].upper() + rest[1:]} {match.group(1)[0].lower() + match.group(1)[1:]}.")
    if match := re.search(rf"\b({MONTHS}) (\d{{1,2}}), (\d{{4}})\b", text):
        ways.append(text.replace(match.group(), f"{match.group(2)} {match.group(1)} {match.group(3)}"))
    if match := re.search(r"\b\d{1,3}(?:,\d{3})+\b", text):
        ways.append(text.replace(match.group(), match.group().replace(",", "")))
    if match := re.search(r"^(.{25,}?), (?:which|who|where|while|although|but|and) .{10,}$", text):
        ways.append(match.group(1) + ".")
    for word, value in WORDS.items():
        if _word(word).search(text):
            ways.append(_word(word).sub(str(value), text, count=1))
    return rng.choice(ways) if ways else None


def identity(text: str, rng: random.Random) -> str | None:
    return text


def frame(text: str, rng: random.Random) -> str:
    template = rng.choice(FRAMES)
    lower = template.endswith(("that {}", ", {}"))
    starts_name = bool(re.match(r"[A-Z][a-z]+ [A-Z]|[A-Z]{2}", text))
    return template.format(text[0].lower() + text[1:] if lower and not starts_name else text)


def clean(sentence: str) -> bool:
    n = len(sentence.split())
    return (
        6 <= n <= 40
        and sentence[0].isupper()
        and sentence[-1] in ".!"
        and not CAMEL_TAG.search(sentence)
        and "<|" not in sentence
    )


def _edited(edit: Edit, sentences: list[str], captions: Sequence[str], rng: random.Random) -> tuple[str, str]:
    """The first random sentence that the edit applies to, and the sentence after it."""
    for _ in range(2000):
        text = rng.choice(captions if captions and rng.random() < CAPTIONS else sentences)
        changed = edit(text, rng)
        if changed is not None and (changed != text or edit is identity):
            return text, changed
    raise ValueError(f"no sentence fits the edit {edit}")


def make(sentences: list[str], count: int, seed: int, captions: Sequence[str] = ()) -> Iterator[dict[str, str]]:
    """Yield ``count`` pairs with keys premise, hypothesis, label, source (``synthetic_<rule>``)."""
    rng = random.Random(seed)
    sentences = sorted({s for s in sentences if clean(s)})
    captions = sorted({s for s in captions if clean(s)})
    names = sorted({m for s in sentences for m in NAME.findall(s) if len(m) > 4})
    rules: list[tuple[str, str, Edit, float]] = [
        ("exclusive", "contradiction", replace_from(EXCLUSIVE), 7),
        ("antonym", "contradiction", replace_from(OPPOSITE), 4),
        ("number", "contradiction", swap_number, 4),
        ("name", "contradiction", swap_name(names, "in|at|by|from|near|to"), 2),
        ("negation", "contradiction", negate, 3),
        ("synonym", "entailment", replace_from(SAME), 5),
        ("broader", "entailment", replace_from(BROADER), 2),
        ("restate", "entailment", restate, 5),
        ("identity", "entailment", identity, 2),
        ("other_subject", "neutral", other_subject([n for n in names if " " in n]), 2),
    ]
    by_word: dict[str, list[int]] = {}
    for i, s in enumerate(sentences):
        for w in set(NAME.findall(s)):
            by_word.setdefault(w, []).append(i)
    shared = [ids for ids in by_word.values() if 2 <= len(ids) <= 400]
    for _ in range(count):
        if rng.random() < UNRELATED:
            ids = rng.choice(shared) if rng.random() < 0.7 else range(len(sentences))
            premise, hypothesis = (sentences[i] for i in rng.sample(ids, 2))
            rule, label = "unrelated", "neutral"
        else:
            rule, label, edit, _ = rng.choices(rules, [r[3] for r in rules])[0]
            premise, hypothesis = _edited(edit, sentences, captions, rng)
            if label != "neutral" and rule not in ("broader", "restate") and rng.random() < 0.4:
                premise, hypothesis = hypothesis, premise
        if rng.random() < 0.3:  # the fact among others, as in a passage
            before, after = rng.sample(sentences, 2)
            premise = f"{before} {premise}" if rng.random() < 0.5 else f"{premise} {after}"
        if rng.random() < 0.25:
            hypothesis = frame(hypothesis, rng)
        if rng.random() < 0.1:
            hypothesis = hypothesis.rstrip(".")
        yield {"premise": premise, "hypothesis": hypothesis, "label": label, "source": f"synthetic_{rule}"}
