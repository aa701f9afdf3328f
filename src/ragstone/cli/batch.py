"""Many cases in one run: JSONL in, one verdict a line out, in the same order; a bad line stops nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragstone.cli.inputs import decoded, parsed, read_lines
from ragstone.errors import InputError, RagstoneError
from ragstone.report.values import to_dict
from ragstone.types import Verdict, as_passages, readable

if TYPE_CHECKING:
    from ragstone.guard import Guard

__all__ = ["SCREENED_ONLY", "BatchCase", "Tally", "judge", "parse_case", "run_batch"]

SCREENED_ONLY = "no answer was given, so the passages were screened and nothing was verified"
NOT_UTF8 = "The line held bytes that are not UTF-8; they were read as U+FFFD"


@dataclass(frozen=True, slots=True)
class BatchCase:
    """One line. ``answer`` is None when only the passages are to be screened."""

    question: str
    passages: list[Any]
    answer: str | None


@dataclass(slots=True)
class Tally:
    """Counts of a batch. ``below``: bad lines, and cases with an answer whose trust is missing or under the limit."""

    cases: int = 0
    unusable: int = 0
    unscored: int = 0
    below: int = 0


def run_batch(
    source: str, guard: Guard, write: Callable[[dict[str, Any]], None], *, answers: bool, fail_under: float | None
) -> Tally:
    """Judge each line of ``source``; ``answers`` False screens only. Every line that is not blank gives one verdict."""
    tally = Tally()
    for value, verdict, screened_only in _verdicts(source, guard, answers):
        tally.cases += 1
        tally.unusable += "error" in value
        tally.unscored += verdict.trust is None and not screened_only
        reached = verdict.trust is not None and verdict.trust >= (fail_under or 0.0)
        tally.below += not screened_only and not reached
        write(value)
    return tally


def _verdicts(source: str, guard: Guard, answers: bool) -> Iterator[tuple[dict[str, Any], Verdict, bool]]:
    for number, line in read_lines(source):
        identifier: int | str = f"line-{number}"
        screened_only = False
        text, valid = decoded(line)
        try:
            value = parsed(text)
            identifier = _identifier(value, identifier)
            case = parse_case(value)
            answer = case.answer if answers else None
            screened_only = answer is None
            verdict = judge(guard, case.question, case.passages, answer)
            result = {"id": identifier} | to_dict(verdict)
        except RagstoneError as error:
            verdict, screened_only = guard.unscored(f"line {number}: {error}"), False
            result = {"id": identifier, "error": verdict.unscored_reason} | to_dict(verdict)
        if not valid:
            result["warnings"] = [NOT_UTF8, *result["warnings"]]
        yield result, verdict, screened_only


def judge(guard: Guard, question: str, passages: Any, answer: str | None) -> Verdict:
    """Both stages; the first alone, as an unscored verdict, when ``answer`` is None."""
    if answer is not None:
        return guard.evaluate(question, passages, answer)
    start = time.perf_counter()
    screening = guard.screen(question, passages)
    return guard.unscored(SCREENED_ONLY, screening=screening, timings={"screening": time.perf_counter() - start})


def parse_case(value: Any) -> BatchCase:
    """Raises InputError that names what is missing or of the wrong type."""
    if not isinstance(value, dict):
        raise InputError(f"expected an object with 'question' and 'passages', got {type(value).__name__}")
    question = _first(value, "question", "query")
    passages = _first(value, "passages", "documents")
    answer = value.get("answer")
    if not isinstance(question, str):
        raise InputError(f"'question' must be a string, got {type(question).__name__}")
    if not isinstance(passages, list):
        raise InputError(f"'passages' must be a list, got {type(passages).__name__}")
    if answer is not None and not isinstance(answer, str):
        raise InputError(f"'answer' must be a string or null, got {type(answer).__name__}")
    as_passages(passages)
    return BatchCase(question, passages, answer)


def _first(value: dict[str, Any], name: str, other: str) -> Any:
    if name not in value and other not in value:
        raise InputError(f"neither {name!r} nor {other!r} is given")
    return value[name] if name in value else value[other]


def _identifier(value: Any, default: int | str) -> int | str:
    """The case's own ``id``; strings and whole numbers as they are, anything else as text."""
    identifier = value.get("id") if isinstance(value, dict) else None
    if identifier is None:
        return default
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        return identifier
    return readable(str(identifier))
