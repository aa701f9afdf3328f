"""Conflicts are facts about pairs; a culprit is named only when it stands alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from fakes import TableNLI, WordEmbedder
from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.screening.batch import Batch
from ragstone.screening.cross_document import (
    MOST_NEIGHBOURS,
    STATEMENTS_PER_PAIR,
    compare,
    consistency,
    cross_document_findings,
)
from ragstone.settings import ScreeningSettings
from ragstone.types import as_passages

BUILT = "The old bridge over the river was built by the town in {}."
OFF = "Bananas contain potassium."


def capital_nli(premise: str, hypothesis: str) -> tuple[float, float, float]:
    """Contradiction when both name a year and the years differ."""
    years = [{w for w in t.replace(".", "").split() if w.isdigit()} for t in (premise, hypothesis)]
    if not all(years):
        return (0.0, 1.0, 0.0)
    return (0.9, 0.1, 0.0) if years[0] & years[1] else (0.0, 0.1, 0.9)


def batch(*texts: str) -> Batch:
    encoder, entailment = Encoder(WordEmbedder()), Entailment(TableNLI(capital_nli))
    return Batch(as_passages(texts), encoder, entailment, ScreeningSettings())


def test_one_against_agreeing_neighbours_is_named_and_nobody_else() -> None:
    b = batch(BUILT.format(1880), BUILT.format(1880), BUILT.format(1930), OFF)
    comparison = compare(b, paper=False)
    (finding,) = cross_document_findings(b, comparison)
    assert finding.passage_id == "p3"
    assert finding.evidence["against"] == ["p1", "p2"]
    assert b.passages[2].text[finding.start : finding.end] == BUILT.format(1930)
    assert consistency(comparison) == pytest.approx(1 / 3)


def test_two_at_odds_lower_consistency_and_name_no_culprit() -> None:
    b = batch(BUILT.format(1880), BUILT.format(1930))
    comparison = compare(b, paper=False)
    assert consistency(comparison) == 0.0
    assert cross_document_findings(b, comparison) == []
    conflict = comparison.conflicts[0, 1]
    assert (conflict.first_id, conflict.second_id) == ("p1", "p2")


def test_a_tie_of_two_against_two_names_no_culprit() -> None:
    b = batch(*[BUILT.format(year) for year in (1880, 1880, 1930, 1930)])
    assert cross_document_findings(b, compare(b, paper=False)) == []


def test_three_different_values_name_no_culprit() -> None:
    b = batch(*[BUILT.format(year) for year in (1880, 1890, 1930)])
    assert cross_document_findings(b, compare(b, paper=False)) == []


def test_other_topics_are_not_compared() -> None:
    comparison = compare(batch(BUILT.format(1880), OFF), paper=False)
    assert consistency(comparison) is None


def test_a_contradiction_in_one_direction_only_is_no_conflict() -> None:
    b = batch(BUILT.format(1880), BUILT.format(1930))
    one_way = TableNLI(lambda p, h: (0.0, 0.1, 0.9) if "1880" in p else (0.0, 1.0, 0.0))
    b = replace(b, entailment=Entailment(one_way))
    assert consistency(compare(b, paper=False)) == 1.0


def test_the_paper_compares_whole_passages_unless_both_are_short() -> None:
    long = BUILT.format(1880) + " It is crossed by many people on their way to work every day of the week."
    assert consistency(compare(batch(BUILT.format(1880), BUILT.format(1930)), paper=True)) is None
    assert consistency(compare(batch(long, BUILT.format(1930)), paper=True)) == 0.0


def test_order_does_not_matter() -> None:
    texts = [BUILT.format(1880), BUILT.format(1880), BUILT.format(1930), OFF]
    for order in permutations(range(4)):
        b = batch(*[texts[i] for i in order])
        comparison = compare(b, paper=False)
        (finding,) = cross_document_findings(b, comparison)
        assert next(p.text for p in b.passages if p.id == finding.passage_id) == BUILT.format(1930)
        assert consistency(comparison) == pytest.approx(1 / 3)


def test_the_work_of_many_passages_on_one_topic_grows_with_their_number_and_not_its_square() -> None:
    texts = [f"The old bridge over the river was built by the town in {year}." for year in range(1500, 1600)]
    b = batch(*texts)
    comparison = compare(b, paper=False)
    assert 0 < len(comparison.compared) <= MOST_NEIGHBOURS * len(texts)
    assert comparison.skipped == 100 * 99 // 2 - len(comparison.compared)
    assert b.entailment.pairs_scored <= 2 * STATEMENTS_PER_PAIR * MOST_NEIGHBOURS * len(texts)


def test_the_same_holds_for_whole_passages() -> None:
    texts = [BUILT.format(year) + " It is crossed by many people on their way to work." for year in range(1500, 1560)]
    comparison = compare(batch(*texts), paper=True)
    assert 0 < len(comparison.compared) <= MOST_NEIGHBOURS * len(texts)
    assert comparison.skipped == 60 * 59 // 2 - len(comparison.compared)


@pytest.mark.parametrize("paper", [False, True])
def test_up_to_twenty_one_passages_are_compared_each_with_each(paper: bool) -> None:
    texts = [BUILT.format(year) + " It is crossed by many people on their way to work." for year in range(1500, 1521)]
    comparison = compare(batch(*texts), paper=paper)
    assert (len(comparison.compared), comparison.skipped) == (210, 0)


def test_passages_without_a_sentence_are_compared_with_nothing() -> None:
    assert consistency(compare(batch("!!!", BUILT.format(1880), "—"), paper=False)) is None
    assert consistency(compare(batch("!!!", "—"), paper=False)) is None
