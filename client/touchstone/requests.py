"""Requests and waiting as values: what an operation does is written once, and a client carries it out with or without
asyncio."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from pathlib import Path
from time import time
from typing import IO, Any, TypeVar
from uuid import uuid4

import httpx

from touchstone.errors import ProblemError, UnreachableError, problem_of

Result = TypeVar("Result")
Progress = Callable[[int, int], object]
"""Called with bytes done and bytes in all; these are 0 where the server does not say."""

TRIES = 6
LONGEST_WAIT = 60.0
# A server checks a file before it answers: a second try meanwhile would have it checked twice.
CHECK_SECONDS = 600.0
# The server may answer otherwise in a moment.
PASSING = (429, 502, 503, 504)


@dataclass(frozen=True)
class Wait:
    seconds: float


@dataclass(frozen=True)
class Request:
    """One request. body: bytes, or what becomes JSON. file: sent as a form beside `form`. target: the file that the
    answer is written to."""

    method: str
    path: str
    body: Any = None
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None
    target: Path | None = None
    progress: Progress | None = None

    @contextmanager
    def opened(self, timeout: float) -> Iterator[dict[str, Any]]:
        """The arguments of httpx, with the file open. timeout: seconds without any sign of the server, of a file at
        least CHECK_SECONDS once it is sent."""
        arguments: dict[str, Any] = {"headers": self.headers, "params": self.query or None, "timeout": timeout}
        with ExitStack() as stack:
            if self.file is not None:
                arguments["timeout"] = httpx.Timeout(timeout, read=max(timeout, CHECK_SECONDS))
                file: Any = stack.enter_context(self.file.open("rb"))
                if self.progress is not None:
                    file = _Counted(file, self.file.stat().st_size, self.progress)
                arguments |= {"data": self.form, "files": {"file": (self.file.name, file)}}
            elif self.body is not None:
                arguments["content" if isinstance(self.body, bytes) else "json"] = self.body
            yield arguments


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        """The JSON of the answer; None where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


Reply = Answer | httpx.TransportError | None
Steps = Generator[Request | Wait, Reply, Result]
"""An operation: it yields requests and waits, is sent the answers, and returns its result."""


class Receiver:
    """Takes in the pieces of an answer: into memory, or of a success into the request's target."""

    def __init__(self, request: Request, response: httpx.Response) -> None:
        self._request = request
        self._response = response
        self._body = bytearray()
        self._done = 0
        # Of a compressed answer the header counts other bytes than come out.
        is_plain = "Content-Encoding" not in response.headers
        self._total = int(response.headers.get("Content-Length", 0)) if is_plain else 0
        self._part: Path | None = None

    def __enter__(self) -> Receiver:
        if self._request.target is not None and self._response.is_success:
            self._part = self._request.target.with_name(f"{self._request.target.name}.part")
            self._file = self._part.open("wb")
        return self

    def __exit__(self, *error: object) -> None:
        """Leave no part of a file behind."""
        if self._part is not None:
            self._file.close()
            self._part.unlink(missing_ok=True)

    def take(self, piece: bytes) -> None:
        if self._part is None:
            self._body += piece
            return
        self._file.write(piece)
        self._done += len(piece)
        if self._request.progress is not None:
            self._request.progress(self._done, self._total)

    def answer(self) -> Answer:
        """The whole answer; a file is put in its place only now."""
        if self._part is not None and self._request.target is not None:
            self._file.close()
            self._part.replace(self._request.target)
        return Answer(self._response.status_code, self._response.headers, bytes(self._body))


def ask(request: Request) -> Steps[Answer]:
    """Carry out the request, a GET or a POST, again after a failure that may pass.

    A POST has the same key each time, so that the server does it once. Raises ProblemError and UnreachableError.
    """
    if request.method == "POST":
        request = replace(request, headers={"Idempotency-Key": uuid4().hex, **request.headers})
    for tried in range(1, TRIES + 1):
        reply = yield request
        if isinstance(reply, Answer) and reply.status not in PASSING:
            if reply.status >= 400:
                raise problem_of(reply.status, reply.document)
            if reply.status >= 300:
                raise ProblemError(reply.status, f"The server is at another address: {reply.headers['Location']}.")
            return reply
        if tried < TRIES:
            yield Wait(_pause(reply, tried))
    if isinstance(reply, Answer):
        raise problem_of(reply.status, reply.document)
    raise UnreachableError(f"{type(reply).__name__}: {reply}") from reply


def ask_document(request: Request) -> Steps[Any]:
    """The JSON of the answer. Raises ProblemError as `ask`, and where there is none."""
    answer = yield from ask(request)
    if answer.document is None:
        raise ProblemError(answer.status, "The answer is no JSON: this is not the address of a Touchstone server.")
    return answer.document


def _pause(reply: Reply, tried: int) -> float:
    """Seconds until the next try: what the server asks for, else ever longer ones."""
    if isinstance(reply, Answer) and (wanted := _retry_after(reply)) is not None:
        return min(wanted, LONGEST_WAIT)
    return min(2.0**tried / 4, LONGEST_WAIT) * random.uniform(0.75, 1.25)  # noqa: S311 - no secret


def _retry_after(answer: Answer) -> float | None:
    text = answer.headers.get("Retry-After", "")
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time())
    except ValueError:
        return None


class _Counted:
    """A file that tells how much of it has been read."""

    def __init__(self, file: IO[bytes], size: int, progress: Progress) -> None:
        self._file = file
        self._size = size
        self._progress = progress

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._progress(self._file.tell(), self._size)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
