"""Requests as the views of all rooms get them."""

from typing import Any

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class PageRequest(HttpRequest):
    """A request of somebody who is logged in; `htmx` says whether a script asks for a part of the page."""

    user: Any
    htmx: HtmxDetails
