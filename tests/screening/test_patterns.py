"""The pattern file: every pattern keeps its promises, and bad files are refused by name."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.errors import SettingsError
from ragstone.screening.linguistic import linguistic_findings
from ragstone.screening.patterns import GROUPS, Pattern, Patterns, load_patterns
from ragstone.text.normalise import normalise
from ragstone.types import Passage

SHIPPED = load_patterns()
MENTION_AT_MOST = 0.3
HOSTILE = [
    "a",
    "ignore ",
    "the ",
    "\"'",
    "<",
    "[",
    "do not ",
    "send all ",
    "is the ",
    "忽略",
    "!",
    " ",
    "a.",
    "\n",
]

by_pattern = pytest.mark.parametrize("pattern", SHIPPED.patterns, ids=lambda p: p.id)


def severity(text: str, pattern: Pattern) -> float:
    found = linguistic_findings(Passage("p", text), Patterns((pattern,), ""))
    return max((f.severity for f in found), default=0.0)


@by_pattern
def test_examples_are_found_at_full_severity(pattern: Pattern) -> None:
    for example in pattern.matches:
        assert severity(example, pattern) == pytest.approx(pattern.severity), example


@by_pattern
def test_lookalikes_are_not_found_or_count_as_mentions(pattern: Pattern) -> None:
    for lookalike in pattern.lookalikes:
        assert severity(lookalike, pattern) <= MENTION_AT_MOST, lookalike


@by_pattern
def test_no_pattern_at_all_flags_a_lookalike(pattern: Pattern) -> None:
    for lookalike in pattern.lookalikes:
        found = linguistic_findings(Passage("p", lookalike), SHIPPED)
        severities = sorted((f.severity for f in found), reverse=True)
        assert sum(s / 2**i for i, s in enumerate(severities)) <= 0.70, (lookalike, found)


def test_severities_follow_the_groups() -> None:
    weakest_order = min(p.severity for p in SHIPPED if p.id in {"override-prior-instructions", "override-spanish"})
    assert weakest_order >= 0.85
    assert {p.group for p in SHIPPED} == set(GROUPS)
    for pattern in SHIPPED:
        if pattern.group == "contradiction_marker":
            assert 0.2 <= pattern.severity < 0.5, pattern.id
        if pattern.group == "urgency":
            assert pattern.severity <= 0.3, pattern.id


def test_eight_further_languages_are_covered() -> None:
    names = {p.message.partition(":")[0] for p in SHIPPED if p.id.startswith("override-")}
    assert {"Spanish", "French", "German", "Portuguese", "Italian", "Russian", "Chinese", "Japanese"} <= names


def seeds(pattern: Pattern) -> list[str]:
    """What repeats the beginning of a match without ending it, and plain hostile fillers."""
    example = pattern.matches[0] if pattern.raw else normalise(pattern.matches[0]).text
    words = example.split()
    return [*HOSTILE, *(example[: int(len(example) * part)] + " " for part in (0.4, 0.7, 0.95)), words[0] + " "]


@by_pattern
def test_time_doubles_with_the_length(pattern: Pattern) -> None:
    def seconds(unit: str, length: int) -> float:
        text = (unit * (length // max(1, len(unit)) + 1))[:length]
        started = time.process_time()
        for _ in pattern.regex.finditer(text):
            pass
        return time.process_time() - started

    for unit in seeds(pattern):
        short, long = seconds(unit, 4_000), seconds(unit, 16_000)
        # Quadratic work would take 16 times as long; the floor keeps the clock's grain out of the ratio.
        assert long < 9 * max(short, 0.002), (pattern.id, unit, short, long)


ENTRY = """
[[pattern]]
id = "{id}"
group = "{group}"
severity = {severity}
message = "m"
regex = '{regex}'
matches = [{matches}]
lookalikes = ["one", "two"]
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def _write(text: str | None = None, name: str = "own.toml", **changes: str) -> Path:
        values = {"id": "own", "group": "urgency", "severity": "0.5", "regex": "buy corvid"}
        values["matches"] = '"Buy Corvid", "buy  corvid!", "Now buy CORVID"'
        path = tmp_path / name
        path.write_text(ENTRY.format(**{**values, **changes}) if text is None else text, encoding="utf-8")
        return path

    return _write


def test_own_patterns_are_added(write: Callable[..., Path]) -> None:
    patterns = load_patterns((write(),))
    assert len(patterns) == len(SHIPPED) + 1
    assert patterns.identity != SHIPPED.identity
    found = linguistic_findings(Passage("p", "Please buy\nCorvid."), patterns)
    assert [(f.rule, f.severity) for f in found] == [("own", 0.5)]


def test_identity_depends_on_the_content_only(write: Callable[..., Path]) -> None:
    assert load_patterns((write(),)).identity == load_patterns((write(name="other.toml"),)).identity
    assert load_patterns().identity == SHIPPED.identity


def test_fragments_accents_and_several_lines(write: Callable[..., Path]) -> None:
    text = ENTRY.format(
        id="own",
        group="urgency",
        severity=0.4,
        regex="x",
        matches='"Kaufe Müller", "kaufe   muller", "Kaufe Corvid"',
    ).replace("'x'", "'''\nkaufe (?&shop)\n|verkaufe\n'''")
    patterns = load_patterns((write(f'[fragments]\nshop = "müller|corvid"\n{text}'),))
    assert [p.id for p in patterns if p.found_in("KAUFE MÜLLER")] == ["own"]


def test_shipped_patterns_can_be_switched_off(write: Callable[..., Path]) -> None:
    patterns = load_patterns((write('disable = ["urgency-label"]'),))
    assert "urgency-label" in {p.id for p in SHIPPED}
    assert "urgency-label" not in {p.id for p in patterns}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"severity": "1.5"}, "severity"),
        ({"severity": "nan"}, "severity"),
        ({"group": "rudeness"}, "group"),
        ({"matches": '"Buy Corvid"'}, "matches"),
        ({"matches": '"Buy Corvid", "buy corvid", "sell"'}, "'sell' is not matched"),
        ({"regex": "buy.*corvid"}, "unbounded repeat"),
        ({"regex": "buy (corvid"}, "not a regular expression"),
        ({"regex": "buy Corvid"}, "'C' in the regex can never match"),
        ({"regex": "(?&nobody)"}, "unknown fragment 'nobody'"),
        ({"regex": "(?:buy corvid)?"}, "empty text"),
        ({"id": "urgency-label"}, "this id is taken"),
    ],
)
def test_bad_patterns_name_file_and_pattern(write: Callable[..., Path], changes: dict[str, str], expected: str) -> None:
    path = write(**changes)
    with pytest.raises(SettingsError) as error:
        load_patterns((path,))
    assert str(path) in str(error.value)
    assert repr(changes.get("id", "own")) in str(error.value)
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[pattern]\n", "not valid TOML"),
        ("patern = 1\n", "patern"),
        ('disable = ["nothing-like-it"]\n', "nothing-like-it"),
        ('[fragments]\na = "(?&a)"\n' + ENTRY.format(
            id="own", group="urgency", severity=0.1, regex="(?&a)", matches='"a", "b", "c"'
        ), "contains itself"),
    ],
)  # fmt: skip
def test_bad_files_are_named(write: Callable[..., Path], text: str, expected: str) -> None:
    path = write(text)
    with pytest.raises(SettingsError, match=expected) as error:
        load_patterns((path,))
    assert str(path) in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"cannot read .*none\.toml"):
        load_patterns((tmp_path / "none.toml",))
