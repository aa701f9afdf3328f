"""The questions of the robustness sweep, with what counts as a right answer to each (paper 001, section II-E).

A file of queries has one JSON object a line. ``question`` and ``references`` must be there; a line ``{"repeats": ID}``
gives another slot to an earlier query, as 12 of the paper's 49 slots do.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.datasets.sources import json_lines
from ragstone.errors import InputError

__all__ = ["BUILT_IN", "FeverLabel", "QueryType", "SweepQuery", "load_queries", "load_unanswerable"]

BUILT_IN = "built-in"
QueryType = Literal["place", "date", "count", "yes_no", "person", "other"]
FeverLabel = Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


class SweepQuery(BaseModel):
    """A query in a slot; slots are numbered from 1, and several may hold the same query ``id``.

    ``keyword`` decides the paper's accuracy, ``references`` and ``aliases`` the normalised one. ``claim`` is a
    statement on which a right answer has the verdict ``label``. ``gold`` is the id of the passage that answers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    slot: Annotated[int, Field(ge=1)]
    id: Text
    question: Text
    type: QueryType = "other"
    keyword: Text
    references: Annotated[tuple[Text, ...], Field(min_length=1)]
    aliases: tuple[Text, ...] = ()
    claim: Text
    label: Literal["SUPPORTS", "REFUTES"] = "SUPPORTS"
    gold: str | None = None

    @property
    def accepted(self) -> tuple[str, ...]:
        """All spellings of a right answer, the references first."""
        return (*self.references, *self.aliases)


def load_queries(path: str | Path = BUILT_IN) -> tuple[SweepQuery, ...]:
    """The queries of a file, one a slot; the 49 that come along by default. Raises InputError with file and line."""
    if str(path) == BUILT_IN:
        with as_file(files("ragstone").joinpath("data", "sweep", "queries.jsonl")) as shipped:
            return _queries(json_lines(shipped))
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file of queries; {BUILT_IN!r} are those that come along")
    return _queries(json_lines(Path(path)))


def load_unanswerable() -> tuple[str, ...]:
    """20 questions about the built-in subjects that the built-in corpus does not answer."""
    with as_file(files("ragstone").joinpath("data", "sweep", "unanswerable.jsonl")) as path:
        return tuple(row["question"] for _, row in json_lines(path))


def _queries(rows: Iterable[tuple[str, dict[str, Any]]]) -> tuple[SweepQuery, ...]:
    found: list[SweepQuery] = []
    by_id: dict[str, SweepQuery] = {}
    for slot, (place, row) in enumerate(rows, start=1):
        if "repeats" in row:
            earlier = by_id.get(row["repeats"])
            if earlier is None:
                raise InputError(f"{place}: repeats {row['repeats']!r}, which no earlier line has as its id")
            found.append(earlier.model_copy(update={"slot": slot}))
            continue
        query = _query(slot, place, row)
        if query.id in by_id:
            raise InputError(f"{place}: the id {query.id!r} is used twice; another slot for it is {{'repeats': ID}}")
        by_id[query.id] = query
        found.append(query)
    if not found:
        raise InputError("the file of queries is empty; expected one JSON object a line")
    return tuple(found)


def _query(slot: int, place: str, row: dict[str, Any]) -> SweepQuery:
    references = row.get("references")
    first = references[0] if isinstance(references, list) and references else None
    values = {"id": f"q{slot:03d}", "keyword": first, "claim": f"{row.get('question')} {first}."} | row
    try:
        return SweepQuery.model_validate(values | {"slot": slot})
    except ValidationError as error:
        problem = error.errors()[0]
        field = ".".join(map(str, problem["loc"]))
        raise InputError(f"{place}: field {field!r}: {problem['msg']}, got {problem['input']!r}") from None
