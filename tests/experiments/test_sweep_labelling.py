"""The blinded sample, labels read back, and agreement."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from ragstone.errors import InputError
from ragstone.experiments.sweep.agreement import agreement_of, agreements
from ragstone.experiments.sweep.labelling import LABELS, export_sample, read_key, read_labels, stratified
from ragstone.experiments.sweep.outcomes import JudgedAnswer, Outcome
from ragstone.experiments.sweep.scored import SweepRun, load_sweep
from sweeps import Reader, first_passage, run_small, small_setup


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sweep")
    run_small(path, Reader(lambda prompt, seed: f"{first_passage(prompt)} ({seed % 97})"), small_setup(8, 0))
    return path


@pytest.fixture(scope="module")
def run(folder: Path) -> SweepRun:
    return load_sweep(folder)


def test_the_sample_is_spread_over_strategy_level_and_arm(run: SweepRun) -> None:
    chosen = stratified(run, 48, seed=0)
    assert Counter((c.record.strategy, c.record.level, arm) for c, arm in chosen) == {
        (strategy, level, arm): 2
        for strategy in ("entity_swap", "number_swap", "negation")
        for level in range(4)
        for arm in ("clean", "poisoned")
    }
    assert [c.record.key for c, _ in chosen] != [c.record.key for c, _ in stratified(run, 48, seed=1)]
    assert [c.record.key for c, _ in chosen] == [c.record.key for c, _ in stratified(run, 48, seed=0)]


def test_an_answer_is_labelled_once(tmp_path: Path) -> None:
    run_small(tmp_path, Reader(lambda prompt, seed: "Always the same."), small_setup(2, 0))
    chosen = stratified(load_sweep(tmp_path), 1000, seed=0)
    shown = [(c.query.id, arm == "clean" or c.passages == c.poisoned_passages) for c, arm in chosen]
    assert Counter(shown)[shown[0][0], True] == 1
    assert len(chosen) < 2 * 24
    with pytest.raises(InputError, match="at least 1"):
        stratified(load_sweep(tmp_path), 0, seed=0)


def test_the_file_to_label_does_not_tell_where_an_answer_is_from(folder: Path, run: SweepRun, tmp_path: Path) -> None:
    target = tmp_path / "labels.csv"
    assert export_sample(run, folder, target, size=30) == 30
    text = target.read_text()
    for word in ("entity_swap", "number_swap", "slot0", "draw0", "poisoned_accuracy", "independent"):
        assert word not in text
    with target.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["id"] for row in rows] == [f"item-{n:04d}" for n in range(1, 31)]
    assert all(row["answer"] and row["original_passages"].startswith("[1] ") and not row["label"] for row in rows)
    key = read_key(folder)
    cells = {cell.record.key: cell for cell in run.cells}
    for row in rows:
        item = key[row["id"]]
        assert cells[item.cell].record.answers[item.arm].text == row["answer"]
    with pytest.raises(InputError, match="there already"):
        export_sample(run, folder, target, size=30)

    with target.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        for number, row in enumerate(rows):
            writer.writerow(row | {"label": " Still  Correct" if number % 3 else "abstained"})
    labels = read_labels(target, tuple(key))
    assert Counter(labels.values()) == {Outcome.CORRECT: 20, Outcome.ABSTAINED: 10}
    judged = {(item.cell, item.arm): JudgedAnswer(labels[item.id], "SUPPORTS") for item in key.values()}
    found = agreements(run, key, [("ann", labels), ("bob", labels)], judged)
    assert [(a.first, a.second) for a in found] == [
        ("ann", "bob"),
        ("ann", "NLI judge"),
        ("ann, correct", "normalised scoring"),
        ("ann, correct", "keyword"),
        ("bob", "NLI judge"),
        ("bob, correct", "normalised scoring"),
        ("bob, correct", "keyword"),
    ]
    assert all(a.items == 30 for a in found)
    assert found[0].kappa == found[1].kappa == pytest.approx(1.0)
    assert found[0].as_json()["agreement"] == 1.0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["item-0001,wrong-ish"], "row 2: label 'wrong-ish'; expected one of still correct"),
        (["item-0009,abstained"], "row 2: unknown id 'item-0009'"),
        (["item-0001,abstained", "item-0001,abstained"], "row 3: id 'item-0001' stands twice"),
        (["item-0001,"], "no filled label"),
        ([], "no filled label"),
    ],
)
def test_labels_that_cannot_be_read(tmp_path: Path, rows: list[str], message: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["id,label", *rows]) + "\n")
    with pytest.raises(InputError, match=message):
        read_labels(path, ("item-0001", "item-0002"))


def test_absent_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the labels"):
        read_labels(tmp_path / "absent.csv", ())
    with pytest.raises(InputError, match="export a sample first"):
        read_key(tmp_path)


def test_kappa_is_scikit_learns() -> None:
    first = ["correct", "adopted", "adopted", "abstained", "correct", "wrong", "correct", "adopted"]
    second = ["correct", "adopted", "correct", "abstained", "correct", "correct", "wrong", "adopted"]
    ids = [f"i{n}" for n in range(8)]
    metrics = pytest.importorskip("sklearn.metrics")
    found = agreement_of(("a", dict(zip(ids, first, strict=True))), ("b", dict(zip(ids, second, strict=True))))
    assert found is not None
    assert found.kappa == pytest.approx(metrics.cohen_kappa_score(first, second))
    assert found.agreement == 5 / 8
    assert sum(found.confusion.values()) == 8
    assert found.interval is not None
    assert found.kappa is not None
    assert found.interval[0] < found.kappa < found.interval[1]


def test_the_worked_example_of_kappa() -> None:
    """50 proposals, two readers: 20 yes / yes, 15 no / no, 5 yes / no, 10 no / yes: 0.70 agreement, kappa 0.40."""
    counts = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    first, second = ({f"i{n}": pair[side] for n, pair in enumerate(counts)} for side in (0, 1))
    found = agreement_of(("a", first), ("b", second))
    assert found is not None
    assert [found.agreement, found.kappa] == pytest.approx([0.7, 0.4])


def test_where_kappa_is_undefined() -> None:
    same = {"i1": "correct", "i2": "correct"}
    found = agreement_of(("a", same), ("b", same))
    assert found is not None
    assert (found.agreement, found.kappa, found.interval) == (1.0, None, None)
    assert agreement_of(("a", same), ("b", {"i3": "correct"})) is None


def test_labels_are_the_five_outcomes() -> None:
    assert set(LABELS) == {"still correct", "poison adopted", "abstained", "wrong otherwise", "unsupported"}
