"""A sample of answers for people to label, without a sign of where each comes from.

The sample is stratified over strategy, level and arm. Its file shows question, reference, passages as they were and
passages as the generator saw them; cell keys stay in the run folder, under ids that tell nothing.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ragstone.errors import InputError
from ragstone.experiments.sweep.outcomes import Outcome
from ragstone.experiments.sweep.records import CLEAN, POISONED
from ragstone.experiments.sweep.scored import ScoredCell, SweepRun

__all__ = ["KEY_FILE", "LabelledItem", "export_sample", "read_key", "read_labels", "stratified"]

KEY_FILE = "label-key.json"
FIELDS = ("id", "question", "reference", "original_passages", "given_passages", "answer", "label", "note")
LABELS = {outcome.value: outcome for outcome in Outcome}


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """An answer to label: which cell and arm it is of."""

    id: str
    cell: str
    arm: str


def stratified(run: SweepRun, size: int, seed: int) -> list[tuple[ScoredCell, str]]:
    """``size`` answers, as evenly over strategy, level and arm as there are answers, in random order.

    An answer that is the same as one drawn before, from the same passages, is not drawn again. Raises InputError for a
    size below 1.
    """
    if size < 1:
        raise InputError(f"a sample of {size} answers; at least 1 is needed")
    rng = random.Random(f"{seed}:labels")
    strata: dict[tuple[str, int, str], list[ScoredCell]] = {}
    for cell in run.cells:
        for arm in (CLEAN, POISONED):
            if cell.record.answers[arm].text:
                strata.setdefault((cell.record.strategy, cell.record.level, arm), []).append(cell)
    piles = [(key[2], rng.sample(cells, len(cells))) for key, cells in sorted(strata.items())]
    rng.shuffle(piles)
    chosen: list[tuple[ScoredCell, str]] = []
    seen: set[tuple[object, ...]] = set()
    while len(chosen) < size and any(pile for _, pile in piles):
        for arm, pile in piles:
            while pile and len(chosen) < size:
                cell = pile.pop()
                same = (cell.query.id, cell.record.answers[arm].text, _given(cell, arm))
                if same not in seen:
                    seen.add(same)
                    chosen.append((cell, arm))
                    break
    rng.shuffle(chosen)
    return chosen


def export_sample(run: SweepRun, folder: Path, target: Path, *, size: int, seed: int = 0) -> int:
    """Write the sample as CSV to ``target`` and its key to the run folder; the number of answers.

    The column ``label`` is to be filled with one of the five outcomes, by their names. Raises InputError when a sample
    was exported from this folder before, whose key would be lost, or a file cannot be written.
    """
    key_path = folder / KEY_FILE
    if key_path.exists():
        raise InputError(f"{key_path} is there already: labels of that sample could no longer be read; move it first")
    chosen = stratified(run, size, seed)
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, FIELDS)
    writer.writeheader()
    key = []
    for number, (cell, arm) in enumerate(chosen, start=1):
        item = LabelledItem(f"item-{number:04d}", cell.record.key, arm)
        key.append({"id": item.id, "cell": item.cell, "arm": item.arm})
        writer.writerow(
            {
                "id": item.id,
                "question": cell.query.question,
                "reference": "; ".join(cell.query.references),
                "original_passages": _numbered([passage.text for passage in cell.passages]),
                "given_passages": _numbered(_given(cell, arm)),
                "answer": cell.record.answers[arm].text,
            }
        )
    try:
        target.write_text(stream.getvalue(), encoding="utf-8", errors="replace", newline="")
        key_path.write_text(json.dumps(key, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {error.filename}: {error.strerror}") from error
    return len(chosen)


def read_key(folder: Path) -> dict[str, LabelledItem]:
    """The items of the exported sample by id; raises InputError when none was exported."""
    path = folder / KEY_FILE
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {row["id"]: LabelledItem(row["id"], row["cell"], row["arm"]) for row in rows}
    except FileNotFoundError as error:
        raise InputError(f"{folder} has no {KEY_FILE}; export a sample first") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not the key of a sample: {error}") from error


def read_labels(path: Path, known: Sequence[str]) -> dict[str, Outcome]:
    """The filled labels of a CSV file by id; blank ones are left out.

    Raises InputError with the line for an unknown id or label, an id that stands twice, and a file without labels.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot read the labels in {path}: {error}") from error
    found: dict[str, Outcome] = {}
    for number, row in enumerate(rows, start=2):
        name, label = (row.get("id") or "").strip(), " ".join((row.get("label") or "").lower().split())
        if name not in known:
            raise InputError(f"{path}, row {number}: unknown id {name!r}; expected those of the exported sample")
        if name in found:
            raise InputError(f"{path}, row {number}: id {name!r} stands twice")
        if label:
            if label not in LABELS:
                raise InputError(f"{path}, row {number}: label {label!r}; expected one of {', '.join(LABELS)}")
            found[name] = LABELS[label]
    if not found:
        raise InputError(f"{path} has no filled label; fill the column 'label' with {', '.join(LABELS)}")
    return found


def _given(cell: ScoredCell, arm: str) -> tuple[str, ...]:
    return tuple(passage.text for passage in (cell.passages if arm == CLEAN else cell.poisoned_passages))


def _numbered(texts: Sequence[str]) -> str:
    return "\n".join(f"[{number}] {text}" for number, text in enumerate(texts, start=1))
