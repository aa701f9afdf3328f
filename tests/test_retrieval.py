from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import ragstone
from fakes import WordEmbedder
from ragstone.corpus import Document
from ragstone.errors import BackendError, IndexMismatchError, InputError
from ragstone.retrieval import Retriever
from ragstone.settings import RetrievalSettings, Settings

DOCUMENTS = [
    Document("sql", "Parameterised queries keep user input apart from SQL code.", "Injection", "rules.md"),
    Document("hash", "Store passwords with Argon2 and a salt of their own."),
    Document("tls", "Use TLS 1.3 for every connection between services."),
]


@pytest.fixture
def retriever() -> Retriever:
    made = Retriever(WordEmbedder())
    made.index(DOCUMENTS)
    return made


def test_the_nearest_passage_is_first(retriever: Retriever) -> None:
    found = retriever.search("Which queries keep SQL code safe?", 2)
    assert [passage.id for passage in found][:1] == ["sql"]
    assert [passage.rank for passage in found] == [1, 2]
    assert found[0].source == "rules.md"
    assert found[0].metadata == {"title": "Injection", "document_id": "sql", "start": 0, "end": 58}
    assert found[0].score is not None
    assert found[1].score is not None
    assert 1.0 >= found[0].score > found[1].score >= -1.0


def test_k_comes_from_the_settings() -> None:
    retriever = Retriever(WordEmbedder(), Settings(retrieval=RetrievalSettings(top_k=1)))
    retriever.index(DOCUMENTS)
    assert len(retriever.search("TLS")) == 1
    assert len(retriever.search("TLS", 50)) == 3


def test_long_documents_are_found_by_their_chunks() -> None:
    settings = Settings(retrieval=RetrievalSettings(chunk_tokens=16, chunk_overlap=0))
    retriever = Retriever(WordEmbedder(), settings)
    text = "Cats sleep by day and hunt at night. Dogs bark when a stranger walks by. Owls turn their heads all around."
    retriever.index([Document("animals", text)])
    (best,) = retriever.search("Who barks? Dogs bark.", 1)
    assert best.id == "animals#1"
    assert text[best.metadata["start"] : best.metadata["end"]] == best.text
    assert retriever.delete("animals") == 2


def test_index_replaces_all_and_add_replaces_a_document(retriever: Retriever) -> None:
    retriever.add([Document("tls", "Certificates expire."), Document("new", "Something else.")])
    assert list(retriever.document_ids) == ["sql", "hash", "tls", "new"]
    assert len(retriever) == 4
    assert retriever.search("Certificates expire.", 1)[0].text == "Certificates expire."
    retriever.add([Document("new", " ")])
    assert list(retriever.document_ids) == ["sql", "hash", "tls"]
    retriever.index(DOCUMENTS[:1])
    assert list(retriever.document_ids) == ["sql"]


def test_add_begins_an_index() -> None:
    retriever = Retriever(WordEmbedder())
    retriever.add(iter(DOCUMENTS))
    assert len(retriever) == 3


def test_delete(retriever: Retriever) -> None:
    assert retriever.delete("sql") == 1
    assert retriever.delete("sql") == 0
    assert Retriever(WordEmbedder()).delete("sql") == 0
    assert "sql" not in {passage.id for passage in retriever.search("SQL queries", 5)}


def test_progress_counts_passages() -> None:
    reports: list[tuple[int, int]] = []
    documents = [Document(str(number), f"Text {number}.") for number in range(70)]
    Retriever(WordEmbedder()).index(documents, on_progress=lambda done, total: reports.append((done, total)))
    assert reports == [(32, 70), (64, 70), (70, 70)]


def test_an_empty_corpus_finds_nothing() -> None:
    retriever = Retriever(WordEmbedder())
    retriever.index([])
    assert retriever.search("anything") == ()


def test_bad_questions_are_refused(retriever: Retriever) -> None:
    for question in ("", " \n", None, 5):
        with pytest.raises(InputError, match="question: expected a text that is not blank"):
            retriever.search(question)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="k is 0"):
        retriever.search("TLS", 0)


def test_nothing_indexed_is_said() -> None:
    retriever = Retriever(WordEmbedder())
    for use in (lambda: retriever.search("TLS"), lambda: retriever.save("anywhere")):
        with pytest.raises(InputError, match=r"nothing is indexed yet: call index\(documents\), or Retriever\.load"):
            use()
    assert len(retriever) == 0
    assert retriever.document_ids == ()


def test_a_failing_embedder_leaves_the_index_as_it_was() -> None:
    class Failing(WordEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if any("bad" in text for text in texts):
                raise BackendError("the model failed")
            return super().embed(texts)

    retriever = Retriever(Failing())
    retriever.index(DOCUMENTS)
    before = retriever.search("TLS", 5)
    for change in (retriever.index, retriever.add):
        with pytest.raises(BackendError):
            change([Document("sql", "New."), *(Document(str(n), "Text.") for n in range(40)), Document("x", "bad")])
    with pytest.raises(InputError, match="both have a chunk called 'a'"):
        retriever.add([Document("a", "One."), Document("a", "Two.")])
    assert retriever.search("TLS", 5) == before


def test_saved_and_loaded(retriever: Retriever, tmp_path: Path) -> None:
    retriever.save(tmp_path / "index")
    loaded = Retriever.load(tmp_path / "index", WordEmbedder())
    assert loaded.search("passwords", 3) == retriever.search("passwords", 3)
    loaded.add([Document("new", "Something else.")])
    assert len(loaded) == 4
    other = WordEmbedder()
    other.identity = "another"
    with pytest.raises(IndexMismatchError, match="built with the embedder 'word-embedder'"):
        Retriever.load(tmp_path / "index", other)


def test_threads_may_search_while_others_add(retriever: Retriever) -> None:
    def work(number: int) -> int:
        if number % 2:
            retriever.add([Document(f"n{number % 5}", f"TLS text {number}.")])
            retriever.delete(f"n{(number + 2) % 5}")
        return len(retriever.search("TLS", 3))

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(work, range(200))) == {3}


def test_the_embedded_model_by_default(tmp_path: Path) -> None:
    retriever = ragstone.Retriever()
    retriever.index(DOCUMENTS)
    (best, *_) = retriever.search("How should credentials be kept in a database?")
    assert best.id == "hash"
    assert best.score is not None
    assert best.score > 0.3
    retriever.save(tmp_path)
    again = ragstone.Retriever.load(tmp_path).search("How should credentials be kept in a database?")
    assert again[0] == best
