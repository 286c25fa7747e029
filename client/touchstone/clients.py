"""The two clients: they carry out the same operations, one with asyncio."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import TypeVar

import httpx

from touchstone.operations import Operations
from touchstone.requests import Answer, Receiver, Request, Steps, Wait

Result = TypeVar("Result")
TIMEOUT = 60.0


def _arguments(url: str, token: str) -> dict[str, object]:
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"{url!r} is no address of a server: it begins with https:// or http://.")
    headers = {"Authorization": f"Bearer {token}"}
    return {"base_url": f"{url.rstrip('/')}/api/v1/", "headers": headers}


class Touchstone(Operations):
    """A server, with the rights of a token. Closed as a context manager, or by `close()`.

        with Touchstone("https://touchstone.example", token) as touchstone:
            touchstone.datasets()

    timeout: seconds without any sign of the server; ten minutes at least while it checks a file. Raises ValueError for
    a url without http:// or https://.
    """

    def __init__(self, url: str, token: str, *, timeout: float = TIMEOUT) -> None:
        self._http = httpx.Client(**_arguments(url, token))  # type: ignore[arg-type]
        self._timeout = timeout

    def perform(self, steps: Steps[Result]) -> Result:
        """Carry out an operation."""
        reply = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            if isinstance(step, Wait):
                time.sleep(step.seconds)
                reply = None
            else:
                reply = self._send(step)

    def _send(self, request: Request) -> Answer | httpx.TransportError:
        try:
            with (
                request.opened(self._timeout) as given,
                self._http.stream(request.method, request.path, **given) as response,
                Receiver(request, response) as receiver,
            ):
                for piece in response.iter_bytes():
                    receiver.take(piece)
                return receiver.answer()
        except httpx.TransportError as error:
            return error

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Touchstone:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncTouchstone(Operations):
    """`Touchstone` for asyncio: each operation is a coroutine.

    async with AsyncTouchstone("https://touchstone.example", token) as touchstone:
        await touchstone.datasets()
    """

    def __init__(self, url: str, token: str, *, timeout: float = TIMEOUT) -> None:
        self._http = httpx.AsyncClient(**_arguments(url, token))  # type: ignore[arg-type]
        self._timeout = timeout

    async def perform(self, steps: Steps[Result]) -> Result:
        """Carry out an operation."""
        reply = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            if isinstance(step, Wait):
                await asyncio.sleep(step.seconds)
                reply = None
            else:
                reply = await self._send(step)

    async def _send(self, request: Request) -> Answer | httpx.TransportError:
        try:
            with request.opened(self._timeout) as given:
                async with self._http.stream(request.method, request.path, **given) as response:
                    with Receiver(request, response) as receiver:
                        async for piece in response.aiter_bytes():
                            receiver.take(piece)
                        return receiver.answer()
        except httpx.TransportError as error:
            return error

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncTouchstone:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
