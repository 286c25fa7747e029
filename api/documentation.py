"""The schema of the API, and the page that shows it."""

from functools import cache
from typing import NamedTuple

from csp.decorators import csp_update
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import OpenApiJsonRenderer

from api.rest.schema import write_schema


@login_not_required
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """The schema, the same for everybody."""
    return HttpResponse(_schema(), content_type="application/vnd.oai.openapi+json; version=3.1")


@csp_update({"img-src": ["'self'", "data:"]})  # of the stylesheet of Swagger UI
@require_safe
def api_documentation(request: HttpRequest) -> HttpResponse:
    """Every address of the API; they can be tried with a token."""
    return render(request, "api/documentation.html", {"groups": _groups()})


class Operation(NamedTuple):
    """One method of one address."""

    method: str
    path: str
    about: str


@cache
def _groups() -> dict[str, list[Operation]]:
    """All operations, by the resource that their paths begin with."""
    groups: dict[str, list[Operation]] = {}
    for path, methods in write_schema()["paths"].items():
        for method, operation in methods.items():
            about = operation.get("description", "").partition("\n\n")[0]
            groups.setdefault(operation["tags"][0], []).append(Operation(method.upper(), path, about))
    return groups


@cache
def _schema() -> bytes:
    return OpenApiJsonRenderer().render(write_schema(), renderer_context={})
