from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from ragstone.backends import open_embedder
from ragstone.backends.protocols import Embedder
from ragstone.errors import BackendError, InputError, SettingsError
from ragstone.settings import GenerationSettings, Settings

pytest.importorskip("openai")

Reply = tuple[int, bytes]


class Endpoint:
    """An embeddings endpoint on the loopback interface: a text's vector is (its length, 1, 0)."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.answer: Callable[[dict[str, Any]], Reply] = self.vectors
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body | {"path": self.path})
                outer.keys.append(self.headers.get("Authorization"))
                status, payload = outer.answer(body)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, format: str, *args: Any) -> None:
                """Silent."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    @staticmethod
    def vectors(body: dict[str, Any]) -> Reply:
        return Endpoint.rows([[len(text), 1, 0] for text in body["input"]])

    @staticmethod
    def rows(rows: list[Any]) -> Reply:
        # Backwards, since only "index" says whose vector it is.
        items = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)][::-1]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        return 200, json.dumps({"object": "list", "model": "m", "data": items, "usage": usage}).encode()


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    made = Endpoint()
    thread = Thread(target=made.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


def opened(endpoint: Endpoint, **generation: Any) -> Embedder:
    values = {"base_url": endpoint.url, "retries": 0, "timeout": 10.0} | generation
    return open_embedder("openai:arctic:latest", Settings(generation=GenerationSettings(**values)))


def test_vectors_are_unit_and_in_order(endpoint: Endpoint) -> None:
    embedder = opened(endpoint)
    vectors = embedder.embed(["abc", "abcdefgh"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[3, 1, 0], [8, 1, 0]]) / np.sqrt([[10], [65]]))
    assert embedder.dimensions == 3
    assert embedder.identity == f"openai:arctic:latest@{endpoint.url}"
    assert endpoint.requests == [
        {"path": "/v1/embeddings", "model": "arctic:latest", "input": ["abc", "abcdefgh"], "encoding_format": "float"}
    ]


def test_texts_go_in_batches_and_repeated_ones_once(endpoint: Endpoint) -> None:
    texts = [f"text {number}" for number in range(100)]
    vectors = opened(endpoint).embed([*texts, *texts[:50]])
    assert [len(request["input"]) for request in endpoint.requests] == [64, 36]
    assert vectors.shape == (150, 3)
    assert np.array_equal(vectors[100:], vectors[:50])


def test_dimensions_ask_the_endpoint_once(endpoint: Endpoint) -> None:
    embedder = opened(endpoint)
    assert embedder.embed([]).shape == (0, 3)
    assert embedder.dimensions == 3
    assert len(endpoint.requests) == 1


def test_blank_texts_and_lone_surrogates_can_be_sent(endpoint: Endpoint) -> None:
    opened(endpoint).embed(["", "\n", "a\ud800"])
    assert endpoint.requests[0]["input"] == [" ", "a\ufffd"]


def test_the_key_comes_from_the_named_variable(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(endpoint).embed(["a"])
    monkeypatch.setenv("MY_KEY", "secret-1")
    opened(endpoint, api_key_variable="MY_KEY").embed(["a"])
    assert endpoint.keys == ["Bearer none", "Bearer secret-1"]


def test_the_base_url_comes_from_the_environment_too(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    assert opened(endpoint, base_url=None).embed(["a"]).shape == (1, 3)


def test_what_is_missing_is_named(endpoint: Endpoint) -> None:
    with pytest.raises(InputError, match="needs a model name: openai:MODEL"):
        open_embedder("openai")
    with pytest.raises(SettingsError, match="set the environment variable OPENAI_API_KEY"):
        open_embedder("openai:text-embedding-3-small")


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((500, b"{}"), "failed: InternalServerError"),
        ((404, b'{"error": {"message": "no model arctic"}}'), "failed: NotFoundError: .*no model arctic"),
        ((200, b"<html>"), "failed"),
        ((200, b"{}"), "failed"),
        ((200, b'{"data": []}'), "failed|0 vectors for 2 texts"),
        ((200, b'{"data": null}'), "failed"),
        ((200, b'{"data": [{"embedding": [1]}, {"embedding": [1]}]}'), "failed"),
        (Endpoint.rows([[1, 2]]), "1 vectors for 2 texts"),
        (Endpoint.rows([[1, 2], [1]]), "no rectangular array"),
        (Endpoint.rows([[1, 2], [0, 0]]), "zero vector"),
        (Endpoint.rows([[1, 2], [float("nan"), 0]]), "NaN or infinite"),
        (Endpoint.rows([["a", "b"], ["c", "d"]]), "no rectangular array"),
        (Endpoint.rows([None, None]), "shape|rectangular"),
    ],
)
def test_a_bad_answer_is_an_error_that_names_the_endpoint(endpoint: Endpoint, reply: Reply, message: str) -> None:
    endpoint.answer = lambda body: reply
    with pytest.raises(BackendError, match=rf"openai:arctic:latest@http://127\.0\.0\.1.*({message})"):
        opened(endpoint).embed(["one", "two"])


def test_another_width_later_is_an_error(endpoint: Endpoint) -> None:
    embedder = opened(endpoint)
    embedder.embed(["one"])
    endpoint.answer = lambda body: Endpoint.rows([[1.0, 2.0]])
    with pytest.raises(BackendError, match=r"of 2 dimensions; expected 3\. Is it still the same model"):
        embedder.embed(["two"])


def test_failures_are_repeated_only_as_often_as_set(endpoint: Endpoint) -> None:
    def once(body: dict[str, Any]) -> Reply:
        return (503, b"{}") if len(endpoint.requests) == 1 else Endpoint.vectors(body)

    endpoint.answer = once
    assert opened(endpoint, retries=1).embed(["a"]).shape == (1, 3)
    assert len(endpoint.requests) == 2


def test_a_silent_endpoint_times_out(endpoint: Endpoint) -> None:
    def late(body: dict[str, Any]) -> Reply:
        time.sleep(1.0)
        return Endpoint.vectors(body)

    endpoint.answer = late
    with pytest.raises(BackendError, match="APITimeoutError"):
        opened(endpoint, timeout=0.2).embed(["a"])


def test_an_endpoint_that_is_not_there() -> None:
    settings = Settings(generation=GenerationSettings(base_url="http://user:secret@127.0.0.1:9/v1", retries=0))
    with pytest.raises(BackendError, match=r"m@http://127\.0\.0\.1:9/v1 failed: APIConnectionError") as caught:
        open_embedder("openai:m", settings).embed(["a"])
    assert "secret" not in str(caught.value)
