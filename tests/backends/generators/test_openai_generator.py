"""Against a real HTTP server on the loopback that answers as it is told, well or badly."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ragstone.backends import open_generator
from ragstone.backends.generators.openai import OpenAIGenerator
from ragstone.backends.protocols import Message, StreamingGenerator
from ragstone.errors import BackendError, EmptyAnswerError, InputError, SettingsError
from ragstone.generation import generate_answer
from ragstone.settings import Settings, load_settings

pytest.importorskip("openai", reason="the extra 'openai' is not installed")

QUESTION = [Message("user", "Who?")]
SAMPLING: dict[str, Any] = {"temperature": 0.1, "max_tokens": 20, "seed": 7}


class Endpoint(ThreadingHTTPServer):
    """Answers the n-th request with the n-th reply, the last one again and again; keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies: list[tuple[int, str, bytes]] = []
        self.requests: list[dict[str, Any]] = []
        self.authorization: str | None = None
        self.delay = 0.0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def reply(self, content: object, status: int = 200, kind: str = "application/json") -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.replies.append((status, kind, body))


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.authorization = self.headers["Authorization"]
        self.server.requests.append({**json.loads(body), "path": self.path})
        time.sleep(self.server.delay)
        status, kind, content = self.server.replies[min(len(self.server.requests), len(self.server.replies)) - 1]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with Endpoint() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def settings_for(endpoint: Endpoint, **generation: object) -> Settings:
    values = {"base_url": endpoint.url, "timeout": 5.0, "retries": 1, **generation}
    return load_settings(overrides={f"generation.{key}": value for key, value in values.items()})


def generator_for(endpoint: Endpoint, **generation: object) -> OpenAIGenerator:
    generator = open_generator("openai:llama3.3:70b", settings_for(endpoint, **generation))
    assert isinstance(generator, OpenAIGenerator)
    return generator


def completion(content: object, **message: object) -> dict[str, Any]:
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content, **message}}
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    }


def test_the_answer_and_what_was_asked(endpoint: Endpoint) -> None:
    endpoint.reply(completion("Ann wrote it."))
    generation = generator_for(endpoint).generate(QUESTION, **SAMPLING, stop=["\n"])
    assert (generation.text, generation.prompt_tokens, generation.completion_tokens) == ("Ann wrote it.", 11, 3)
    assert generation.finish_reason == "stop"
    assert endpoint.requests == [
        {
            "path": "/v1/chat/completions",
            "model": "llama3.3:70b",
            "messages": [{"role": "user", "content": "Who?"}],
            "temperature": 0.1,
            "max_tokens": 20,
            "seed": 7,
            "stop": ["\n"],
            "stream": False,
        }
    ]


def test_the_key_comes_from_the_named_variable(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint.reply(completion("Ann."))
    generator_for(endpoint).generate(QUESTION, **SAMPLING)
    assert endpoint.authorization == "Bearer none"
    monkeypatch.setenv("MY_KEY", "s3cret")
    generator_for(endpoint, api_key_variable="MY_KEY").generate(QUESTION, **SAMPLING)
    assert endpoint.authorization == "Bearer s3cret"


def test_the_base_url_may_come_from_the_environment(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint.reply(completion("Ann."))
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    generator = open_generator("openai:m", Settings())
    assert generator.identity == f"openai:m@{endpoint.url}"
    assert generator.generate(QUESTION, **SAMPLING).text == "Ann."


def test_identity_holds_no_secret(endpoint: Endpoint) -> None:
    url = endpoint.url.replace("127.0.0.1", "user:pass@127.0.0.1")
    assert generator_for(endpoint, base_url=url).identity == f"openai:llama3.3:70b@{endpoint.url}"


def test_too_many_requests_are_repeated(endpoint: Endpoint) -> None:
    endpoint.reply({"error": {"message": "slow down"}}, status=429)
    endpoint.reply(completion("Ann."))
    assert generator_for(endpoint).generate(QUESTION, **SAMPLING).text == "Ann."
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize(
    ("status", "message", "advice", "attempts"),
    [
        (401, "bad key s3cret", "OPENAI_API_KEY", 1),
        (404, "model not found", "llama3.3:70b", 1),
        (400, "prompt too long", "prompt too long", 1),
        (429, "slow down", "Too many requests", 2),
        (500, "out of memory", "its log", 2),
    ],
)
def test_an_error_says_what_to_do(
    endpoint: Endpoint,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    message: str,
    advice: str,
    attempts: int,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    endpoint.reply({"error": {"message": message}}, status=status)
    with pytest.raises(BackendError, match=advice) as caught:
        generator_for(endpoint).generate(QUESTION, **SAMPLING)
    assert len(endpoint.requests) == attempts
    assert "s3cret" not in str(caught.value)


def test_a_silent_endpoint_ends_in_a_time_out(endpoint: Endpoint) -> None:
    endpoint.delay = 0.6
    endpoint.reply(completion("Ann."))
    with pytest.raises(BackendError, match=r"within 0\.1 s; raise generation\.timeout"):
        generator_for(endpoint, timeout=0.1, retries=0).generate(QUESTION, **SAMPLING)


def test_nobody_listens(endpoint: Endpoint) -> None:
    with pytest.raises(BackendError, match="Is the server running"):
        generator_for(endpoint, base_url="http://127.0.0.1:9/v1", retries=0).generate(QUESTION, **SAMPLING)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<html>It works!</html>", "text/html"),
        (b"{ not json", "application/json"),
        (b'{"hello": "world"}', "application/json"),
        (b"[1, 2]", "application/json"),
        (b'{"choices": []}', "application/json"),
        (b'{"choices": [{"message": {"content": 7}}]}', "application/json"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_nonsense_is_a_backend_error(endpoint: Endpoint, content: bytes, kind: str, stream: bool) -> None:
    endpoint.reply(content, kind=kind)
    generator = generator_for(endpoint, retries=0)
    with pytest.raises(BackendError, match=r"openai:llama3\.3:70b@"):
        list(generator.stream(QUESTION, **SAMPLING)) if stream else generator.generate(QUESTION, **SAMPLING)


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "no text"), (None, "no text"), ("  \n", "no text"), ("<think>Who could", "only its reasoning")],
)
def test_an_answer_that_is_empty_or_only_reasoning(endpoint: Endpoint, content: object, message: str) -> None:
    endpoint.reply(completion(content, reasoning_content="Who could it be?"))
    with pytest.raises(EmptyAnswerError, match=message):
        generate_answer(QUESTION, generator_for(endpoint), settings_for(endpoint))


def test_the_limit_is_renamed_for_endpoints_that_want_the_newer_name(endpoint: Endpoint) -> None:
    endpoint.reply({"error": {"message": "Use 'max_completion_tokens' instead.", "param": "max_tokens"}}, status=400)
    endpoint.reply(completion("Ann."))
    generator = generator_for(endpoint)
    assert [generator.generate(QUESTION, **SAMPLING).text for _ in range(2)] == ["Ann.", "Ann."]
    names = [[key for key in request if key.startswith("max_")] for request in endpoint.requests]
    assert names == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


def test_streaming(endpoint: Endpoint) -> None:
    deltas: list[dict[str, Any]] = [{"role": "assistant"}, {"content": "Ann "}, {"content": "wrote it."}, {}]
    events = [{"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": d}]} for d in deltas]
    events.append({"id": "c", "object": "chat.completion.chunk", "choices": []})
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    endpoint.reply(body.encode(), kind="text/event-stream")
    generator = generator_for(endpoint)
    assert isinstance(generator, StreamingGenerator)
    assert list(generator.stream(QUESTION, **SAMPLING)) == ["Ann ", "wrote it."]
    assert endpoint.requests[0]["stream"] is True


def test_an_error_while_streaming(endpoint: Endpoint) -> None:
    endpoint.reply(b'data: {"error": {"message": "out of memory"}}\n\n', kind="text/event-stream")
    with pytest.raises(BackendError, match="out of memory"):
        list(generator_for(endpoint).stream(QUESTION, **SAMPLING))


def test_unusable_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(InputError, match="openai:MODEL"):
        open_generator("openai", Settings())
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        open_generator("openai:gpt", Settings())
    with pytest.raises(SettingsError, match=r"generation\.base_url: 'localhost:11434'"):
        open_generator("openai:m", load_settings(overrides={"generation.base_url": "localhost:11434"}))
