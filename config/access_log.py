"""One line for each request: the client's address, who asked, for what, and how it ended. Files are left out."""

import logging
import re
from collections.abc import Callable
from time import monotonic
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from core.requests import client_address

# What follows opens an account, or confirms an address.
KEY = re.compile(r"^(/password/\w+/|/account/email/confirm/).+")
LOGGER = logging.getLogger("touchstone.access")


class AccessLog:
    """Writes to the logger "touchstone.access". The query of the address is left out: it may hold texts. So are keys of
    links that were sent to one person."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = monotonic()
        response = self.get_response(request)
        if LOGGER.isEnabledFor(logging.INFO) and not request.path.startswith(settings.STATIC_URL):
            milliseconds = round((monotonic() - began) * 1000)
            # Only who was asked for already: this line sends no query of its own.
            user = getattr(request, "_cached_user", None)
            LOGGER.info(
                "%s %s %s %s %d %d ms",
                client_address(request) or "-",
                (user and user.pk) or "-",
                request.method,
                KEY.sub(r"\1-", quote(request.path)),
                response.status_code,
                milliseconds,
            )
        return response
