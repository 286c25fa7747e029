"""Calls to a model: over OpenAI's own client, with our retries."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
import openai

from llm.answer import REFUSED
from llm.bodies import BrokenBodyError, NotJsonError, parse
from llm.closing import Closing
from llm.completion import ModelCompletion, NotACompletionError, ended_at, read_completion, read_embeddings
from llm.connect import open_client
from llm.dialects import Change, Changes, apply, has_left_out, learn
from llm.errors import AccessRefusedError, EndpointUnavailableError, ModelError, ParkedError, RequestRefusedError
from llm.faults import LONGEST_MESSAGE, Fault, fault_in
from llm.requests import Request
from llm.retries import RetryPolicy, in_words

CONNECT_SECONDS = 10
MOST_CHANGES = 12  # of one request, before it is refused for good
LONGEST_BODY = 10_000  # characters of what cannot be read
CHAT_PATHS = {"/chat/completions": "a chat completion", "/completions": "a completion"}

Read = TypeVar("Read")
EnterAgain = Callable[[], Awaitable[None]]
Learnt = Callable[[Sequence[Change]], Awaitable[None]]


async def at_once() -> None:
    """Nobody has to be waited for."""


async def forget(changes: Sequence[Change]) -> None:
    """What was learnt is known for as long as the client is there."""


class RefusedError(Exception):
    """The endpoint refused the request; another one may be taken."""

    def __init__(self, fault: Fault, attempts: int) -> None:
        self.fault = fault
        self.attempts = attempts


class LostError(Exception):
    """No whole answer came."""


class ModelClient:
    """An endpoint reached with a key. Use as an asynchronous context manager. Raises EndpointAddressError.

    enter_again: awaited before each attempt of a call but the first. `changes`: how the model is known to want to be
    asked (llm/dialects.py); learnt: awaited with what was learnt beyond that. closing: who else knows when the endpoint
    asks to be left alone; None: this process alone.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        connections: int,
        retries: RetryPolicy | None = None,
        enter_again: EnterAgain = at_once,
        learnt: Learnt = forget,
        closing: Closing | None = None,
    ) -> None:
        self._base_url = base_url
        self._key = key
        self._retries = retries or RetryPolicy()
        self._enter_again = enter_again
        self._learnt = learnt
        self._closing = closing or Closing(base_url)
        self.changes: Changes = {}
        self._refused = ""
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
        """The model's answer; failures that may pass are tried again, and a request whose parameters are refused is
        sent as the endpoint takes it. An answer that a content filter refused is an answer too, with its words.

        Raises EndpointAddressError where the address is closed, RequestRefusedError (AccessRefusedError where it would
        meet every request) where trying again cannot help, EndpointUnavailableError where it did not, ParkedError
        where the endpoint asks to wait for long.
        """
        started, attempts, changes = time.monotonic(), 0, self.changes
        adapted: tuple[str, ...] = ()
        if self._refused:  # as every other request would be
            raise AccessRefusedError(self._refused)
        for _ in range(MOST_CHANGES):
            body = request.body
            if changes:
                body, adapted = apply(body, changes.values())
            learn_from = partial(learn, changes, body)
            try:
                completion, made, seconds = await self._insist(
                    request.path,
                    body,
                    lambda answer: read_completion(answer, request.interface, request.echoing),
                    learn_from,
                )
            except RefusedError as refused:
                attempts, fault = attempts + refused.attempts, refused.fault
            else:
                if changes is not self.changes:
                    await self._keep(changes)
                if has_left_out("stop", changes) and "stop" in request.body:
                    completion = ended_at(completion, request.body["stop"])
                return completion.after(attempts + made, seconds, adapted)
            if fault.is_filtered:
                return ModelCompletion(fault.message, REFUSED).after(attempts, time.monotonic() - started, adapted)
            if (more := learn_from(fault)) is None:
                break
            changes = more
            await self._enter_again()
        error = self._refusal(fault)
        if isinstance(error, AccessRefusedError):
            self._refused = str(error)
        raise error

    async def _keep(self, changes: Changes) -> None:
        """Let later calls begin with what this one has learnt."""
        new = {key: change for key, change in changes.items() if change.kept and self.changes.get(key) != change}
        if new:
            self.changes = {**self.changes, **new}
            await self._learnt(list(new.values()))

    async def embed(self, model: str, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        """One vector a text, and the tokens that they took where the server says. Raises as `complete` does."""
        body = {"model": model, "input": list(texts), "encoding_format": "float"}
        try:
            read, _, _ = await self._insist(
                "/embeddings", body, lambda answer: read_embeddings(answer, len(texts)), lambda _: None
            )
        except RefusedError as refused:
            raise self._refusal(refused.fault) from None
        return read

    async def _insist(
        self,
        path: str,
        body: Mapping[str, Any],
        read: Callable[[Any], Read],
        learn_from: Callable[[Fault], Changes | None],
    ) -> tuple[Read, int, float]:
        """The answer, the number of attempts, and the seconds of the last. Raises RefusedError."""
        attempt = 1
        while True:
            await self._wait_until_open()
            started = time.monotonic()
            try:
                answer, fault = await self._post(path, body)
                if fault is None:
                    return read(answer), attempt, time.monotonic() - started
                cause = f"{self._base_url} answered {fault.status}: {fault.message}"
            except NotACompletionError:
                raise self._not_a_completion(path, json.dumps(answer)) from None
            except NotJsonError as error:
                raise self._not_a_completion(path, error.body) from None
            except LostError as error:
                cause, fault = str(error), None
            # Some servers break over a parameter that they could as well refuse.
            if fault is not None and (fault.is_filtered or not fault.may_pass or learn_from(fault) is not None):
                raise RefusedError(fault, attempt)
            await self._wait_after(attempt, cause, None if fault is None else fault.wait)
            await self._enter_again()
            attempt += 1

    async def _post(self, path: str, body: Mapping[str, Any]) -> tuple[Any, Fault | None]:
        """The answer, and the fault where it is none. Raises LostError, NotJsonError."""
        try:
            # Not `chat.completions.create`: it walks through the body to translate what is plain JSON already, and
            # builds objects of the answer; together a quarter of the processor time of a call
            # (bench/llm_overhead.py).
            response = await self._client.post(path, cast_to=httpx2.Response, body=body)
            answer = parse(response.content)
        except openai.APIStatusError as error:
            return None, fault_of(error)
        except openai.APIError as error:
            raise LostError(f"{self._base_url} cannot be reached: {error.message}") from None
        except BrokenBodyError as error:
            raise LostError(
                f"{self._base_url} does not answer whole: the answer ended in the middle: {error}"
            ) from None
        return answer, fault_in(answer, response.headers, path in CHAT_PATHS)

    async def _wait_after(self, attempt: int, cause: str, asked: float | None) -> None:
        """Raises the ModelError that the failure is where no other attempt is to be made now."""
        if asked is not None:
            # It is meant for everybody: calls that begin meanwhile would only be turned away too.
            await self._closing.close(asked)
            self._park_if_long(asked)
        if attempt >= self._retries.attempts:
            raise EndpointUnavailableError(self._clean(cause) + f" ({attempt} attempts)") from None
        await asyncio.sleep(self._retries.wait(attempt, asked))

    async def _wait_until_open(self) -> None:
        while (wait := await self._closing.seconds_left()) > 0:
            self._park_if_long(wait)
            await asyncio.sleep(wait)

    def _park_if_long(self, wait: float) -> None:
        """Raises ParkedError where the wait is longer than a call is to wait."""
        if wait > self._retries.longest_asked:
            until = datetime.now(UTC) + timedelta(seconds=wait)
            raise ParkedError(
                f"{self._base_url} asks to wait for {in_words(wait)}, until {until:%-d %B, %H:%M} UTC.",
                timedelta(seconds=wait),
            )

    def _refusal(self, fault: Fault) -> ModelError:
        refused = AccessRefusedError if fault.concerns_all else RequestRefusedError
        return refused(self._clean(f"{self._base_url} answered {fault.status}: {fault.message}"))

    def _not_a_completion(self, path: str, body: str) -> ModelError:
        expected = CHAT_PATHS.get(path, "embeddings")
        sentence = f"{self._base_url} answered something that is not {expected}; is its address right? It was: "
        return RequestRefusedError(self._clean(sentence + " ".join(body.split()), LONGEST_BODY))

    def _clean(self, text: str, longest: int = LONGEST_MESSAGE) -> str:
        return text.replace(self._key, "***")[:longest]


def fault_of(error: openai.APIStatusError) -> Fault:
    headers = {name.lower(): value for name, value in error.response.headers.items()}
    return Fault(error.status_code, _body_of(error.response), headers)


def _body_of(response: httpx2.Response) -> Any:
    try:
        return parse(response.content)
    except (BrokenBodyError, NotJsonError):
        return response.text
