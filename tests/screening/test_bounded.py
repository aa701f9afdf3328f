"""The lint of regular expressions."""

from __future__ import annotations

import re

import pytest

from ragstone.screening.bounded import check_bounded


@pytest.mark.parametrize(
    "pattern",
    [
        r"ignore (?:all ){0,3}rules",
        r"(?:[a-z]{1,20} ){0,5}x",
        r"colou?r|\bend\b",
        r"[*+]{1,3}\*\+",
        r"(?<!not )obey(?= now)(?! yet)",
        r"(?m)^a{3}(?P<name>b)",
        r"\{\{x\}\}|a{,5}|[\]{]{0,2}",
    ],
)
def test_bounded_patterns_pass(pattern: str) -> None:
    assert check_bounded(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"a.*b", r"unbounded repeat '\*' at 2"),
        (r"\w+ x", r"unbounded repeat '\+'"),
        (r"[^a]{2,}", r"unbounded repeat '\{2,\}'"),
        (r"x{0,300}", "above 250"),
        (r"(?:a{1,100}b){0,100}", "nested up to 10000"),
        (r"(a|b)\1", "backreference"),
        (r"(?P<q>['\"])x(?P=q)", "backreference"),
    ],
)
def test_unsafe_patterns_are_named(pattern: str, reason: str) -> None:
    problem = check_bounded(pattern)
    assert problem is not None
    assert re.search(reason, problem)
