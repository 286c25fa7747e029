"""Who asks: a token, and what it may do."""

from typing import Any

from django.http import HttpRequest
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from annotate.models import Role, User
from api.models import Scope, Token

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# Those who read what becomes of labels, and evaluate.
READERS = (Role.RESEARCHER, Role.ADJUDICATOR)


class ApiRequest(Request):
    """A request that the permission has let through."""

    user: User
    auth: Token
    _request: HttpRequest


class TokenAuthentication(BaseAuthentication):
    """The token that the middleware has found."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        token = getattr(request._request, "token", None)
        if token is None and "Authorization" in request.headers:
            raise exceptions.AuthenticationFailed("The token is unknown, expired or revoked.")
        return None if token is None else (token.user, token)

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class HasScope(BasePermission):
    """The token has "read" to read, and the view's `write_scope` to write. One that opens a single dataset writes
    nothing that belongs to none (the view's `of_whole_account`)."""

    message = ""

    def has_permission(self, request: Request, view: Any) -> bool:
        token = request.auth
        if not isinstance(token, Token):
            return False
        needed = Scope.READ if request.method in SAFE_METHODS else view.write_scope
        if needed not in token.scopes:
            self.message = f"This token lacks the scope “{needed}”."
            return False
        if view.of_whole_account and request.method not in SAFE_METHODS and token.dataset_id is not None:
            self.message = "This token opens one dataset only."
            return False
        return True


class TokenThrottle(SimpleRateThrottle):
    """Requests of one token (`API_REQUESTS_PER_MINUTE`)."""

    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        token = getattr(request._request, "token", None)
        return None if token is None else f"api-token:{token.pk}"
