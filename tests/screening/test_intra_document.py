"""A passage against itself."""

from __future__ import annotations

import tracemalloc

import pytest

from fakes import TableNLI, WordEmbedder
from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.screening.batch import Batch
from ragstone.screening.intra_document import intra_document_findings
from ragstone.settings import ScreeningSettings
from ragstone.types import as_passages

TEXT = "The bridge was built in 1880. It was not built in 1880."


def batch(nli: TableNLI, *texts: str) -> Batch:
    return Batch(as_passages(texts), Encoder(WordEmbedder()), Entailment(nli), ScreeningSettings())


@pytest.mark.parametrize("paper", [True, False])
def test_the_second_half_is_named_when_it_contradicts_the_first(paper: bool) -> None:
    (finding,) = intra_document_findings(batch(TableNLI(lambda p, h: (0.0, 0.1, 0.9)), TEXT), paper=paper)
    assert TEXT[finding.start : finding.end] == "It was not built in 1880."
    assert 0.5 < finding.severity < 0.7


def test_halves_that_agree_give_nothing() -> None:
    assert intra_document_findings(batch(TableNLI(lambda p, h: (0.9, 0.1, 0.0)), TEXT), paper=False) == []


def test_a_single_sentence_has_no_halves() -> None:
    nli = TableNLI(lambda p, h: (0.0, 0.0, 1.0))
    assert intra_document_findings(batch(nli, "The bridge was built in 1880."), paper=False) == []
    assert nli.calls == []


def test_a_long_passage_costs_a_few_pairs() -> None:
    nli = TableNLI(lambda p, h: (0.0, 1.0, 0.0))
    long = " ".join(f"The bridge over the river was built by the town in {1700 + i}." for i in range(200))
    assert intra_document_findings(batch(nli, long), paper=False) == []
    assert 0 < len(nli.calls) <= 3


def test_a_passage_of_thousands_of_sentences_needs_no_table_of_all_their_pairs() -> None:
    """6,000 sentences: 9 million pairs, of which no more than a block is held at a time."""
    nli = TableNLI(lambda p, h: (0.0, 1.0, 0.0))
    b = batch(nli, " ".join(f"Item {i} is here." for i in range(6000)))
    assert sum(map(len, b.statements)) == 6000
    b.statement_vectors  # noqa: B018
    tracemalloc.start()
    intra_document_findings(b, paper=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40 * 2**20
