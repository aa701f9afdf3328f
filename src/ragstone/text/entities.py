"""Names in English text, by capital letters, known names and context; dates and identifiers beside them.

A light recogniser without a model: precise for well-known places, peoples, organisations, dates and identifiers, and
for persons whose given name is common. Other runs of capitalised words are returned as ``name``, their kind untold.
Text in capitals throughout, or without any, holds no names for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ragstone.text.dates import find_dates
from ragstone.text.gazetteer import CONNECTORS, EntityKind, KnownName, gazetteer
from ragstone.text.identifiers import find_identifiers
from ragstone.text.lexicon import words

__all__ = ["Entity", "EntityKind", "find_entities"]


@dataclass(frozen=True, slots=True)
class Entity:
    """A mention. Mentions of one thing share ``key``: "USA" and "United States", "Ada Lovelace" and "Lovelace".

    ``subtype`` refines the kind (country, city, state, company, adjective, algorithm, …; empty when untold), and
    ``within`` is the country of a place or of a nationality, where known.
    """

    start: int
    end: int
    text: str
    kind: EntityKind
    key: str
    subtype: str = ""
    within: str | None = None


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    text: str
    opens_sentence: bool


_WORD = re.compile(r"(?:[^\W\d_]\.)+(?=[\s,;:)\]'’]|$)|[^\W_]\w*(?:[-’'&](?!s\b)\w+)*\.?(?<!\.)|&")
_ABBREVIATIONS = frozenset(words("St Mt Ft Mr Mrs Ms Dr Jr Sr Prof Gen Col Lt Capt Sgt Rev Hon Sen Gov Rep"))
_TITLES = frozenset(
    words(
        "Mr Mrs Ms Dr Prof Professor Sir Dame Lord Lady President Senator Governor King Queen Prince Princess "
        "Emperor Pope Saint Agent Captain General Colonel Captain Major Judge Justice Chancellor Secretary Mayor "
        "Reverend Bishop Archbishop Sen Gov"
    )
)
_ORGANISATION_HEADS = frozenset(
    words(
        "Inc Ltd LLC Corp Corporation Company Co University College Institute Institution Academy School Bank "
        "Records Pictures Entertainment Studios Studio Productions Group Holdings Party Association Society Agency "
        "Ministry Bureau Department Committee Council Commission Federation Foundation Union Church Hospital Museum "
        "Orchestra League Club Team Army Navy Force Police Press Books Airlines Airways Motors Industries "
        "Laboratories Organization Organisation Administration Authority Court Parliament Network Television "
        "Theatre Theater"
    )
)
_ORGANISATION_STARTS = frozenset(
    words("University College Institute School Bank Museum Ministry Department Bureau Office Society Church")
)
_PLACE_HEADS = frozenset(
    words(
        "River Lake Mountain Mountains Island Islands Sea Ocean Desert County Province City Street Avenue Road "
        "Bridge Valley Bay Peninsula Park Canyon Falls Beach Forest Town Village Square District Airport Station "
        "Castle Palace Cathedral Tower Harbour Harbor Dam Wall Coast"
    )
)
# "CEO of Epic Records", "Prime Minister of the United Kingdom": the office is no part of the name.
_OFFICES = frozenset(
    words(
        "CEO CFO CTO Leader Member President Secretary Minister Prince Princess Duke Duchess King Kings Queen Chairman "
        "Chair Head Governor Mayor Earl Count Archbishop Bishop Bachelor Master Fellow Director Ambassador"
    )
)
_PLACE_STARTS = frozenset(words("Mount Mt Lake Cape Fort Port River"))
_WHERE = frozenset(words("in at from to near of into around outside"))
# The pronoun, and the brackets of treebank-tokenised text ("-LSB-").
_NO_NAMES = frozenset(words("I I'm I’m I've I’ve I'll I’ll I'd I’d LSB RSB LRB RRB"))
_SENTENCE_END = frozenset('.!?:;\n\r"“”‘`([{*•|')


def find_entities(text: str) -> tuple[Entity, ...]:
    """All mentions of ``text`` in order, none overlapping another. Never raises."""
    fixed: list[Entity] = []
    for reader in (_irregular, _dates, _identifiers):
        fixed += [entity for entity in reader(text) if not _overlaps(entity, fixed)]
    found = list(fixed)
    if not _shouts(text):
        for run in _runs(text, fixed):
            found += _read_run(text, run)
    found.sort(key=lambda entity: entity.start)
    return tuple(_linked(text, _without_doubtful(found)))


def _dates(text: str) -> Iterator[Entity]:
    for date in find_dates(text):
        subtype = date.precision.name.lower()
        yield Entity(date.start, date.end, text[date.start : date.end], EntityKind.DATE, date.key, subtype)


def _identifiers(text: str) -> Iterator[Entity]:
    for found in find_identifiers(text):
        yield Entity(found.start, found.end, found.text, EntityKind.IDENTIFIER, found.key, found.family)


def _irregular(text: str) -> Iterator[Entity]:
    for match in gazetteer().irregular.finditer(text):
        yield _known(match.start(), match[0], gazetteer().names[match[0]])


def _overlaps(entity: Entity, others: Iterable[Entity]) -> bool:
    return any(entity.start < other.end and other.start < entity.end for other in others)


def _shouts(text: str) -> bool:
    upper = sum(character.isupper() for character in text)
    lower = sum(character.islower() for character in text)
    return upper > 12 and upper > lower


def _runs(text: str, fixed: Sequence[Entity]) -> Iterator[list[_Token]]:
    """Runs of capitalised words: adjacent, or joined by "of", "de", … with a capital on the other side."""
    blocked = bytearray(len(text))
    for entity in fixed:
        blocked[entity.start : entity.end] = b"\x01" * (entity.end - entity.start)
    run: list[_Token] = []
    pending: list[_Token] = []
    opens, last_end = True, -1
    for match in _WORD.finditer(text):
        gap = text[last_end : match.start()] if last_end >= 0 else ""
        opens = last_end < 0 or any(character in _SENTENCE_END for character in gap)
        token = _Token(match.start(), match.end(), match[0], opens)
        after_abbreviation = gap == ". " and bool(run) and (run[-1].text in _ABBREVIATIONS)
        if after_abbreviation:
            token = replace(token, opens_sentence=False)
        last_end = match.end()
        joined = gap in (" ", "") or after_abbreviation
        usable = not blocked[match.start()] and match[0][0].isupper() and match[0] not in _NO_NAMES
        if usable and run and joined:
            run += [*pending, token]
        elif usable:
            if run:
                yield run
            run = [token]
        elif run and joined and match[0] in CONNECTORS and len(pending) < 2 and not blocked[match.start()]:
            pending.append(token)
            continue
        else:
            if run:
                yield run
            run = []
        pending = []
    if run:
        yield run


def _read_run(text: str, run: list[_Token]) -> Iterator[Entity]:
    names = gazetteer()
    while run:
        whole = text[run[0].start : run[-1].end]
        if (known := names.names.get(whole)) and not (run[0].opens_sentence and whole.lower() in names.openers):
            yield _known(run[0].start, whole, known)
            return
        first = run[0].text
        opener = first.lower() in names.openers
        if first in CONNECTORS or first in ("The", "A", "An") or (opener and run[0].opens_sentence):
            run = run[1:]
            continue
        if office := _office_length(run):
            run = run[office:]
            continue
        entity, used = _classify(text, run)
        if entity is not None:
            yield entity
        run = run[used:]


def _office_length(run: list[_Token]) -> int:
    for position, token in enumerate(run[1:3], start=1):
        if token.text == "of" and run[position - 1].text in _OFFICES:
            return position
    return 0


def _classify(text: str, run: list[_Token]) -> tuple[Entity | None, int]:
    """The entity at the start of ``run`` and how many of its tokens it takes."""
    given = gazetteer().given
    start, last, count = run[0].start, run[-1].text, len(run)
    whole = text[start : run[-1].end]
    taken, known = _longest_known(text, run)
    if known and known.kind is EntityKind.NATIONALITY:
        return _known(start, text[start : run[taken - 1].end], known), taken
    if run[0].text in _TITLES and count > 1 and not any(token.text in CONNECTORS for token in run):
        person = text[run[1].start : run[-1].end]
        return Entity(run[1].start, run[-1].end, person, EntityKind.PERSON, person.lower()), count
    head = last.rstrip(".")
    if known and taken < count and known.kind is not EntityKind.PLACE and run[taken].text in CONNECTORS:
        return _known(start, text[start : run[taken - 1].end], known), taken
    if count > 1 and (head in _ORGANISATION_HEADS or run[0].text in _ORGANISATION_STARTS):
        return Entity(start, run[-1].end, whole, EntityKind.ORGANISATION, whole.lower()), count
    if count > 1 and (head in _PLACE_HEADS or run[0].text in _PLACE_STARTS):
        return Entity(start, run[-1].end, whole, EntityKind.PLACE, whole.lower(), "feature"), count
    # "an Oscar" is a thing.
    thing = count == 1 and text[:start].endswith((" a ", " an "))
    if run[0].text in given and (count > 1 or not known) and not thing:
        taken = _person_length(run)
        person = text[start : run[taken - 1].end]
        return Entity(start, run[taken - 1].end, person, EntityKind.PERSON, person.lower(), given[run[0].text]), taken
    if known and taken == count:
        return _known(start, whole, known), taken
    doubtful = "doubtful" if count == 1 and run[0].opens_sentence and not whole[:2].isupper() else ""
    return Entity(start, run[-1].end, whole, EntityKind.NAME, whole.lower(), doubtful), count


def _person_length(run: list[_Token]) -> int:
    for position, token in enumerate(run):
        if position and token.text.rstrip(".") in ("Jr", "Sr"):
            return position
        if position and token.text.islower() and token.text not in ("de", "van", "von", "da", "di", "del", "bin", "la"):
            return position
    return len(run)


def _longest_known(text: str, run: list[_Token]) -> tuple[int, KnownName | None]:
    names = gazetteer()
    for count in range(min(len(run), names.longest), 0, -1):
        if known := names.names.get(text[run[0].start : run[count - 1].end]):
            return count, known
    return 0, None


def _known(start: int, written: str, known: KnownName) -> Entity:
    return Entity(start, start + len(written), written, known.kind, known.name.lower(), known.subtype, known.within)


def _without_doubtful(found: Sequence[Entity]) -> list[Entity]:
    """Drop a lone capitalised first word unless the text bears it as a name elsewhere."""
    borne = {word for entity in found if entity.subtype != "doubtful" for word in entity.text.split()}
    kept = [entity for entity in found if entity.subtype != "doubtful" or entity.text in borne]
    return [replace(entity, subtype="") if entity.subtype == "doubtful" else entity for entity in kept]


def _linked(text: str, found: Sequence[Entity]) -> Iterator[Entity]:
    """Give a surname, a given name or an abbreviation the key of the full name that stands in the same text."""
    full: dict[str, Entity] = {}
    for entity in found:
        parts = entity.text.split()
        if len(parts) < 2 or entity.kind in (EntityKind.DATE, EntityKind.IDENTIFIER):
            continue
        if entity.kind in (EntityKind.PERSON, EntityKind.NAME):
            full.setdefault(parts[-1], entity)
        if entity.kind is EntityKind.PERSON:
            full.setdefault(parts[0], entity)
            full.setdefault(f"{parts[0]} {parts[-1]}", entity)
        if len(initials := "".join(part[0] for part in parts if part[0].isupper())) > 2:
            full.setdefault(initials, entity)
    for entity in found:
        target = full.get(entity.text)
        if target is not None and target.text != entity.text and _may_be(text, entity, target):
            yield replace(entity, kind=target.kind, key=target.key, subtype=target.subtype, within=None)
        else:
            yield entity


def _may_be(text: str, entity: Entity, target: Entity) -> bool:
    if entity.kind is EntityKind.PLACE:
        # "Jordan" after "Michael Jordan" is the man, unless somebody is in it.
        before = text[: entity.start].split(" ")[-2:]
        return target.kind is EntityKind.PERSON and target.text.endswith(entity.text) and before[0] not in _WHERE
    return entity.kind is EntityKind.PERSON or (
        entity.kind in (EntityKind.NAME, EntityKind.ORGANISATION) and not entity.subtype
    )
