"""django-allauth's log-in as Touchstone wants it: throttled, recorded, without messages."""

import logging
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from cryptography.fernet import Fernet
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from annotate.models import User
from annotate.people.resets import confirmed_email
from annotate.people.throttle import count_attempt, note_refused, refuse_for_the_longest, remember_browser
from audit.models import Action
from audit.record import record
from core.requests import client_address

LOGGER = logging.getLogger("touchstone.email")
UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104 - of a session whose address is not known; nothing listens there
# The e-mails of django-allauth about changes, in words.
CHANGES = {
    "account/email/password_changed": "Your password was changed.",
    "account/email/password_reset": "Your password was reset.",
    "account/email/email_changed": "Your e-mail address was changed.",
    "mfa/email/totp_activated": "Authenticator codes were turned on.",
    "mfa/email/totp_deactivated": "Authenticator codes were turned off.",
    "mfa/email/webauthn_added": "A passkey was added: it logs in, and log-in by password asks for it.",
    "mfa/email/webauthn_removed": "A passkey was removed.",
    "socialaccount/email/account_connected": "An account at an identity provider was connected: it logs in.",
    "socialaccount/email/account_disconnected": "The account at an identity provider was disconnected.",
    "mfa/email/recovery_codes_generated": "New recovery codes were created.",
}
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

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail server that cannot be reached stops nothing, and an answer does not tell whether one was sent."""
        if not settings.EMAIL_CONFIGURED:
            return
        try:
            super().send_mail(template_prefix, email, {**context, "site": settings.SITE_URL})
        except OSError as error:
            LOGGER.error("The e-mail %s was not sent: %s", template_prefix, error)

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Tell the owner of an account of a change, at the confirmed address (of a new address, at the old one)."""
        change, address = CHANGES.get(template_prefix), email or confirmed_email(user)
        if change and address:
            super().send_notification_mail("account/email/notice", user, {"change": change, "user": user}, address)

    def get_reset_password_from_key_url(self, key: str) -> str:
        uid, _, token = key.partition("-")
        return settings.SITE_URL + reverse("account_reset_password_from_key", args=[uid, token])

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return settings.SITE_URL + reverse("account_confirm_email", args=[emailconfirmation.key])

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        self._login_failed_rl_usage = count_attempt(request, credentials.get("username", ""))

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """A name that nobody has is not recorded: it may be a password in the wrong field."""
        record(request, Action.LOGIN_FAILED, User.objects.filter(username=credentials.get("username", "")).first())

    def post_login(self, request: HttpRequest, user: Any, **named: Any) -> HttpResponse:
        record(request, Action.LOGIN, user, detail=_way_of(request, user))
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


def _way_of(request: HttpRequest, user: Any) -> str:
    """The name of the identity provider for a log-in by it; "" otherwise. A code may have come after it."""
    methods = [each["method"] for each in get_authentication_records(request, user) if each["method"] != "mfa"]
    return settings.OIDC_NAME if methods[-1:] == ["socialaccount"] else ""


class CodeAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Codes of an authenticator, and passkeys. Secrets are stored encrypted by a key made of SECRET_KEY; of a passkey
    only its public half is stored."""

    def get_totp_label(self, user: Any) -> str:
        return str(user.username)

    def generate_authenticator_name(self, user: Any, type: Authenticator.Type) -> str:
        return f"Passkey {Authenticator.objects.filter(user=user, type=type).count() + 1}"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {**super().get_public_key_credential_rp_entity(), "name": "Touchstone"}

    def get_public_key_credential_user_entity(self, user: Any) -> dict[str, Any]:
        return {**super().get_public_key_credential_user_entity(user), "name": str(user.username)}

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
