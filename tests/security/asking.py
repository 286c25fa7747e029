"""One request, what it was answered, and which tables it wrote to; what it changed is taken back."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.core.signals import got_request_exception
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client

WRITING = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')


class Answer(NamedTuple):
    """`error` is the exception that no view foresaw, else None; `wrote` the names of tables."""

    status: int
    headers: dict[str, str]
    body: bytes
    wrote: frozenset[str]
    error: str | None


def ask(client: Client, method: str, path: str, **sent: Any) -> Answer:
    """Ask as a browser does, and take back what it changed."""
    cookies = client.cookies.copy()
    with transaction.atomic(), _tables_written() as wrote, _errors() as errors:
        answer = getattr(client, method)(path, **sent)
        body = _whole(answer)
        transaction.set_rollback(True)
    client.cookies = cookies
    error = errors[0] if errors else None
    return Answer(answer.status_code, dict(answer.headers), body, frozenset(wrote), error)


def _whole(answer: HttpResponse) -> bytes:
    return b"".join(answer)


@contextmanager
def _tables_written() -> Iterator[set[str]]:
    tables: set[str] = set()

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if (found := WRITING.match(sql)) is not None:
            tables.add(found[1])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield tables


@contextmanager
def _errors() -> Iterator[list[str]]:
    errors: list[str] = []

    def note(request: Any = None, **_: Any) -> None:
        error = sys.exc_info()[1]
        errors.append(f"{type(error).__name__}: {error}")

    got_request_exception.connect(note)
    try:
        yield errors
    finally:
        got_request_exception.disconnect(note)
