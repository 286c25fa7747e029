"""Pages are kept by no cache: who goes back on a shared machine after a log-out has to log in again."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PRIVATE = "no-store, private"


class KeepNoPage:
    """Every answer of a view, but one that says itself how it may be kept. Static files are answered further up."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", PRIVATE)
        return response
