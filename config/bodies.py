"""The largest body of a request, by who sends it and to what: nothing of a larger one is read or written to a file.

It stands after the log-in and before whatever reads forms. A body may be
- SMALL without a log-in: a name and a password; where a key in the address stands for one, without a known key;
- DATA_UPLOAD_MAX_MEMORY_SIZE otherwise: forms and drafts;
- FORM more than UPLOAD_LIMIT_BYTES where the view takes uploads (core/uploads.py): the form that checks a file says
  itself by how much a file is too large.

A body that does not say its length is refused as a larger one is: no browser sends one.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string

SMALL = 16 * 1024
FORM = 1024 * 1024


class LimitBody:
    """Answers 413 with one sentence."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *arguments: Any) -> HttpResponse | None:
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return _refuse("Nothing was taken in: what was sent does not say how long it is.")
        length = _length(request)
        if length <= SMALL:  # who asks need not be known
            return None
        limit = largest_body(request, view)
        if length <= limit:
            return None
        return _refuse(
            f"Nothing was taken in: what was sent has {filesizeformat(length)}; {filesizeformat(limit)} are taken here."
        )


def largest_body(request: HttpRequest, view: Callable[..., Any]) -> int:
    """In bytes, for whoever asks this view."""
    knows_sender = getattr(view, "knows_sender", None)
    known = request.user.is_authenticated if knows_sender is None else knows_sender(request)
    if not known:
        return SMALL
    if getattr(view, "takes_uploads", False):
        return int(settings.UPLOAD_LIMIT_BYTES) + FORM
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)


def _length(request: HttpRequest) -> int:
    """As Django reads it."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def _refuse(sentence: str) -> HttpResponse:
    # No request: the page asks the database nothing.
    response = HttpResponse(render_to_string("413.html", {"sentence": sentence}), status=413)
    response.detail = sentence  # type: ignore[attr-defined]  # of the API's answer
    return response
