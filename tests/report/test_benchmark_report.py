"""The benchmark's page and files: whole, self-contained, and telling what they must tell."""

from __future__ import annotations

import csv
import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest

from benchmark_fakes import run_small, setup_of
from ragstone.experiments.answers import NoAnswers
from ragstone.experiments.stored_runs import StoredRun, load_run
from ragstone.experiments.tables import Column, Table
from ragstone.experiments.value_rows import ValueRow
from ragstone.figures import detection_figures
from ragstone.report.benchmark import benchmark_report, write_benchmark_report
from ragstone.report.benchmark_facts import command_of, notices_of
from ragstone.report.benchmark_tables import to_csv, to_markdown
from ragstone.stats import Interval


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> StoredRun:
    folder = tmp_path_factory.mktemp("reported") / "run"
    run_small(folder, setup=setup_of("instruction_injection", "mixed", n=12))
    return load_run(folder)


@pytest.fixture(scope="module")
def written(run: StoredRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    assert write_benchmark_report(run, folder, resamples=50) == folder / "index.html"
    return folder


class _References(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.alternatives: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.found += [value for key in ("src", "href") if (value := values.get(key))]
        if tag == "img":
            self.alternatives.append(values.get("alt"))


def test_the_page_needs_nothing_from_outside_and_describes_its_figures(written: Path) -> None:
    page = _References()
    page.feed((written / "index.html").read_text(encoding="utf-8"))
    assert page.alternatives
    assert all(page.alternatives)
    assert all(reference.startswith(("#", "data:image/svg+xml;base64,")) for reference in page.found)


def test_every_figure_and_table_is_a_file_too(written: Path) -> None:
    names = {path.stem for path in (written / "figures").glob("*.svg")}
    assert names == {path.stem for path in (written / "figures").glob("*.png")}
    assert {"strategies", "trust", "roc", "reliability", "confusion", "signals", "trivial", "ablation"} <= names
    for path in (written / "figures").glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")
    tables = {path.stem for path in (written / "tables").glob("*.csv")}
    assert tables == {path.stem for path in (written / "tables").glob("*.md")}
    assert {"retrieval", "document", "paper", "exposure", "passages", "signals", "trivial", "controls"} <= tables


def test_the_page_shows_the_same_numbers_as_the_files(written: Path) -> None:
    page = (written / "index.html").read_text(encoding="utf-8")
    rows = list(csv.DictReader(StringIO((written / "tables" / "retrieval.csv").read_text(encoding="utf-8"))))
    assert [row["Strategy"] for row in rows] == ["Instruction injection", "Mixed"]
    for row in rows:
        assert f"<td>{float(row['Acc. %']):.1f}<small>" in page


def test_figures_are_the_same_bytes_each_time(run: StoredRun) -> None:
    first, second = detection_figures(run), detection_figures(run)
    assert [(d.name, d.svg, d.png) for d in first] == [(d.name, d.svg, d.png) for d in second]


def test_text_in_figures_stays_text(written: Path) -> None:
    assert re.search(r"<text[^>]*>Instruction", (written / "figures" / "trust.svg").read_text(encoding="utf-8"))


def test_the_command_can_be_run_again(run: StoredRun) -> None:
    command = command_of(run)
    assert command.startswith("ragstone bench detect --dataset truthfulqa --split all --n 12 --k 3 ")
    assert "--strategy instruction_injection,mixed" in command
    meta = {**run.meta, "names": {"generator": "gguf:/models/a.gguf", "embedder": "minilm"}, "controls": False}
    assert "--generator gguf:a.gguf --embedder minilm --no-controls" in command_of(StoredRun("r", meta, run.records))


def test_what_makes_figures_no_result_is_said(run: StoredRun) -> None:
    assert any("never misled" in notice for notice in notices_of(run))
    part = StoredRun("r", {**run.meta, "split": "tune"}, run.records[:20])
    assert [n for n in notices_of(part) if "20 of 48 samples" in n]
    assert [n for n in notices_of(part) if "for tuning" in n]


def test_a_run_without_answers_is_reported_without_studies(tmp_path: Path) -> None:
    run_small(tmp_path / "run", "mixed", answers=NoAnswers())
    report = benchmark_report(load_run(tmp_path / "run"), resamples=20)
    assert "ablation-retrieval" not in {table.number for table in report.tables}
    assert "without factuality" in report.html()


TABLE = Table(
    "t",
    "A | title",
    (Column("recall", "Rec. %", 1), Column("delta", "Δ", 3, percent=False)),
    (
        ValueRow({"Name": "a|b"}, {"recall": 2 / 3, "delta": None}, {"recall": Interval(0.1, 0.9)}),
        ValueRow({"Name": "c"}, {"recall": None, "delta": -0.5}),
    ),
)


def test_markdown_rounds_and_csv_does_not() -> None:
    assert to_markdown(TABLE).splitlines()[2:] == [
        "| Name | Rec. % | Δ |",
        "|:--|--:|--:|",
        "| a\\|b | 66.7 (10.0 to 90.0) | n/a |",
        "| c | n/a | -0.500 |",
    ]
    assert to_csv(TABLE).splitlines() == [
        'Name,Rec. %,Δ,"Rec. %, low","Rec. %, high"',
        "a|b,66.6666666667,,10.0,90.0",
        "c,,-0.5,,",
    ]
