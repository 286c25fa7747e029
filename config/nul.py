"""No text with a NUL character gets any further: PostgreSQL stores none, nor even compares with one.

Bodies that are JSON are not looked at here: their readers check them.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

NUL = "\x00"


class RefuseNul:
    """Answers 400 to a query or a form with a NUL in any name or value."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        """Forms are read here, no earlier: by now the check against forged requests, which reads them too, is over."""
        if _holds_nul(request.GET) or _holds_nul(request.POST):
            return render(request, "site/unkept_text.html", status=400)
        return None


def _holds_nul(fields: QueryDict) -> bool:
    return any(NUL in text for name, values in fields.lists() for text in (name, *values))
