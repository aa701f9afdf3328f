"""Windows, cache and what a failing model gives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import TableNLI, WordEmbedder
from ragstone.backends.encoder import Encoder
from ragstone.backends.entailment import Entailment
from ragstone.errors import BackendError, InputError, ModelError

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


@pytest.mark.parametrize("row", [(3.0, 2.0, 1.0), (0.0, 0.0, 0.0), (0.2, 0.2, 0.2)])
def test_rows_that_do_not_sum_to_one_are_a_failure(row: tuple[float, float, float]) -> None:
    with pytest.raises(BackendError, match="sum to 1"):
        Entailment(TableNLI(lambda p, h: row)).judge([("a", "b")])


class Broken(TableNLI):
    """Raises, or returns, ``outcome``."""

    def __init__(self, outcome: Any, *, counting: bool = False) -> None:
        super().__init__(lambda p, h: NEUTRAL, max_tokens=40)
        self.outcome = outcome
        self.counting = counting

    def count_tokens(self, text: str) -> int:
        if self.counting:
            raise self.outcome
        return super().count_tokens(text)

    def score(self, pairs: Any) -> Any:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


@pytest.mark.parametrize("counting", [False, True])
@pytest.mark.parametrize("error", [RuntimeError("no memory"), KeyError("x"), TimeoutError("late"), ModelError("gone")])
def test_whatever_a_model_raises_is_a_backend_error(error: Exception, counting: bool) -> None:
    with pytest.raises(BackendError, match="table-nli"):
        Entailment(Broken(error, counting=counting)).judge([("a", "b")])


@pytest.mark.parametrize("outcome", [None, "text", [], [[0.5, 0.5]], [[1.0], [1.0, 0.0]], [[0.2, 0.3, 0.5]] * 2])
def test_whatever_else_a_model_returns_is_a_backend_error(outcome: Any) -> None:
    with pytest.raises(BackendError, match="table-nli"):
        Entailment(Broken(outcome)).judge([("a", "b")])


def test_a_model_that_reads_next_to_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="max_tokens"):
        Entailment(TableNLI(lambda p, h: NEUTRAL, max_tokens=10))


@given(st.floats(0, 1), st.floats(0, 1))
def test_probabilities_stay_probabilities(e: float, k: float) -> None:
    total = max(1.0, e + k)
    row = (e / total, max(0.0, 1.0 - e / total - k / total), k / total)
    (result,) = Entailment(TableNLI(lambda p, h: row)).judge([("a", "b")])
    assert min(result.entailment, result.neutral, result.contradiction) >= 0.0
    assert result.entailment + result.neutral + result.contradiction == pytest.approx(1.0)


@pytest.mark.parametrize("hypothesis_words", [1, 5, 12, 18, 30])
def test_no_pair_given_to_the_model_is_longer_than_it_reads(hypothesis_words: int) -> None:
    """With the four special tokens that BART and RoBERTa put into a pair."""
    nli = TableNLI(lambda p, h: NEUTRAL, max_tokens=40)
    Entailment(nli).judge([("one two three four five " * 40, "word " * hypothesis_words)])
    assert max(len(p.split()) + len(h.split()) for p, h in nli.calls) <= 40 - 4


def test_claims_of_like_length_share_the_windows_of_a_long_premise() -> None:
    embedder = WordEmbedder()
    embedded: list[str] = []
    original = embedder.embed
    embedder.embed = lambda texts: embedded.extend(texts) or original(texts)  # type: ignore[method-assign,func-returns-value]
    premise = " ".join(f"Sentence number {i} is about the harbour and its ships." for i in range(200))
    claims = [f"{'Ships ' * n}sail" for n in (3, 4, 5, 6)]
    nli = TableNLI(lambda p, h: NEUTRAL, max_tokens=100)
    Entailment(nli, encoder=Encoder(embedder)).judge([(premise, claim) for claim in claims])
    assert len(embedded) < 2 * 200 * 10 / 80


def test_the_cache_does_not_keep_long_texts_alive() -> None:
    entailment = Entailment(TableNLI(lambda p, h: NEUTRAL))
    entailment.judge([("word " * 100_000, "claim")])
    assert sum(len(key) for key in entailment._cache._values) < 100


def test_pairs_are_told_apart_by_where_one_text_ends() -> None:
    nli = TableNLI(lambda p, h: NEUTRAL)
    Entailment(nli).judge([("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc")])
    assert len(nli.calls) == 4
