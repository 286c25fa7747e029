"""The number of a request, in log lines of the request and of the work that it enqueues."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import uuid4

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
WELL_FORMED = re.compile(r"[\w-]{1,64}", re.ASCII)
# None outside of requests and tasks.
request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


@contextmanager
def numbered(number: str) -> Iterator[None]:
    token = request_id.set(number)
    try:
        yield
    finally:
        request_id.reset(token)


class NumberRequest:
    """The trusted proxy's number, or a new one. The answer says it, so that people can report it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        number = request.headers.get(HEADER, "") if settings.TRUSTED_PROXIES else ""
        if not WELL_FORMED.fullmatch(number):
            number = uuid4().hex
        with numbered(number):
            response = self.get_response(request)
        response.headers[HEADER] = number
        return response


@before_task_publish.connect  # type: ignore[untyped-decorator]
def send_number(headers: dict[str, Any], **_: Any) -> None:
    """With the message, where a request or a task enqueues it."""
    headers["request_id"] = request_id.get()


@task_prerun.connect  # type: ignore[untyped-decorator]
def take_number(task: Any, **_: Any) -> None:
    """A task that a sweep enqueued has a number of its own."""
    request_id.set(getattr(task.request, "request_id", None) or uuid4().hex)


@task_postrun.connect  # type: ignore[untyped-decorator]
def drop_number(**_: Any) -> None:
    request_id.set(None)
