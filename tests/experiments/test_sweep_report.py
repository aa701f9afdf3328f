"""From a run folder to tables, findings, figures and the HTML report: every figure against a count by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes import TableNLI
from ragstone.backends.entailment import Entailment
from ragstone.datasets.sweep_queries import SweepQuery
from ragstone.errors import InputError
from ragstone.experiments.sweep.breakdown import break_down
from ragstone.experiments.sweep.findings import examples, findings
from ragstone.experiments.sweep.html import render_sweep_html, write_figures
from ragstone.experiments.sweep.outcomes import Outcome, judge_cells, outcomes_path, read_outcomes
from ragstone.experiments.sweep.report import SweepReport, report_json, sweep_report
from ragstone.experiments.sweep.scored import SweepRun, load_sweep
from ragstone.figures.sweep import SWEEP_FIGURES, draw_sweep
from ragstone.stats import Resampling
from sweeps import Reader, first_passage, run_small, small_setup

FEW = Resampling(resamples=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight queries, two configurations; the reader copies a passage, and abstains where one has "not" in it."""

    def answer(prompt: str, seed: int) -> str:
        passage = first_passage(prompt)
        return "Not enough information" if " not " in f" {passage} " else passage

    path = tmp_path_factory.mktemp("sweep")
    run_small(path, Reader(answer), small_setup(8, 2, {"decoding": ["independent", "locked"]}))
    return path


@pytest.fixture(scope="module")
def run(folder: Path) -> SweepRun:
    return load_sweep(folder)


@pytest.fixture(scope="module")
def report(run: SweepRun) -> SweepReport:
    return sweep_report(run, resampling=FEW)


def test_a_cell_is_scored_on_its_own_passages(run: SweepRun) -> None:
    assert len(run.cells) == run.expected == 8 * 12 * 2
    for cell in run.cells:
        assert cell.clean.keyword or not cell.fooled
        texts = [(a.text, b.text) for a, b in zip(cell.passages, cell.poisoned_passages, strict=True)]
        assert sum(a != b for a, b in texts) == cell.record.reached
        assert not (cell.adopted and (cell.record.level == 0 or cell.attacked.abstained or cell.attacked.correct))
    assert any(cell.adopted for cell in run.cells)
    assert any(cell.attacked.abstained for cell in run.cells)


def test_every_rate_is_a_share_of_the_cells_of_its_group(run: SweepRun) -> None:
    found = break_down(run, run.configurations[0], FEW)
    assert sum(rates.cells for rates in found.by_level.values()) == len(found.cells) == 96
    for (strategy, level), rates in found.grid.items():
        cells = [c for c in found.cells if (c.record.strategy, c.record.level) == (strategy, level)]
        assert rates.cells == len(cells) == 8
        assert rates["fooled"].successes == sum(c.clean.keyword and not c.attacked.keyword for c in cells)
        assert rates["attack_success"].successes == sum(c.adopted for c in cells)
        interval = rates["fooled"].interval
        assert interval is not None
        assert interval.low <= (rates.value("fooled") or 0.0) <= interval.high
        parts = found.decomposition[strategy, level]
        assert parts.total == sum(c.clean.keyword for c in cells)
        assert parts.abstained + parts.fooled == rates["fooled"].successes
        test = found.tests[strategy, level].test
        assert test.only_first_right == rates["fooled"].successes
        assert test.p_value <= found.tests[strategy, level].adjusted <= 1.0


def test_increments_add_up(run: SweepRun) -> None:
    found = break_down(run, run.configurations[0], FEW)
    for strategy in found.strategies:
        steps = [step.difference or 0.0 for step in found.increments if step.strategy == strategy]
        ends = [found.grid[strategy, level].value("fooled") or 0.0 for level in (0, 3)]
        assert sum(steps) == pytest.approx(ends[1] - ends[0])


def test_queries_are_ranked_by_how_often_they_fool(run: SweepRun) -> None:
    found = break_down(run, run.configurations[0], FEW)
    assert len(found.fragile) == len({cell.query.id for cell in run.cells})
    rates = [item.rate for item in found.fragile]
    assert rates == sorted(rates, reverse=True)
    assert sum(item.fooled for item in found.fragile) == found.overall["fooled"].successes


def test_the_json_report_holds_every_table(run: SweepRun, report: SweepReport) -> None:
    values = json.loads(json.dumps(report_json(report), allow_nan=False))
    assert (values["cells"], values["expected"], values["complete"]) == (192, 192, True)
    assert values["answers"] == 2 * 192 + 2
    assert values["unanswerable"]["questions"] == 2
    assert list(values["configurations"]) == ["k3", "k3-locked"]
    tables = values["configurations"]["k3"]["tables"]
    assert {"I", "II", "III", "scores", "grid", "increments", "residual", "types", "queries"} == set(tables)
    first = tables["I"][0]
    assert first["poisoned"] == "0 / 3"
    assert first["details"]["paper"]["fooled"] == 9.5
    assert first["fooled"] == 0.0
    assert {row["configuration"] for row in values["comparison"]} == {"k3", "k3-locked"}


def test_an_unfinished_sweep_is_reported_as_such(folder: Path, tmp_path: Path) -> None:
    for name in ("meta.json", "contexts.jsonl"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    lines = (folder / "samples.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "samples.jsonl").write_text("".join(lines[:7]) + lines[7][:40])
    made = sweep_report(load_sweep(tmp_path), resampling=FEW)
    assert not made.complete
    assert len(made.run.cells) == 7
    assert "not finished" in render_sweep_html(made)


def test_findings_and_examples_say_what_the_tables_hold(run: SweepRun) -> None:
    found = break_down(run, run.configurations[0], FEW)
    text = " ".join(findings(found))
    fooled = found.by_level[3].value("fooled")
    assert fooled is not None
    assert f"to {100 * fooled:.1f} %" in text
    assert "identical in 100.0 % of runs" in text
    for example in examples(found):
        assert example.changes
        assert example.clean_answer != example.poisoned_answer


def test_there_are_six_figures(run: SweepRun) -> None:
    found = break_down(run, run.configurations[0], FEW)
    drawn = list(draw_sweep(found))
    assert [drawing.name for drawing in drawn] == list(SWEEP_FIGURES)
    assert [name[0] for name in SWEEP_FIGURES] == list("123456")
    for drawing in drawn:
        assert drawing.png.startswith(b"\x89PNG")
        assert b"<svg" in drawing.svg
        assert drawing.alt
    assert drawn[1].alt.startswith("Entity swap: 0.0 % at 0 / 3, ")
    assert [d.svg for d in draw_sweep(found)] == [d.svg for d in drawn]


def test_figures_are_written_as_png_and_svg(report: SweepReport, tmp_path: Path) -> None:
    written = write_figures(report, tmp_path / "figures")
    assert len(written) == 2 * 2 * 6
    svg = next(path for path in written if path.suffix == ".svg").read_text()
    assert "<svg" in svg
    assert "dc:date" not in svg
    with pytest.raises(InputError, match="cannot write figures"):
        write_figures(report, Path(__file__) / "figures")


def test_the_html_report_needs_nothing_from_outside(report: SweepReport) -> None:
    html = render_sweep_html(report)
    assert html.count("<figure>") == 12
    assert not re.search(r"(?:src|href)=[\"']?https?:", html)
    assert "<script" not in html
    assert "paper 9.5" in html
    assert "Table II." in html


def test_hostile_answers_are_escaped(tmp_path: Path) -> None:
    hostile = Reader(lambda prompt, seed: "<script>alert(1)</script> " + first_passage(prompt) + "\x1b[31m")
    run_small(tmp_path, hostile, small_setup(4, 0))
    html = render_sweep_html(sweep_report(load_sweep(tmp_path), resampling=FEW))
    assert "<script>" not in html
    assert "\x1b" not in html


Judge = Callable[[str, str], tuple[float, float, float]]


def contained(premise: str, hypothesis: str) -> tuple[float, float, float]:
    return (0.9, 0.05, 0.05) if hypothesis.rstrip(".") in premise else (0.05, 0.9, 0.05)


def test_five_outcomes_are_judged_once_and_kept(folder: Path, run: SweepRun) -> None:
    nli = TableNLI(contained)
    judge_cells(folder, run.cells, Entailment(nli))
    outcomes = read_outcomes(folder, nli.identity)
    assert len(outcomes) == 2 * len(run.cells)
    for cell in run.cells:
        judged = outcomes[cell.record.key, "poisoned"]
        assert (judged.outcome is Outcome.ABSTAINED) is cell.attacked.abstained
        if cell.attacked.correct:
            assert judged.outcome is Outcome.CORRECT
        if cell.adopted and judged.outcome is not Outcome.CORRECT:
            assert judged.outcome is Outcome.ADOPTED
        assert outcomes[cell.record.key, "clean"].outcome is not Outcome.ADOPTED
    assert {o.outcome for o in outcomes.values()} >= {Outcome.CORRECT, Outcome.ABSTAINED, Outcome.ADOPTED}
    again = TableNLI(contained)
    judge_cells(folder, run.cells, Entailment(again))
    assert again.calls == []
    made = sweep_report(run, outcomes=outcomes, judge=nli.identity, resampling=FEW)
    table = made.configurations[0].tables[-1]
    assert table.number == "outcomes"
    for row in table.rows:
        shares = [v for k, v in row.values().items() if k != "cells" and v is not None]
        assert sum(shares) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("answer", "judge", "outcome"),
    [
        ("It was built by elves in a forest.", contained, Outcome.UNSUPPORTED),
        ("It was built by elves in a forest.", lambda p, h: (0.0, 0.2, 0.8), Outcome.CORRECT),
        ("The tower is old and grey.", lambda p, h: (0.9, 0.1, 0.0) if "tower" in h.lower() else (0, 1, 0), "by claim"),
        ("Not enough information", contained, Outcome.ABSTAINED),
    ],
)
def test_outcomes_of_single_answers(answer: str, judge: Judge, outcome: object, tmp_path: Path) -> None:
    run_small(tmp_path, Reader(lambda prompt, seed: answer), small_setup(6, 0))
    run = load_sweep(tmp_path)
    judge_cells(tmp_path, run.cells, Entailment(TableNLI(judge)))
    found = read_outcomes(tmp_path, "table-nli")
    wall_moon = [c for c in run.cells if c.query.id == "wall-moon"]
    other = [c for c in run.cells if c.query.id == "eiffel-city"]
    if outcome is Outcome.CORRECT:  # contradicts every claim: right where the label is REFUTES, wrong elsewhere
        assert {found[c.record.key, "clean"].outcome for c in wall_moon} == {Outcome.CORRECT}
        assert {found[c.record.key, "clean"].outcome for c in other} == {Outcome.WRONG}
    elif outcome == "by claim":  # entails the claims that name the tower
        assert {found[c.record.key, "clean"].outcome for c in other} == {Outcome.CORRECT}
    else:
        assert {judged.outcome for judged in found.values()} == {outcome}


def test_an_answer_entailed_by_poison_alone_is_adoption(tmp_path: Path) -> None:
    """The judge finds what scoring by values does not: a paraphrase of a poisoned passage."""

    run_small(tmp_path, Reader(lambda prompt, seed: "Something was restated in other words."), small_setup(2, 0))
    run = load_sweep(tmp_path)
    poisoned = {p.text for c in run.cells for p in c.poisoned_passages} - {
        p.text for c in run.cells for p in c.passages
    }
    nli = TableNLI(lambda p, h: (0.9, 0.1, 0.0) if p in poisoned else (0.1, 0.8, 0.1))
    judge_cells(tmp_path, run.cells, Entailment(nli))
    found = read_outcomes(tmp_path, nli.identity)
    for cell in run.cells:
        expected = Outcome.ADOPTED if cell.record.reached else Outcome.UNSUPPORTED
        assert found[cell.record.key, "poisoned"].outcome is expected
        assert found[cell.record.key, "clean"].outcome is Outcome.UNSUPPORTED


def test_a_changed_judgement_is_named(folder: Path, tmp_path: Path) -> None:
    outcomes_path(tmp_path, "x").write_text('{"key": "a", "arm": "clean", "outcome": "fine", "verdict": "SUPPORTS"}\n')
    with pytest.raises(InputError, match="not a judged answer"):
        read_outcomes(tmp_path, "x")


def test_depth_and_source_diversity_are_compared(tmp_path: Path) -> None:
    overrides = {
        "strategies": ["contradiction"],
        "k": [1, 3],
        "source_diversity": [False, True],
        "unit": "source",
        "levels": [0, 1],
    }
    run_small(tmp_path, setup=small_setup(4, 0, overrides))
    made = sweep_report(load_sweep(tmp_path), resampling=FEW)
    assert made.comparison is not None
    rows = {(row.labels["Configuration"], row.labels["Poisoned"]): row.values() for row in made.comparison.rows}
    assert len(rows) == 4 * 2
    changed = {name: rows[name, "1 source"]["changed"] for name in ("k1", "k3", "k3-diverse")}
    assert changed["k1"] == changed["k3-diverse"] == 1.0
    assert changed["k3"] is not None
    assert changed["k3"] > 1.0  # without diversity one source has several of the passages
    assert all(rows[name, "0 sources"]["changed"] == 0.0 for name in changed)


def test_queries_travel_with_the_folder(run: SweepRun) -> None:
    assert all(isinstance(query, SweepQuery) for query in run.queries)
    assert len(run.queries) == 8
