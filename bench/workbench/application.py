"""The web application that the bench asks: the project's own and, beside it, an empty view of Django alone.

The empty view has no middleware and asks no database: what it takes is the measure of the machine at that moment.
"""

from collections.abc import Iterable
from typing import Any

from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from bench.workbench.annotator import EMPTY
from config import wsgi

urlpatterns = [path(EMPTY[1:], lambda request: HttpResponse("empty"))]


class EmptyHandler(WSGIHandler):
    """Knows the addresses of this file alone."""

    def get_response(self, request: HttpRequest) -> Any:
        request.urlconf = __name__
        return super().get_response(request)


with override_settings(MIDDLEWARE=[]):
    _empty = EmptyHandler()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    handler = _empty if environ["PATH_INFO"] == EMPTY else wsgi.application
    return handler(environ, start_response)
