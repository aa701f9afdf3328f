"""Any OpenAI-compatible chat endpoint: Ollama, vLLM, llama-server, hosted ones.

RAGSTONE_GENERATION__BASE_URL=http://localhost:11434/v1 ragstone ask --generator openai:llama3.3:70b …
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ragstone.backends.endpoint import Endpoint, resolve_endpoint
from ragstone.backends.generators.chat import as_chat
from ragstone.backends.protocols import Generation, Message
from ragstone.errors import BackendError, InputError, optional_import
from ragstone.settings import GenerationSettings, Settings

__all__ = ["OpenAIGenerator", "open_openai"]

_LONGEST_REASON = 300


class OpenAIGenerator:
    """``model`` behind ``endpoint``, asked through the ``openai`` client, which also repeats failed requests.

    ``settings.timeout`` bounds, in seconds, how long the endpoint may stay silent, at each of ``settings.retries`` + 1
    attempts. Whether a seed makes answers repeatable is the endpoint's affair.
    """

    def __init__(self, model: str, endpoint: Endpoint, settings: GenerationSettings) -> None:
        self._openai = optional_import("openai", extra="openai", purpose="the generator 'openai'")
        self._client = self._openai.OpenAI(
            base_url=endpoint.base_url,
            api_key=endpoint.api_key,
            timeout=settings.timeout,
            max_retries=settings.retries,
        )
        self._model, self._endpoint, self._settings = model, endpoint, settings
        self._limit = "max_tokens"
        self.identity = f"openai:{model}@{endpoint.name}"

    def generate(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        """The first choice's text, "" when the endpoint sent none. Raises BackendError saying what to do."""
        chat = as_chat(messages)
        try:
            completion = self._create(chat, temperature, max_tokens, seed, stop, stream=False)
        except Exception as error:
            raise self._failure(error) from error
        try:
            choice = completion.choices[0]
            text, usage = choice.message.content, completion.usage
        except (AttributeError, IndexError, TypeError) as error:
            raise self._nonsense(completion) from error
        if text is not None and not isinstance(text, str):
            raise self._nonsense(completion)
        return Generation(
            text or "",
            getattr(usage, "prompt_tokens", None),
            getattr(usage, "completion_tokens", None),
            getattr(choice, "finish_reason", None),
        )

    def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Iterator[str]:
        """The pieces of an answer as they come; closing the iterator closes the connection."""
        chat = as_chat(messages)
        chunk: Any = None
        try:
            with self._create(chat, temperature, max_tokens, seed, stop, stream=True) as chunks:
                for chunk in chunks:
                    if chunk.choices and (piece := chunk.choices[0].delta.content):
                        yield piece
        except (AttributeError, TypeError) as error:
            raise self._nonsense(chunk) from error
        except Exception as error:
            raise self._failure(error) from error
        if chunk is None:
            raise self._nonsense("")

    def _create(
        self,
        chat: list[dict[str, str]],
        temperature: float,
        max_tokens: int,
        seed: int | None,
        stop: Sequence[str],
        *,
        stream: bool,
    ) -> Any:
        request: dict[str, Any] = {
            "model": self._model,
            "messages": chat,
            "temperature": temperature,
            "stream": stream,
            self._limit: max_tokens,
        }
        if seed is not None:
            request["seed"] = seed
        if stop:
            request["stop"] = list(stop)
        try:
            return self._client.chat.completions.create(**request)
        except self._openai.BadRequestError as error:
            if self._limit != "max_tokens" or "max_completion_tokens" not in str(error):
                raise
            # Hosted reasoning models take the limit under its newer name only, local servers mostly the older one.
            self._limit = "max_completion_tokens"
            request[self._limit] = request.pop("max_tokens")
            return self._client.chat.completions.create(**request)

    def _failure(self, error: Exception) -> BackendError:
        reason = str(getattr(error, "message", None) or error).replace(self._endpoint.api_key, "[key]")
        advice = self._advice(error)
        return BackendError(f"{self.identity} failed: {reason[:_LONGEST_REASON]}. {advice}".rstrip())

    def _advice(self, error: Exception) -> str:
        client, settings = self._openai, self._settings
        if isinstance(error, client.APITimeoutError):
            return f"Nothing came within {settings.timeout:g} s; raise generation.timeout"
        if isinstance(error, client.APIConnectionError):
            return "Is the server running, and is generation.base_url right?"
        status = getattr(error, "status_code", None)
        if status in (401, 403):
            return f"Check the key in the environment variable {settings.api_key_variable}"
        if status == 404:
            return (
                f"Does the endpoint offer a model called {self._model!r}, and does generation.base_url end as it "
                "should, mostly in /v1?"
            )
        if status == 429:
            return (
                f"Too many requests, or a used-up quota, after {settings.retries} retries; wait, or try another model"
            )
        if isinstance(status, int) and status >= 500:
            return f"The endpoint itself failed, after {settings.retries} retries; its log should tell why"
        return ""

    def _nonsense(self, answer: object) -> BackendError:
        return BackendError(
            f"{self.identity} answered with something other than a chat completion: {str(answer)[:_LONGEST_REASON]!r}. "
            "Is generation.base_url the address of an OpenAI-compatible API, mostly ending in /v1?"
        )


def open_openai(argument: str | None, settings: Settings) -> OpenAIGenerator:
    """``openai:MODEL`` at the endpoint of :func:`~ragstone.backends.endpoint.resolve_endpoint`.

    Raises InputError without a model name and SettingsError without a usable endpoint.
    """
    if argument is None:
        raise InputError("the generator 'openai' needs a model name: openai:MODEL, e.g. openai:llama3.3:70b")
    return OpenAIGenerator(argument, resolve_endpoint(settings.generation), settings.generation)
