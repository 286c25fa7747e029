"""Headers of every page: no cache keeps it, and nothing of other sites or of its own text runs in it.

Who goes back on a shared machine after a log-out has to log in again.
"""

from collections.abc import Callable

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse

PRIVATE = "no-store, private"


class SetPageHeaders:
    """For every answer of a view, but one that says itself how it may be kept, or what else it loads (django-csp's
    `csp_update`). Static files are answered further up."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._policy = build_policy()  # once: django-csp's own middleware does so for each answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", PRIVATE)
        if not (settings.DEBUG and response.status_code in (404, 500)):  # Django's error pages have styles inline
            update = getattr(response, "_csp_update", None)
            response.headers.setdefault(HEADER, build_policy(update=update) if update else self._policy)
        return response
