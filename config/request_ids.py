"""The number of a request, in log lines of the request and of the work that it enqueues."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import uuid4

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
