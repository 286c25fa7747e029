"""What people do to their account is recorded."""

from typing import Any

from allauth.account.signals import email_changed, password_changed, password_reset
from allauth.mfa.signals import (
    authentication_failed,
    authenticator_added,
    authenticator_removed,
    authenticator_reset,
)
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from annotate.models import User
from audit.models import Action
from audit.record import record


@receiver(user_logged_out)
def record_logout(request: HttpRequest, user: User | None, **signal: Any) -> None:
    if user is not None:
        record(request, Action.LOGOUT, user)


@receiver(password_changed)
def record_password(request: HttpRequest, user: User, **signal: Any) -> None:
    record(request, Action.PASSWORD_CHANGED, user)


@receiver(password_reset)
def record_reset(request: HttpRequest, user: User, **signal: Any) -> None:
    record(request, Action.PASSWORD_RESET, user)


@receiver(email_changed)
def record_email(request: HttpRequest, user: User, **signal: Any) -> None:
    record(request, Action.EMAIL_CHANGED, user)


@receiver(authenticator_added)
def record_codes_on(request: HttpRequest, user: User, authenticator: Any, **signal: Any) -> None:
    record(request, Action.CODES_ON, user, detail=authenticator.type)


@receiver(authenticator_removed)
def record_codes_off(request: HttpRequest, user: User, authenticator: Any, **signal: Any) -> None:
    record(request, Action.CODES_OFF, user, detail=authenticator.type)


@receiver(authenticator_reset)
def record_codes_renewed(request: HttpRequest, user: User, **signal: Any) -> None:
    record(request, Action.CODES_RENEWED, user)


@receiver(authentication_failed)
def record_wrong_code(request: HttpRequest, user: User, **signal: Any) -> None:
    record(request, Action.CODE_WRONG, user)
