"""Requests to the identity provider: answers of a bounded size in a bounded time, and no redirects."""

from io import BytesIO
from time import monotonic
from typing import Any

from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.conf import settings
from requests import Response, Session
from urllib3.exceptions import HTTPError

LIMIT_BYTES = 512 * 1024
LIMIT_SECONDS = 10.0
CHUNK = 64 * 1024


class ProviderError(OAuth2Error):  # type: ignore[misc]
    """The identity provider did not answer as it should; the message says how, and holds nothing secret."""


class BoundedSession(Session):
    def __init__(self) -> None:
        super().__init__()
        self.headers["Accept-Encoding"] = "identity"

    def request(self, method: Any, url: Any, *arguments: Any, **named: Any) -> Response:
        bounds = {"timeout": settings.SOCIALACCOUNT_REQUESTS_TIMEOUT, "allow_redirects": False, "stream": True}
        response = super().request(method, url, *arguments, **{**named, **bounds})
        try:
            body = _read(response)
        except HTTPError as error:
            raise ProviderError(f"its answer broke off ({type(error).__name__})") from error
        finally:
            response.raw.close()
        response.raw = BytesIO(body)
        return response


def _read(response: Response) -> bytes:
    ends, body = monotonic() + LIMIT_SECONDS, b""
    while chunk := response.raw.read1(CHUNK, decode_content=False):
        body += chunk
        if len(body) > LIMIT_BYTES:
            raise ProviderError("its answer is too large")
        if monotonic() > ends:
            raise ProviderError("its answer takes too long")
    return body
