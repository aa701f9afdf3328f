"""What an answer states, and the measures made of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.datasets.sweep_queries import load_queries
from ragstone.experiments.sweep.scoring import content_overlap, keyword_present, polarity, score_answer
from ragstone.experiments.sweep.values import Kind, Value, denies, folded, states

QUERIES = {query.id: query for query in load_queries()}


@pytest.mark.parametrize(
    ("text", "value", "stated"),
    [
        ("It stands in PARIS.", "Paris", True),
        ("It is not in Paris.", "Paris", False),
        ("It isn't in Madrid but in Paris.", "Paris", True),
        ("No, it is in Paris.", "Paris", True),
        ("A comparison", "Paris", False),
        ("Maria Sklodowska", "Maria Skłodowska", False),
        ("Emile Nouguier", "Émile Nouguier", True),
        ("Stratford upon Avon", "Stratford-upon-Avon", True),
        ("It is about 8849 m high.", "8,849 metres", True),
        ("It is 8,850 metres high.", "8,849 metres", True),
        ("It is 29,032 feet high.", "8,849 metres", True),
        ("It is 9,849 metres high.", "8,849 metres", False),
        ("It carried twenty lifeboats.", "20", True),
        ("On July 20, 1969.", "20 July 1969", True),
        ("In 1969.", "20 July 1969", True),
        ("On 21 July 1969.", "20 July 1969", False),
        ("On 20 July.", "20 July 1969", True),
        ("In July.", "20 July 1969", False),
        ("In 1972.", "20 July 1969", False),
    ],
)
def test_a_value_is_found_however_it_is_written(text: str, value: str, stated: bool) -> None:
    assert states(text, Value.of(value)) is stated


def test_the_kind_of_a_value_is_read_from_its_spelling() -> None:
    assert [Value.of(text).kind for text in ("Paris", "1911", "20 lifeboats", "9 November 1989")] == [
        Kind.PHRASE,
        Kind.DATE,
        Kind.NUMBER,
        Kind.DATE,
    ]


def test_denying_is_not_the_same_as_not_mentioning() -> None:
    paris = Value.of("Paris")
    assert denies("The tower was never in Paris.", paris)
    assert not denies("The tower is in Madrid.", paris)
    assert not denies("It is not in Paris, France, they say; it is in Paris, Texas.", paris)


@pytest.mark.parametrize(
    ("query", "answer", "said"),
    [
        ("obama-44th", "Yes.", "yes"),
        ("obama-44th", "The answer is: No", "no"),
        ("obama-44th", "Barack Obama was the 44th President of the United States.", "yes"),
        ("obama-44th", "Barack Obama was never the 44th President of the United States.", "no"),
        ("obama-44th", "He was born in Hawaii.", None),
        ("apollo-collins", "Michael Collins did not walk on the Moon.", "no"),
        ("hamlet-scotland", "Hamlet is set in Denmark.", "no"),
        ("hamlet-scotland", "Hamlet is set in Scotland.", "yes"),
        ("mona-lisa-michelangelo", "Leonardo da Vinci painted it.", "no"),
        ("eiffel-height", "The Eiffel Tower is 330 metres high.", "yes"),
        ("eiffel-height", "The Eiffel Tower is 230 metres high.", None),
        ("wall-moon", "The Great Wall of China cannot be seen from the Moon with the naked eye.", "no"),
    ],
)
def test_what_an_answer_says_to_a_yes_or_no_question(query: str, answer: str, said: str | None) -> None:
    assert polarity(answer, QUERIES[query]) == said


@pytest.mark.parametrize(
    ("query", "answer", "keyword", "correct", "verdict"),
    [
        ("eiffel-city", "The Eiffel Tower is in Paris.", True, True, "SUPPORTS"),
        ("eiffel-city", "The Eiffel Tower is not in Paris.", True, False, "REFUTES"),
        ("eiffel-city", "The Eiffel Tower is in Madrid.", False, False, "REFUTES"),
        ("eiffel-city", "Not enough information.", False, False, "NOT ENOUGH INFO"),
        ("eiffel-city", "It is a tower made of iron.", False, False, "NOT ENOUGH INFO"),
        ("eiffel-city", "", False, False, "NOT ENOUGH INFO"),
        ("everest-height", "8849 m", False, True, "SUPPORTS"),
        ("everest-height", "Mount Everest is 5,200 metres high.", False, False, "REFUTES"),
        ("titanic-lifeboats", "It sank in 1912 and was found in 2012.", False, False, "NOT ENOUGH INFO"),
        ("obama-deputy", "Vice President Biden.", True, True, "SUPPORTS"),
        ("apollo-collins", "No, he stayed in orbit.", True, True, "REFUTES"),
        ("apollo-collins", "Michael Collins did not walk on the Moon.", False, True, "REFUTES"),
    ],
)
def test_keyword_and_normalised_scores(query: str, answer: str, keyword: bool, correct: bool, verdict: str) -> None:
    score = score_answer(answer, QUERIES[query], ["any passage"])
    assert (score.keyword, score.correct, score.verdict) == (keyword, correct, verdict)
    assert score.right_verdict is (verdict == QUERIES[query].label)


def test_overlap_is_the_papers_equation_3() -> None:
    passages = ["The tower stands in Paris.", "It was finished in 1889."]
    assert content_overlap("The tower was finished by elves in 1889", passages) == pytest.approx(3 / 4)
    assert content_overlap("Yes.", passages) is None
    low = score_answer("Elves from Norway forged seven golden towers in Paris", QUERIES["eiffel-city"], passages)
    assert low.overlap == pytest.approx(1 / 7)
    assert low.unsupported
    assert low.keyword
    abstains = score_answer("Not enough information", QUERIES["eiffel-city"], passages)
    assert abstains.abstained
    assert not abstains.unsupported


def test_the_boundary_of_unsupported_is_excluded() -> None:
    answer = "tower stands finished alpha beta gamma delta epsilon zeta eta"  # 3 of 10 words
    assert not score_answer(answer, QUERIES["eiffel-city"], ["tower stands finished"]).unsupported
    assert score_answer(answer + " theta", QUERIES["eiffel-city"], ["tower stands finished"]).unsupported


@given(st.text(max_size=200), st.sampled_from(sorted(QUERIES)))
def test_any_text_can_be_scored(answer: str, query: str) -> None:
    score = score_answer(answer, QUERIES[query], ["The Eiffel Tower is in Paris."])
    assert score.overlap is None or 0.0 <= score.overlap <= 1.0
    assert not (score.correct and score.abstained)
    assert keyword_present(answer, QUERIES[query]) is score.keyword
    assert folded(folded(answer)) == folded(answer)
