"""Poisoning a corpus: which documents are changed, and the labels, which are kept apart from the texts.

Source: paper 000, section IV (30 % of the documents, seed 42). A document's edits depend on the seed, its place and
its id only, so that they stay the same whatever happens to the others.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from ragstone.attacks.base import Attack, Edit
from ragstone.errors import InputError

__all__ = ["Label", "PoisoningSummary", "poison_corpus", "poison_file", "read_labels", "write_labels"]


class Document(Protocol):
    """Anything with an id and a text."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...


D = TypeVar("D", bound=Document)


@dataclass(frozen=True, slots=True)
class Label:
    """What happened to a chosen document; edits are spans of the original text. Not ``changed``: not poisoned."""

    id: str
    strategy: str
    edits: tuple[Edit, ...]
    changed: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PoisoningSummary:
    """Counts of :func:`poison_file`; ``by_strategy`` counts changed documents only."""

    documents: int
    chosen: int
    changed: int
    by_strategy: Mapping[str, int]
    corpus: Path
    labels: Path


def poison_corpus(
    documents: Sequence[D],
    attack: Attack,
    share: float = 0.3,
    seed: int = 42,
    *,
    question_of: Callable[[D], str | None] | None = None,
    fill: bool = False,
) -> tuple[list[D], list[Label]]:
    """Apply ``attack`` to ``ceil(share * n)`` documents drawn by ``seed``; the others come back as they are.

    Returns the documents in their order and one label for each chosen one, in the same order. ``question_of`` gives the
    question that a document answers; by default its attribute ``question``, if it has one. With ``fill``, where the
    attack does not apply, further documents are drawn until that many are changed or none is left; the labels then also
    list those it did not apply to. Raises InputError for a share outside [0, 1] or an id used twice.
    """
    if not (isinstance(share, int | float) and 0.0 <= share <= 1.0):
        raise InputError(f"share is {share!r}; it is the part of the documents to poison and must be within [0, 1]")
    counts = Counter(document.id for document in documents)
    if twice := [identifier for identifier, count in counts.items() if count > 1]:
        raise InputError(f"document id {twice[0]!r} is used {counts[twice[0]]} times; labels need unique ids")
    # The rounding keeps 0.1 * 30, which is 3.0000000000000004, from becoming four documents.
    wanted = math.ceil(round(share * len(documents), 9))
    order = random.Random(f"{seed}:choice").sample(range(len(documents)), len(documents))
    ask = question_of or _question_of
    poisoned: dict[int, D] = {}
    labels: dict[int, Label] = {}
    changed = 0
    for index in order if fill else order[:wanted]:
        if changed >= wanted:
            break
        document = documents[index]
        rng = random.Random(f"{seed}:{index}:{document.id}")
        outcome = attack.poison(document.text, rng=rng, question=ask(document))
        labels[index] = Label(document.id, outcome.strategy, outcome.edits, outcome.changed, outcome.reason)
        if outcome.changed:
            changed += 1
            poisoned[index] = _with_text(document, outcome.text)
    result = [poisoned.get(index, document) for index, document in enumerate(documents)]
    return result, [labels[index] for index in sorted(labels)]


def write_labels(labels: Iterable[Label], path: str | Path) -> None:
    """Write labels as JSON lines: id, strategy, changed, reason and the edits (start, end, before, after)."""
    lines = (json.dumps(dataclasses.asdict(label), ensure_ascii=False) + "\n" for label in labels)
    Path(path).write_text("".join(lines), encoding="utf-8", errors="surrogatepass")


def read_labels(path: str | Path) -> list[Label]:
    """The labels that :func:`write_labels` wrote; raises InputError naming the line that is none."""
    labels: list[Label] = []
    for number, row in _rows(Path(path)):
        try:
            edits = tuple(Edit(**edit) for edit in row["edits"])
            labels.append(Label(row["id"], row["strategy"], edits, row["changed"], row.get("reason")))
        except (KeyError, TypeError) as error:
            raise InputError(
                f"{path}, line {number}: not a label ({error}); expected what write_labels writes"
            ) from error
    return labels


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a corpus file; all its fields but the text are passed through."""

    id: str
    text: str
    question: str | None
    fields: Mapping[str, Any]


def poison_file(
    source: str | Path,
    target: str | Path,
    attack: Attack,
    *,
    labels: str | Path | None = None,
    share: float = 0.3,
    seed: int = 42,
    fill: bool = False,
) -> PoisoningSummary:
    """Poison a corpus file of JSON lines with ``id`` and ``text`` (and ``question``, where known).

    The labels go to ``labels``, by default beside the target (``corpus.jsonl`` gives ``corpus.labels.jsonl``). Raises
    InputError when the source cannot be read, a line lacks a text, or a file would be overwritten by another.
    """
    source, target = Path(source), Path(target)
    beside = Path(labels) if labels is not None else target.with_suffix(f".labels{target.suffix or '.jsonl'}")
    if len({source.resolve(), target.resolve(), beside.resolve()}) < 3:
        raise InputError(f"corpus {source}, poisoned corpus {target} and labels {beside} must be three different files")
    rows = [_row(source, number, fields) for number, fields in _rows(source)]
    documents, found = poison_corpus(rows, attack, share, seed, fill=fill)
    lines = (json.dumps({**row.fields, "text": row.text}, ensure_ascii=False) + "\n" for row in documents)
    target.write_text("".join(lines), encoding="utf-8", errors="surrogatepass")
    write_labels(found, beside)
    by_strategy = Counter(label.strategy for label in found if label.changed)
    return PoisoningSummary(len(rows), len(found), by_strategy.total(), dict(by_strategy), target, beside)


def _row(path: Path, number: int, fields: Mapping[str, Any]) -> _Row:
    text, question = fields.get("text"), fields.get("question")
    if not isinstance(text, str):
        raise InputError(f"{path}, line {number}: 'text' must be a string, got {type(text).__name__}")
    identifier = fields.get("id", fields.get("_id"))
    return _Row(
        id=f"line-{number}" if identifier is None else str(identifier),
        text=text,
        question=question if isinstance(question, str) else None,
        fields=fields,
    )


def _rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_text(encoding="utf-8", errors="surrogatepass").split("\n")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 (byte {error.start}); convert it first") from error
    rows: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}, line {number}: not JSON ({error})") from error
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {number}: expected a JSON object, got {type(row).__name__}")
        rows.append((number, row))
    return rows


def _question_of(document: Document) -> str | None:
    question = getattr(document, "question", None)
    return question if isinstance(question, str) else None


def _with_text(document: D, text: str) -> D:
    if dataclasses.is_dataclass(document) and not isinstance(document, type):
        return cast(D, dataclasses.replace(cast(Any, document), text=text))
    if hasattr(document, "model_copy"):
        return cast(D, cast(Any, document).model_copy(update={"text": text}))
    changed = copy.copy(document)
    cast(Any, changed).text = text
    return changed
