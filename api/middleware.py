"""Requests to the API are of the person of their token, and their errors are problem details (RFC 9457).

It stands before whatever asks who makes the request: limits of bodies, rights, the audit log.
"""

from collections.abc import Callable

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse

from api.models import Token
from api.rest.problems import problem_response
from api.tokens.create import find_token

PATH = "/api/v1/"
SCHEME = "bearer"


class TokenMiddleware:
    """Sets `request.token`, and `request.user`: a session opens no address of the API, so no other site's form does."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(PATH):
            return self.get_response(request)
        token = self._token_of(request)
        if token is None:
            request.user = AnonymousUser()
        else:
            request.user = token.user
            token.user.only_dataset = token.dataset_id
        # The access log sends no query of its own: it names whoever was looked up.
        request._cached_user = request.user  # type: ignore[attr-defined]
        request.token = token  # type: ignore[attr-defined]
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        return problem_response(response) if response.status_code >= 400 and is_page else response

    def _token_of(self, request: HttpRequest) -> Token | None:
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        return find_token(text.strip()) if scheme.lower() == SCHEME and text else None
