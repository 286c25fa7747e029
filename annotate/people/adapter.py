"""django-allauth's log-in as Touchstone wants it: throttled, recorded, without messages and e-mail."""

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from cryptography.fernet import Fernet
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

from annotate.models import User
from annotate.people.throttle import count_attempt, note_refused, refuse_for_the_longest, remember_browser
from audit.models import Action
from audit.record import record
from core.requests import client_address

UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104 - of a session whose address is not known; nothing listens there
TOO_MANY = {"too_many_login_attempts", "rate_limited"}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Log-in by name and password, log-out, change of the password."""

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request) or UNKNOWN_ADDRESS

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def is_ajax(self, request: HttpRequest) -> bool:
        """Pages are answered as pages, whoever asks."""
        return False

    def add_message(self, *arguments: Any, **named: Any) -> None:
        """No messages: each page says by itself how things stand."""

    def send_notification_mail(self, *arguments: Any, **named: Any) -> None:
        """No e-mail."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        self._login_failed_rl_usage = count_attempt(request, credentials.get("username", ""))

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """A name that nobody has is not recorded: it may be a password in the wrong field."""
        record(request, Action.LOGIN_FAILED, User.objects.filter(username=credentials.get("username", "")).first())

    def post_login(self, request: HttpRequest, user: Any, **named: Any) -> HttpResponse:
        record(request, Action.LOGIN, user)
        response: HttpResponse = super().post_login(request, user, **named)
        remember_browser(request, response, user)
        return response

    def validation_error(self, code: str, *arguments: Any) -> ValidationError:
        """Too many codes of an authenticator are answered as too many passwords are."""
        request = context.request
        if code in TOO_MANY and request is not None:
            note_refused(request, request.user.get_username(), settings.LOGIN_FAILURE_MINUTES * 60)
            raise ImmediateHttpResponse(refuse_for_the_longest(request))
        error: ValidationError = super().validation_error(code, *arguments)
        return error


class CodeAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Codes of an authenticator. Their secrets are stored encrypted by a key made of SECRET_KEY."""

    def get_totp_label(self, user: Any) -> str:
        return str(user.username)

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def build_totp_svg(self, url: str) -> str:
        """Without the XML declaration, for a page of HTML."""
        return str(super().build_totp_svg(url)).partition("?>")[2]


def _cipher() -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(f"authenticators:{settings.SECRET_KEY}".encode()).digest()))


class SessionAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc]
    """The list of one's sessions."""

    def end_sessions(self, sessions: Sequence[UserSession]) -> None:
        super().end_sessions(sessions)
        if sessions:
            record(context.request, Action.SESSIONS_ENDED, sessions[0].user, detail=f"{len(sessions)} ended")
