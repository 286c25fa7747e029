"""Calls to a chat model: over OpenAI's own client, with our retries."""

import asyncio
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpx2
import openai
from openai.types.chat import ChatCompletion

from llm.errors import AccessRefusedError, EndpointUnavailableError, ModelError, RequestRefusedError
from llm.requests import Request
from llm.retries import RetryPolicy

CONNECT_SECONDS = 10
RETRIED = frozenset({408, 409, 429})  # and every 5xx
ACCESS = frozenset({401, 403, 404})  # key, rights, address or model
QUOTA_SPENT = "insufficient_quota"  # comes as a 429, but waiting does not help
LONGEST_MESSAGE = 300


@dataclass(frozen=True)
class Completion:
    """An answered request. Token counts are None where the server gave none; `seconds` is that of the attempt that
    succeeded."""

    text: str
    finish_reason: str
    served_model: str
    prompt_tokens: int | None
    completion_tokens: int | None
    attempts: int
    seconds: float


class ModelClient:
    """An endpoint reached with a key. Use as an asynchronous context manager."""

    def __init__(self, base_url: str, key: str, connections: int, retries: RetryPolicy | None = None) -> None:
        self._base_url = base_url
        self._key = key
        self._retries = retries or RetryPolicy()
        timeout = openai.Timeout(self._retries.patience, connect=CONNECT_SECONDS)
        # As many connections kept open as there are calls in flight: none is made twice.
        limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=key,
            max_retries=0,
            http_client=openai.DefaultAsyncHttpxClient(limits=limits, timeout=timeout),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def complete(self, request: Request) -> Completion:
        """The model's answer; failures that may pass are tried again.

        Raises RequestRefusedError (AccessRefusedError where it would meet every request) where
        trying again cannot help, EndpointUnavailableError where it did not.
        """
        attempt = 1
        while True:
            try:
                return await self._attempt(request, attempt)
            except openai.APIError as error:
                if not may_pass(error):
                    refused = AccessRefusedError if concerns_all(error) else RequestRefusedError
                    raise refused(self._message(error)) from None
                if attempt >= self._retries.attempts:
                    raise EndpointUnavailableError(f"{self._message(error)} ({attempt} attempts)") from None
                headers = error.response.headers if isinstance(error, openai.APIStatusError) else None
                await asyncio.sleep(self._retries.wait(attempt, headers))
            attempt += 1

    async def _attempt(self, request: Request, attempt: int) -> Completion:
        content = request.content
        started = time.monotonic()
        try:
            # Not `chat.completions.create`: it walks through the body to translate what is plain JSON already, which
            # takes a quarter of the processor time of a call (bench/llm_overhead.py).
            answer = await self._client.post(
                "/chat/completions",
                cast_to=ChatCompletion,
                body={"model": request.model, "messages": content["messages"], **content["parameters"]},
            )
        except ValueError:  # the body of a success is no JSON
            raise self._not_a_completion() from None
        return self._completion(answer, attempt, time.monotonic() - started)

    def _completion(self, answer: ChatCompletion, attempt: int, seconds: float) -> Completion:
        # The client checks no types: a web page with status 200 arrives as text, an error as an object without choices.
        if not isinstance(answer, ChatCompletion) or not answer.choices:
            raise self._not_a_completion()
        choice = answer.choices[0]
        return Completion(
            text=storable(choice.message.content or ""),
            finish_reason=choice.finish_reason or "",
            served_model=storable(answer.model or ""),
            prompt_tokens=answer.usage.prompt_tokens if answer.usage else None,
            completion_tokens=answer.usage.completion_tokens if answer.usage else None,
            attempts=attempt,
            seconds=seconds,
        )

    def _not_a_completion(self) -> ModelError:
        return RequestRefusedError(
            f"{self._base_url} answered something that is not a chat completion; is its address right?"
        )

    def _message(self, error: openai.APIError) -> str:
        if isinstance(error, openai.APIStatusError):
            text = f"{self._base_url} answered {error.status_code}: {error.message}"
        else:
            text = f"{self._base_url} cannot be reached: {error.message}"
        return text.replace(self._key, "***")[:LONGEST_MESSAGE]


def may_pass(error: openai.APIError) -> bool:
    """Whether the same call may succeed later: a lost connection, a time-out, too many requests, a server's failure."""
    if isinstance(error, openai.APIStatusError):
        passing = error.status_code in RETRIED or error.status_code >= 500
        return passing and error.code != QUOTA_SPENT
    return isinstance(error, openai.APIConnectionError)


def concerns_all(error: openai.APIError) -> bool:
    """Whether a refusal would meet every other request too."""
    return isinstance(error, openai.APIStatusError) and (error.status_code in ACCESS or error.code == QUOTA_SPENT)


def storable(text: str) -> str:
    """The text with what no database takes (NUL, lone surrogates) replaced by the replacement character."""
    return text.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
