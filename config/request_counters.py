"""Counts requests by view and status, and how long they took (core/counters.py)."""

from collections.abc import Callable
from time import monotonic

from django.http import HttpRequest, HttpResponse

from core.counters import REQUEST_SECONDS, REQUESTS

# Of files, and of addresses that lead nowhere.
NO_VIEW = "-"


class CountRequests:
    """A view has one name however many objects it shows: the address itself is not counted."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = monotonic()
        response = self.get_response(request)
        view = request.resolver_match.view_name if request.resolver_match else NO_VIEW
        REQUESTS.labels(view, response.status_code).inc()
        REQUEST_SECONDS.labels(view).observe(monotonic() - began)
        return response
