"""The pipeline: the order of its stages, and what a failure of each one gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from fakes import TableNLI, WordEmbedder
from ragstone import Document, Guard, Rag, Retriever, Settings
from ragstone.backends.protocols import Generation, Message
from ragstone.errors import BackendError, EmptyAnswerError, InputError, ModelError
from ragstone.types import Action

DOCUMENTS = [
    Document("mill", "The old mill opened in 1880.", source="chronicle"),
    Document("bread", "The bakery sells bread daily."),
    Document("tower", "The tower is closed in winter."),
]
QUESTION = "When was the old mill opened?"


def says(premise: str, hypothesis: str) -> tuple[float, float, float]:
    return (0.9, 0.1, 0.0) if "1880" in premise and "1880" in hypothesis else (0.0, 0.9, 0.1)


class Scripted:
    """A generator that answers with ``reply``, or raises it; it remembers what it was asked."""

    identity = "scripted"

    def __init__(self, reply: str | Exception) -> None:
        self.reply = reply
        self.prompts: list[str] = []

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        self.prompts.append("\n".join(message.content for message in messages))
        if isinstance(self.reply, Exception):
            raise self.reply
        return Generation(self.reply)


@pytest.fixture
def pipeline() -> Callable[..., Rag]:
    def build(reply: str | Exception, nli: Any = None, documents: Sequence[Document] = DOCUMENTS) -> Rag:
        embedder = WordEmbedder()
        settings = Settings()
        retriever = Retriever(embedder, settings=settings)
        retriever.index(documents)
        return Rag(retriever, Scripted(reply), Guard(settings, embedder=embedder, nli=nli or TableNLI(says)))

    return build


def test_an_answer_is_generated_from_the_passages_and_scored(pipeline: Callable[..., Rag]) -> None:
    rag = pipeline("The old mill opened in 1880.")
    answer = rag.ask(QUESTION, k=2)
    assert len(answer.passages) == 2
    assert answer.passages[0].id == "mill"
    assert answer.text == "The old mill opened in 1880."
    assert answer.verdict.trustworthy
    assert answer.verdict.screening is answer.screening
    (prompt,) = cast(Scripted, rag.generator).prompts
    assert DOCUMENTS[0].text in prompt
    assert QUESTION in prompt
    assert {"retrieval", "screening", "generation", "verification", "total"} == set(answer.timings)
    assert answer.timings["total"] == pytest.approx(sum(v for k, v in answer.timings.items() if k != "total"))


def test_the_same_question_gives_the_same_answer_and_verdict(pipeline: Callable[..., Rag]) -> None:
    assert pipeline("In 1880.").ask(QUESTION) == pipeline("In 1880.").ask(QUESTION)


@pytest.mark.parametrize(
    "failure", [BackendError("connection refused"), EmptyAnswerError("only reasoning came"), ModelError("file changed")]
)
def test_a_generator_that_fails_leaves_an_unscored_verdict_with_the_screening(
    pipeline: Callable[..., Rag], failure: Exception
) -> None:
    answer = pipeline(failure).ask(QUESTION)
    assert answer.text == ""
    assert answer.verdict.action is Action.UNSCORED
    assert answer.verdict.trust is None
    assert answer.verdict.unscored_reason == f"generation failed: {failure}"
    assert answer.screening is not None
    assert answer.verdict.screening is answer.screening


def test_an_abstention_is_unscored(pipeline: Callable[..., Rag]) -> None:
    answer = pipeline("I don't know.").ask(QUESTION)
    assert answer.verdict.action is Action.UNSCORED
    assert "abstains" in (answer.verdict.unscored_reason or "")
    assert answer.text == "I don't know."


def test_nothing_is_generated_when_screening_fails(pipeline: Callable[..., Rag]) -> None:
    def failing(premise: str, hypothesis: str) -> tuple[float, float, float]:
        raise BackendError("out of memory")

    two_sided = [Document("mill", "The old mill opened in 1880. The old mill is closed.")]
    rag = pipeline("It opened in 1880.", TableNLI(failing), two_sided)
    answer = rag.ask(QUESTION)
    assert answer.verdict.unscored_reason == "screening failed: out of memory"
    assert cast(Scripted, rag.generator).prompts == []


@pytest.mark.parametrize("question", ["", " \n", None, 3])
def test_an_unusable_question_is_an_input_error(pipeline: Callable[..., Rag], question: Any) -> None:
    with pytest.raises(InputError, match="question"):
        pipeline("x").ask(question)


def test_a_lone_surrogate_in_the_question_does_no_harm(pipeline: Callable[..., Rag]) -> None:
    answer = pipeline("It opened in 1880.").ask("When \ud800 did it open?")
    assert answer.question == "When \ufffd did it open?"


def test_a_pipeline_can_be_made_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ragstone.guard
    import ragstone.retrieval

    (tmp_path / "mill.txt").write_text(DOCUMENTS[0].text)
    monkeypatch.setattr("ragstone.backends.open_embedder", lambda name, settings=None: WordEmbedder())
    monkeypatch.setattr(ragstone.retrieval, "open_embedder", lambda name, settings=None: WordEmbedder(), raising=False)
    monkeypatch.setattr(ragstone.guard, "open_nli", lambda name, settings=None: TableNLI(says))
    rag = Rag.from_corpus(tmp_path, generator=Scripted("It opened in 1880."))
    assert rag.ask("When did it open?").passages[0].text == DOCUMENTS[0].text


def test_an_embedder_that_fails_in_retrieval_leaves_an_unscored_verdict(pipeline: Callable[..., Rag]) -> None:
    rag = pipeline("It opened in 1880.")

    def fail(texts: Sequence[str]) -> Any:
        raise TimeoutError("late")

    rag.retriever.embedder.embed = fail  # type: ignore[method-assign]
    answer = rag.ask(QUESTION)
    assert answer.verdict.action is Action.UNSCORED
    assert "retrieval failed" in str(answer.verdict.unscored_reason)
    assert answer.passages == ()


def test_a_bad_number_of_passages_is_an_input_error(pipeline: Callable[..., Rag]) -> None:
    with pytest.raises(InputError):
        pipeline("x").ask(QUESTION, k=0)
