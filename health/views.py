"""The page of the server's state, for superusers."""

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from core.requests import PageRequest
from health.report import examine, failed


@require_GET
def server(request: PageRequest) -> HttpResponse:
    """With `outside` in the query other servers are asked too, which may take some seconds for each."""
    if not request.user.is_superuser:
        raise PermissionDenied
    outside = "outside" in request.GET
    found = examine(outside)
    return render(request, "health/server.html", {"found": found, "wrong": failed(found), "outside": outside})
