"""The answer while the database cannot be reached or written to: 503, and what was kept."""

import sys

from django.db import InternalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from jobs.policy import DATABASE_AWAY

# A lost connection, a full disk, a lock that is not given up; InternalError: PostgreSQL takes no writing.
AWAY = (*DATABASE_AWAY, InternalError)
RETRY_SECONDS = 10


def answer_error(request: HttpRequest) -> HttpResponse:
    """The answer to an error that no view foresaw; called while it is handled."""
    if not isinstance(sys.exc_info()[1], AWAY):
        return server_error(request)
    # No request: it would ask the database who is logged in.
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(RETRY_SECONDS)})
