"""Two addresses for service managers and load balancers, answered before everything else.

A probe names the host by its number and speaks HTTP inside the machine, so that it comes before the checks of host and
TLS; and it needs no session. It is not logged: it comes every few seconds.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from health.services import is_broker_there, is_database_there, is_migrated

ALIVE, READY = "/healthz", "/readyz"
METHODS = ("GET", "HEAD")


class AnswerProbes:
    """ALIVE: this process answers. READY: the database, its migrations and the broker too; 503 where one is missing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path not in (ALIVE, READY):
            return self.get_response(request)
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        response = JsonResponse({"alive": True}) if request.path == ALIVE else _readiness()
        response.headers["Cache-Control"] = "no-store"
        return response


def _readiness() -> JsonResponse:
    parts = {"database": is_database_there(), "migrations": is_migrated(), "broker": is_broker_there()}
    return JsonResponse(parts, status=200 if all(parts.values()) else 503)
