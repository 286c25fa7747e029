"""The answer while the database or the disk takes nothing: 503, and what was kept."""

import sys

from django.db import InternalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from core.disk import is_full
from jobs.policy import DATABASE_AWAY

# A lost connection, a full disk, a lock that is not given up; InternalError: PostgreSQL takes no writing.
AWAY = (*DATABASE_AWAY, InternalError)
RETRY_SECONDS = 10


def answer_error(request: HttpRequest) -> HttpResponse:
    """The answer to an error that no view foresaw; called while it is handled."""
    error = sys.exc_info()[1]
    full = is_full(error)
    if not full and not isinstance(error, AWAY):
        return server_error(request)
    # No request: it would ask the database who is logged in.
    page = render_to_string("503.html", {"full": full})
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
