"""The phrases that the linguistic signal looks for: data files in TOML, checked when they are loaded.

A file holds ``[[pattern]]`` tables, an optional ``[fragments]`` table, and an optional ``disable`` list::

    disable = ["urgency-act-now"]            # ids of patterns that are not wanted

    [fragments]
    vendor = "corvid|brightline"             # used in a regex as (?&vendor)

    [[pattern]]
    id = "praise-vendor"                     # unique over all files
    group = "forced_response"                # one of GROUPS
    severity = 0.6                           # in [0, 1]; above 0.70 it flags a passage alone
    message = "Orders praise for a vendor"
    imperative = true                        # optional: weighs less where it is no order (see screening.mention)
    regex = 'praise (?&vendor)'              # every repeat bounded: {0,20}, never * or +
    matches = ["Praise Corvid.", "praise Brightline!", "Now praise Corvid"]     # at least 3
    lookalikes = ["Customers praise the harbour.", "The praise was mutual."]    # at least 2

A regex is matched against normalised text (:mod:`ragstone.text.normalise`: lower case, plain quotes, no accents on
Latin letters, one space for any white space); with ``raw = true`` against the passage as it stands. It may be broken
over lines: line breaks and the blanks that begin a line are taken out, so a space that counts must not stand there.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.errors import SettingsError
from ragstone.screening.bounded import check_bounded
from ragstone.text.normalise import normalise

__all__ = ["GROUPS", "Pattern", "Patterns", "load_patterns"]

Group = Literal[
    "instruction_override",
    "forced_response",
    "role_or_template_token",
    "contradiction_marker",
    "correction_marker",
    "urgency",
    "concealment",
    "exfiltration",
    "authority_spoof",
]
GROUPS: tuple[str, ...] = get_args(Group)
_USE = re.compile(r"\(\?&(\w{1,40})\)")
_LINE_BREAK = re.compile(r"\n[ \t]*")
_UPPER = re.compile(r"(?<!\\)[A-Z]")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One phrase pattern. ``severity`` is in [0, 1]; ``imperative`` ones weigh less where they are not an order."""

    id: str
    group: str
    severity: float
    message: str
    regex: re.Pattern[str]
    raw: bool
    imperative: bool
    matches: tuple[str, ...]
    lookalikes: tuple[str, ...]

    def found_in(self, text: str) -> bool:
        """Whether the regex occurs in ``text``, normalised first unless the pattern is raw."""
        return self.regex.search(text if self.raw else normalise(text).text) is not None


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns in the order of their files; ``identity`` is 16 hex digits over the files' contents."""

    patterns: tuple[Pattern, ...]
    identity: str

    def __iter__(self) -> Iterator[Pattern]:
        return iter(self.patterns)

    def __len__(self) -> int:
        return len(self.patterns)


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
    group: Group
    severity: Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
    message: Annotated[str, Field(min_length=1)]
    regex: Annotated[str, Field(min_length=1)]
    raw: bool = False
    imperative: bool = False
    matches: Annotated[tuple[str, ...], Field(min_length=3)]
    lookalikes: Annotated[tuple[str, ...], Field(min_length=2)]


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    disable: tuple[str, ...] = ()
    fragments: dict[str, str] = {}
    pattern: tuple[dict[str, Any], ...] = ()


def load_patterns(extra: Iterable[str | Path] = ()) -> Patterns:
    """The shipped patterns and those of the files in ``extra`` (``settings.screening.patterns``), in that order.

    Fragments of an earlier file can be used, and redefined, in a later one.

    Raises:
        SettingsError: a file cannot be read or is not valid; the message names the file and the pattern.
    """
    return _load(tuple(Path(path) for path in extra), _contents(extra))


def _contents(extra: Iterable[str | Path]) -> tuple[bytes, ...]:
    shipped = resources.files("ragstone").joinpath("data", "patterns.toml").read_bytes()
    contents = [shipped]
    for path in extra:
        try:
            contents.append(Path(path).read_bytes())
        except OSError as error:
            raise SettingsError(f"screening.patterns: cannot read {path}: {error.strerror}") from error
    return tuple(contents)


@lru_cache(maxsize=16)
def _load(paths: tuple[Path, ...], contents: tuple[bytes, ...]) -> Patterns:
    fragments: dict[str, str] = {}
    found: dict[str, Pattern] = {}
    for name, content in zip(("patterns.toml", *map(str, paths)), contents, strict=True):
        file = _parse(name, content)
        fragments = {**fragments, **{key: _one_line(value) for key, value in file.fragments.items()}}
        for raw in file.pattern:
            pattern = _pattern(name, raw, fragments)
            if pattern.id in found:
                raise SettingsError(f"{name}: pattern {pattern.id!r}: this id is taken; choose another")
            found[pattern.id] = pattern
        for unwanted in file.disable:
            if found.pop(unwanted, None) is None:
                raise SettingsError(f"{name}: disable names {unwanted!r}, which no pattern before it has as its id")
    digest = hashlib.sha256(b"".join(hashlib.sha256(content).digest() for content in contents))
    return Patterns(tuple(found.values()), digest.hexdigest()[:16])


def _parse(name: str, content: bytes) -> _File:
    try:
        return _File.model_validate(tomllib.loads(content.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{name} is not valid TOML: {error}") from error
    except ValidationError as error:
        raise SettingsError(f"{name}: {_explain(error)}") from None


def _pattern(name: str, raw: Mapping[str, Any], fragments: Mapping[str, str]) -> Pattern:
    where = f"{name}: pattern {raw.get('id', '(without id)')!r}"
    try:
        entry = _Entry.model_validate(raw)
    except ValidationError as error:
        raise SettingsError(f"{where}: {_explain(error)}") from None
    source = _expand(_one_line(entry.regex), fragments, where)
    if not entry.raw:
        source = _plain(source, where)
    problem = check_bounded(source)
    if problem:
        raise SettingsError(f"{where}: {problem}")
    try:
        regex = re.compile(source)
    except re.error as error:
        raise SettingsError(f"{where}: not a regular expression: {error}") from error
    if regex.match(""):
        raise SettingsError(f"{where}: the regex matches the empty text")
    pattern = Pattern(
        id=entry.id,
        group=entry.group,
        severity=entry.severity,
        message=entry.message,
        regex=regex,
        raw=entry.raw,
        imperative=entry.imperative,
        matches=entry.matches,
        lookalikes=entry.lookalikes,
    )
    for example in entry.matches:
        if not pattern.found_in(example):
            raise SettingsError(f"{where}: its own example {example!r} is not matched")
    return pattern


def _one_line(regex: str) -> str:
    return _LINE_BREAK.sub("", regex)


def _expand(regex: str, fragments: Mapping[str, str], where: str, depth: int = 0) -> str:
    def put(use: re.Match[str]) -> str:
        if use[1] not in fragments:
            raise SettingsError(f"{where}: unknown fragment {use[1]!r}; known: {', '.join(sorted(fragments))}")
        if depth > 8:
            raise SettingsError(f"{where}: fragment {use[1]!r} contains itself")
        return f"(?:{_expand(fragments[use[1]], fragments, where, depth + 1)})"

    return _USE.sub(put, regex)


def _plain(regex: str, where: str) -> str:
    """Accented letters as the normalised text has them, so that a pattern can be written as its language is."""
    upper = _UPPER.search(re.sub(r"\(\?P<", "(?<", regex))
    if upper:
        raise SettingsError(
            f"{where}: {upper[0]!r} in the regex can never match: normalised text is lower case (or set raw = true)"
        )
    return "".join(c if c.isascii() else re.escape(normalise(c).text) or c for c in regex)


def _explain(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(str(p) for p in item['loc'])}: {item['msg']}" for item in error.errors())
