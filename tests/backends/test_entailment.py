"""Windows, cache and what a failing model gives."""

from __future__ import annotations

import pytest

from fakes import TableNLI, WordEmbedder
from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.errors import BackendError

NEUTRAL = (0.0, 1.0, 0.0)


def test_repeated_pairs_are_scored_once() -> None:
    nli = TableNLI(lambda p, h: NEUTRAL)
    entailment = Entailment(nli)
    assert len(entailment.judge([("a", "b"), ("a", "b"), ("b", "a")])) == 3
    entailment.judge([("a", "b")])
    assert nli.calls == [("a", "b"), ("b", "a")]
    assert entailment.pairs_scored == 2


def test_no_pairs_no_call() -> None:
    nli = TableNLI(lambda p, h: NEUTRAL)
    assert Entailment(nli).judge([]) == []
    assert nli.calls == []


def test_the_decisive_window_speaks_for_a_long_premise() -> None:
    filler = "The weather was mild that day and nobody complained about it. "
    premise = filler * 3 + "Ann wrote the report in March. " + filler * 3
    nli = TableNLI(lambda p, h: (0.9, 0.1, 0.0) if "Ann" in p else (0.1, 0.9, 0.0), max_tokens=40)
    (result,) = Entailment(nli).judge([(premise, "Ann wrote the report.")])
    assert result.entailment == pytest.approx(0.9)
    assert "Ann wrote the report" in premise[result.start : result.end]
    assert result.end - result.start < len(premise)
    assert len(nli.calls) > 1


def test_every_word_of_a_long_premise_is_read() -> None:
    words = [f"word{i}" for i in range(500)]
    nli = TableNLI(lambda p, h: NEUTRAL, max_tokens=50)
    Entailment(nli).judge([(" ".join(words), "short claim")])
    assert {w for premise, _ in nli.calls for w in premise.split()} == set(words)


def test_a_long_hypothesis_is_entailed_as_far_as_its_weakest_part() -> None:
    claim = "Ann wrote the first part of the long report. " * 3 + "Bob wrote the second part of it in May."
    nli = TableNLI(lambda p, h: (0.1, 0.1, 0.8) if "Bob" in h else (0.9, 0.1, 0.0), max_tokens=40)
    (result,) = Entailment(nli).judge([("Ann wrote it.", claim)])
    assert result.entailment == pytest.approx(0.1)
    assert result.contradiction == pytest.approx(0.8)
    assert result.entailment + result.neutral + result.contradiction == pytest.approx(1.0)


@pytest.mark.parametrize("row", [(float("nan"), 0.5, 0.5), (-0.2, 0.6, 0.6)])
def test_what_is_no_probability_is_a_failure(row: tuple[float, float, float]) -> None:
    with pytest.raises(BackendError, match="table-nli"):
        Entailment(TableNLI(lambda p, h: row)).judge([("a", "b")])


def test_with_an_encoder_only_the_nearest_windows_are_judged_and_the_rest_counted() -> None:
    filler = [f"Number {i} of the committee spoke about bananas and the weather for an hour." for i in range(60)]
    premise = " ".join([*filler, "Ann wrote the report in March.", *filler])
    nli = TableNLI(lambda p, h: (0.9, 0.1, 0.0) if "Ann" in p else NEUTRAL, max_tokens=60)
    (result,) = Entailment(nli, encoder=Encoder(WordEmbedder())).judge([(premise, "Ann wrote the report.")])
    assert result.entailment == pytest.approx(0.9)
    assert 0 < len(nli.calls) <= 4  # equal windows are judged once
    assert result.skipped > 10
