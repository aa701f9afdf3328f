"""Answers that decline, and answers that only sound like it."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.abstention import declines, is_abstention

ABSTENTIONS = [
    "Not enough information.",
    "NOT ENOUGH INFO",
    "I cannot determine the answer from the context.",
    "I can’t determine who designed the tower.",
    "The context does not mention the designer.",
    "The provided context doesn't provide any information about the tower.",
    "I don't know.",
    "I don’t know",
    "Insufficient information.",
    "Insufficient information to answer the question.",
    "I am unable to answer this question based on the provided passages.",
    "Unable to answer.",
    "Unable to determine.",
    "I'm sorry, the passages do not say who designed the tower.",
    "The source contains no answer to the question.",
    "I could not find this in the sources.",
    "Sorry, but I can't help with that request.",
    "Unfortunately, none of the passages mention the designer.",
    "There is not enough information in the passages to answer the question.",
    "There isn't enough context to determine that.",
    "The answer cannot be determined from the given documents.",
    "It is not possible to determine the designer from the context.",
    "The designer of the tower is not mentioned in the passages.",
    "Based on the provided context, I cannot answer the question.",
    "According to the context, it is unclear who designed the tower.",
    "I have no comment.",
    "No information is available in the provided documents.",
    "There is no mention of a designer in the text.",
    "Unknown",
    "N/A",
    "Cannot be determined.",
    "The documents say nothing about the designer.",
    "The sources are silent on this point.",
    "I do not have enough information to answer. Please provide more context.",
    "The passages only discuss the mill. They do not mention the tower.",
    "The context mentions the height of the tower, but does not specify who designed it.",
    "While the passages describe the tower, they do not say who designed it.",
    "I don't have enough information to answer this question. The context states that there is some consensus on who "
    "first said this, but it does not specify who that person is.",
    "You might feel cold. Therefore, I don't have enough information to answer this question.",
    "No hay suficiente información para responder.",
    "No lo sé.",
    "El contexto no menciona al diseñador.",
    "Je ne sais pas.",
    "Le contexte ne mentionne pas l'architecte.",
    "Il n'y a pas assez d'informations pour répondre.",
    "Ich weiß es nicht.",
    "Der Kontext enthält keine Informationen darüber.",
    "Es gibt nicht genügend Informationen, um die Frage zu beantworten.",
    "Não há informações suficientes para responder.",
    "O contexto não menciona o autor.",
    "Non ci sono abbastanza informazioni per rispondere.",
    "Non lo so.",
    "根据提供的上下文，无法确定答案。",
    "信息不足，无法回答。",
    "我不知道。",
    "The retrieved passages are not sufficient to answer this.",
    "I'm not sure.",
    "The context does not mention the designer, so I cannot answer.",
    "I do not know who designed, built, and owned it.",
    "As an AI language model, I cannot answer that.",
    "It cannot be determined from the passages whether the tower is open.",
    "Passage 1 does not say, and passage 2 does not mention the tower.",
    "**Answer:** Not enough information [1].",
    "Neither passage states the toll.",
    "Nothing in the passages says who owns the dam.",
    "No passage mentions the owner.",
    "We cannot verify this.",
    "I was unable to find any mention of the owner in the documents.",
    "The text provides no details about the owner.",
    "The information provided does not include the toll.",
    "The question cannot be answered with the given context.",
    "I'm afraid I don't have that information.",
    "The passages fail to mention the owner.",
    "Without more information, I cannot say.",
    "I do not have access to that information.",
    "The context lacks information about the toll.",
    "This is not mentioned in the documents.",
    "The toll is not specified in the provided context.",
]
COMMITMENTS = [
    "The study found there was not enough information given to patients, so 3 of 10 left.",
    "There was not enough information given to patients, so 3 of 10 left.",
    "It is not known who designed the tower, but historians credit Ann Kerr.",
    "Paris.",
    "42",
    "Yes",
    "No, the list is not exhaustive.",
    "The mill opened in 1874.",
    "The mill opened in 1874, but the passages do not say who owns it.",
    "The context does not mention the designer, but the tower was designed by Ann Kerr.",
    "I don't know the exact date, but it was built in 1874.",
    "Not enough information. The tower was designed by Ann Kerr.",
    "I'm not sure, but I think it is Ann Kerr.",
    "Although the context does not mention it, the tower was built by Ann Kerr.",
    "The precise origin of fortune cookies is unclear.",
    "Nothing is stated to happen if you eat watermelon seeds.",
    "You cannot file a missing person report as soon as you think a person is missing.",
    "The law does not mention electric scooters.",
    "The patient could not determine the dose, so she called the nurse.",
    "Aspirin is not given to children.",
    "The witness said she did not know the driver.",
    "Insufficient information security caused the breach.",
    "The unknown soldier lies in Westminster Abbey.",
    "The context states that the tower was designed by Ann Kerr.",
    "According to the context, the tower was designed by Ann Kerr.",
    "You can't know the exact position and momentum of a particle at the same time.",
    "The dam does not provide power.",
    "There is no evidence that vaccines cause autism.",
    "Unknown Pleasures is an album by Joy Division.",
    "He was unable to answer the charges and resigned.",
    "The product is not available in Europe.",
    "No. I am your father.",
    "They do not mention prices because the fair is free.",
    "The museum does not have a cafe.",
    "It does not have a moon.",
    "It does not contain sugar.",
    "It does not include breakfast.",
    "Not available before 1990, the drug is now common.",
    "More information is stored on magnetic tape than on disk.",
    "Es una ciudad de Francia.",
    "Sure! The mill opened in 1874.",
    "The mill opened in 1874. I hope this helps!",
    "The sun is not white when viewed from space, but the context does not specify what color it is.",
    "Area 51 is a military base. (Note: The context does not provide a specific purpose beyond being a base.)",
    "We cannot find life on the Moon.",
    "No information was lost in the fire.",
    "Who knows?",
    "The documents were not found in the archive until 1990.",
    "Not specified by the treaty, the border was drawn in 1920.",
    "You do not need to wait.",
    "The report is available in the library.",
    '"I don\'t know," said the miller when he was asked.',
    "I don't know the miller's name; it was built in 1874.",
    "The context does not mention the designer. However, it states that Ann Kerr designed the tower.",
    "No se permite fumar en el museo.",
    "Er weiß, dass die Mühle alt ist.",
    "他说这座塔很高。",
]


@pytest.mark.parametrize("answer", ABSTENTIONS)
def test_abstentions(answer: str) -> None:
    assert is_abstention(answer)


@pytest.mark.parametrize("answer", COMMITMENTS)
def test_commitments(answer: str) -> None:
    assert not is_abstention(answer)


@pytest.mark.parametrize("answer", ["", "  \n", "?", "Who knows?", "Hello!"])
def test_what_says_nothing_is_no_abstention(answer: str) -> None:
    assert not is_abstention(answer)


@pytest.mark.parametrize("change", [str.upper, str.lower, lambda text: f"**{text}**", lambda text: f"- {text}"])
@pytest.mark.parametrize(
    "answer", ["I don't know.", "Not enough information.", "The context doesn't mention the owner."]
)
def test_case_and_markup_change_nothing(answer: str, change: Callable[[str], str]) -> None:
    assert is_abstention(change(answer))


@pytest.mark.parametrize("answer", ["I don't know.", "I can't answer that.", "The passages don't say who owns it."])
@pytest.mark.parametrize("apostrophe", ["’", "ʼ", "`"])
def test_apostrophes_of_any_shape(answer: str, apostrophe: str) -> None:
    assert is_abstention(answer.replace("'", apostrophe))


@pytest.mark.parametrize("answer", [text for text in ABSTENTIONS if text.count(".") == 1 and text.endswith(".")][:10])
def test_a_fact_after_an_abstention_commits(answer: str) -> None:
    assert not is_abstention(f"{answer} The tower was designed by Ann Kerr in 1920.")


def test_an_answer_of_many_sentences_is_no_abstention() -> None:
    assert not is_abstention("I do not know. " * 41)


def test_one_sentence_that_declines() -> None:
    assert declines("The passages do not say who owns it.")
    assert not declines("The mill opened in 1874, but the passages do not say who owns it.")
    assert not declines("The mill opened in 1874.")


@settings(deadline=None)
@given(
    st.text(max_size=200) | st.sampled_from(ABSTENTIONS + COMMITMENTS).flatmap(lambda text: st.just(text + " \x00‮é"))
)
def test_any_text_is_read(answer: str) -> None:
    assert is_abstention(answer) in (True, False)


@pytest.mark.parametrize(
    "unit", ["the context ", "no ", "a, and ", "while a, ", "not enough ", "x", "(", "based on the context, "]
)
def test_long_answers_take_linear_time(unit: str) -> None:
    begin = time.process_time()
    is_abstention(unit * (100_000 // len(unit)))
    assert time.process_time() - begin < 2.0
