"""Calls to a model: over OpenAI's own client, with our retries."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
import openai

from llm.completion import REFUSED, ModelCompletion, NotACompletionError, read_completion, read_embeddings
from llm.connect import open_client
from llm.errors import AccessRefusedError, EndpointUnavailableError, ModelError, RequestRefusedError
from llm.requests import Request
from llm.retries import RetryPolicy, retry_after

CONNECT_SECONDS = 10
RETRIED = frozenset({408, 409, 429})  # and every 5xx
ACCESS = frozenset({401, 403, 404})  # key, rights, address or model
QUOTA_SPENT = "insufficient_quota"  # comes as a 429, but waiting does not help
FILTERED = frozenset({"content_filter", "content_policy_violation"})  # comes as a 400
LONGEST_MESSAGE = 300

Read = TypeVar("Read")
EnterAgain = Callable[[], Awaitable[None]]


class BrokenAnswerError(openai.APIConnectionError):
    """The JSON of an answer ends in the middle."""


async def at_once() -> None:
    """Nobody has to be waited for."""


class ModelClient:
    """An endpoint reached with a key. Use as an asynchronous context manager. Raises EndpointAddressError.

    enter_again: awaited before each attempt of a call but the first.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        connections: int,
        retries: RetryPolicy | None = None,
        enter_again: EnterAgain = at_once,
    ) -> None:
        self._base_url = base_url
        self._key = key
        self._retries = retries or RetryPolicy()
        self._enter_again = enter_again
        self._closed_until = 0.0
        # As many connections are kept open as calls may be in flight, so that none is made twice.
        timeout = openai.Timeout(self._retries.patience, connect=CONNECT_SECONDS)
        self._client = open_client(base_url, key, connections, timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def complete(self, request: Request) -> ModelCompletion:
        """The model's answer; failures that may pass are tried again. An answer that the endpoint's content filter
        refused is an answer too: the empty one.

        Raises EndpointAddressError where the address is closed, RequestRefusedError (AccessRefusedError where it would
        meet every request) where trying again cannot help, EndpointUnavailableError where it did not.
        """
        started = time.monotonic()
        try:
            completion, attempts, seconds = await self._insist(
                request.path, request.body, lambda answer: read_completion(answer, request.interface, request.echoing)
            )
        except ContentFilteredError as filtered:
            return ModelCompletion("", REFUSED, attempts=filtered.attempt, seconds=time.monotonic() - started)
        return completion.after(attempts, seconds)

    async def embed(self, model: str, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        """One vector a text, and the tokens that they took where the server says. Raises as `complete` does."""
        body = {"model": model, "input": list(texts), "encoding_format": "float"}
        read, _, _ = await self._insist("/embeddings", body, lambda answer: read_embeddings(answer, len(texts)))
        return read

    async def _insist(self, path: str, body: dict[str, Any], read: Callable[[Any], Read]) -> tuple[Read, int, float]:
        """The answer, the number of attempts, and the seconds of the last."""
        attempt = 1
        while True:
            await self._wait_until_open()
            started = time.monotonic()
            try:
                # Not `chat.completions.create`: it walks through the body to translate what is plain JSON already, and
                # builds objects of the answer; together a quarter of the processor time of a call
                # (bench/llm_overhead.py).
                answer = await self._client.post(path, cast_to=object, body=body)
                return read(answer), attempt, time.monotonic() - started
            except NotACompletionError:
                raise self._not_a_completion(path) from None
            except ValueError:
                error: openai.APIError = BrokenAnswerError(
                    message="the answer ended in the middle", request=httpx2.Request("POST", self._base_url)
                )
            except openai.APIError as failure:
                error = failure
            await self._wait_after(error, attempt)
            await self._enter_again()
            attempt += 1

    async def _wait_after(self, error: openai.APIError, attempt: int) -> None:
        """Raises the ModelError that the failure is where no other attempt is to be made."""
        if error.code in FILTERED:
            raise ContentFilteredError(attempt)
        if not may_pass(error):
            refused = AccessRefusedError if concerns_all(error) else RequestRefusedError
            raise refused(self._message(error)) from None
        if attempt >= self._retries.attempts:
            raise EndpointUnavailableError(f"{self._message(error)} ({attempt} attempts)") from None
        headers = error.response.headers if isinstance(error, openai.APIStatusError) else {}
        wait = self._retries.wait(attempt, headers)
        if retry_after(headers) is not None:
            # It is meant for everybody: calls that begin meanwhile would only be turned away too.
            self._closed_until = max(self._closed_until, time.monotonic() + wait)
        await asyncio.sleep(wait)

    async def _wait_until_open(self) -> None:
        while (wait := self._closed_until - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    def _not_a_completion(self, path: str) -> ModelError:
        expected = {"/chat/completions": "a chat completion", "/completions": "a completion"}.get(path, "embeddings")
        return RequestRefusedError(f"{self._base_url} answered something that is not {expected}; is its address right?")

    def _message(self, error: openai.APIError) -> str:
        if isinstance(error, openai.APIStatusError):
            text = f"{self._base_url} answered {error.status_code}: {error.message}"
        elif isinstance(error, BrokenAnswerError):
            text = f"{self._base_url} does not answer whole: {error.message}"
        else:
            text = f"{self._base_url} cannot be reached: {error.message}"
        return text.replace(self._key, "***")[:LONGEST_MESSAGE]


class ContentFilteredError(Exception):
    """The endpoint's content filter refused the request, in the attempt with this number."""

    def __init__(self, attempt: int) -> None:
        self.attempt = attempt


def may_pass(error: openai.APIError) -> bool:
    """Whether the same call may succeed later: a lost connection, a time-out, too many requests, a server's failure."""
    if isinstance(error, openai.APIStatusError):
        passing = error.status_code in RETRIED or error.status_code >= 500
        return passing and error.code != QUOTA_SPENT
    return isinstance(error, openai.APIConnectionError)


def concerns_all(error: openai.APIError) -> bool:
    """Whether a refusal would meet every other request too."""
    return isinstance(error, openai.APIStatusError) and (error.status_code in ACCESS or error.code == QUOTA_SPENT)
