"""The request to a search engine over HTTP, with retries: the rules of calls to models (llm/client.py)."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import httpx2

from core.plug_ins import ANY_FAULT, said_by
from knowledge.engines.engine import AnswerShapeError, Engine, FoundPage, SearchRequest
from llm.connect import open_http
from llm.errors import AccessRefusedError, EndpointUnavailableError, RequestRefusedError
from llm.faults import ACCESS, PASSING
from llm.retries import RetryPolicy, retry_after

LONGEST_ANSWER = 4 * 1024 * 1024  # bytes
LONGEST_CAUSE = 300
OK = 200


class PassingError(Exception):
    """A failure that may pass. headers: of the answer, {} without one."""

    def __init__(self, cause: str, headers: httpx2.Headers | None = None) -> None:
        super().__init__(cause)
        self.headers = headers or httpx2.Headers()


class SearchClient:
    """An engine at its address. Use as an asynchronous context manager. Raises EndpointAddressError.

    called: what messages call it. key: "" where it needs none. enter_again: awaited before each attempt but the first.
    """

    def __init__(
        self,
        engine: Engine,
        called: str,
        address: str,
        key: str,
        connections: int,
        retries: RetryPolicy,
        enter_again: Callable[[], Awaitable[None]],
    ) -> None:
        self._engine = engine
        self._called = f"The search engine {called} at {address}"
        self._address = address
        self._key = key
        self._retries = retries
        self._enter_again = enter_again
        self._http = open_http(address, connections, retries.patience)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def search(self, query: str, count: int) -> list[FoundPage]:
        """The best pages, at most so many; failures that may pass are tried again.

        Raises RequestRefusedError (AccessRefusedError where it would meet every request) where trying again cannot
        help, EndpointUnavailableError where it did not.
        """
        request = self._engine.request(query, count, self._key)
        attempt = 1
        while True:
            try:
                return self._read(await self._send(request), query)[:count]
            except PassingError as error:
                if attempt >= self._retries.attempts:
                    raise EndpointUnavailableError(f"{self._said(str(error))} ({attempt} attempts)") from None
                await asyncio.sleep(self._retries.wait(attempt, retry_after(error.headers)))
            await self._enter_again()
            attempt += 1

    async def _send(self, request: SearchRequest) -> bytes:
        """The body of the answer. Raises PassingError."""
        sent: dict[str, Any] = {"params": dict(request.params) or None, "headers": dict(request.headers)}
        if request.body is not None:
            sent["json"] = dict(request.body)
        try:
            async with self._http.stream(request.method, self._address, **sent) as response:
                body = await self._receive(response)
        except httpx2.TimeoutException:
            raise PassingError(f"does not answer within {self._retries.patience:g} seconds") from None
        except httpx2.TransportError as error:
            raise PassingError(f"cannot be reached: {error}") from None
        if response.status_code == OK:
            return body
        cause = f"answered {response.status_code}: {' '.join(body.decode(errors='replace').split())}"
        if response.status_code in PASSING or response.status_code >= 500:
            raise PassingError(cause, response.headers)
        refused = AccessRefusedError if response.status_code in ACCESS else RequestRefusedError
        raise refused(self._said(cause))

    async def _receive(self, response: httpx2.Response) -> bytes:
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            if len(body) > LONGEST_ANSWER:
                raise RequestRefusedError(self._said(f"sent more than {LONGEST_ANSWER // 1024**2} MB"))
        return bytes(body)

    def _read(self, body: bytes, query: str) -> list[FoundPage]:
        """Raises RequestRefusedError, which names the place in the answer."""
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError) as error:
            cause = f"it is not JSON ({error})"
        else:
            try:
                return self._engine.read(answer)
            except AnswerShapeError as error:
                cause = str(error)
            except ANY_FAULT as error:  # a plug-in's mistake
                cause = f"{self._engine.name} failed with {said_by(error)}"
        raise RequestRefusedError(self._said(f"gave an answer to {query!r} that cannot be read: {cause}")) from None

    def _said(self, cause: str) -> str:
        """A sentence without the key."""
        text = f"{self._called} {cause}".rstrip(".")
        return (text.replace(self._key, "***") if self._key else text)[:LONGEST_CAUSE] + "."
