"""Passkeys: django-allauth's forms and pages, with what they leave open.

A passkey logs in by itself, or is asked for after the password. django-allauth answers malformed credentials with
errors of the server, records no failures and lets only ten requests a minute from one address log in by passkey.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from allauth.mfa.webauthn.internal import auth
from allauth.mfa.webauthn.views import (
    AddWebAuthnView,
    EditWebAuthnView,
    LoginWebAuthnView,
    ReauthenticateWebAuthnView,
    RemoveWebAuthnView,
)
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from annotate.people.throttle import count_asked, count_passkey
from annotate.people.ways import may_remove_passkey
from audit.models import Action
from audit.record import record

NAME_LENGTH = 100
# What a credential raises whose parts are of other kinds than they should be.
MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError, struct.error)
REFUSED = "This passkey was not accepted. Nothing else was changed."


@contextmanager
def _well_formed() -> Iterator[None]:
    """A malformed credential is refused as a wrong one is."""
    try:
        yield
    except MALFORMED as error:
        raise get_adapter().validation_error("incorrect_code") from error


class AddForm(AddWebAuthnForm):  # type: ignore[misc]
    name = forms.CharField(required=False, max_length=NAME_LENGTH)

    def clean(self) -> dict[str, Any]:
        with _well_formed():
            return super().clean()  # type: ignore[no-any-return]


class RenameForm(EditWebAuthnForm):  # type: ignore[misc]
    name = forms.CharField(max_length=NAME_LENGTH)


class _Recorded:
    """Refuses and records a passkey that is not accepted."""

    user: Any

    def clean_credential(self) -> Authenticator:
        try:
            with _well_formed():
                return super().clean_credential()  # type: ignore[misc]
        except ValidationError:
            self.record_failure()
            raise

    def record_failure(self) -> None:
        record(context.request, Action.CODE_WRONG, self.user, detail=Authenticator.Type.WEBAUTHN.value)


class SecondForm(_Recorded, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """After the password."""


class ConfirmForm(_Recorded, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """Before a change of the account."""


class LoginForm(_Recorded, LoginWebAuthnForm):  # type: ignore[misc]
    """By itself: whose it is stands in it."""

    def clean_credential(self) -> Authenticator:
        authenticator = super().clean_credential()
        if not authenticator.user.is_active:
            self.record_failure()
            raise get_adapter().validation_error("incorrect_code")
        return authenticator

    def record_failure(self) -> None:
        """Without a person: anybody can write any number into a credential."""
        record(context.request, Action.LOGIN_FAILED, detail=Authenticator.Type.WEBAUTHN.value)


class AddView(AddWebAuthnView):  # type: ignore[misc]
    """Add a passkey to one's account; the first one brings recovery codes."""

    def get_success_url(self) -> str:
        return reverse("mfa_view_recovery_codes" if self.did_generate_recovery_codes else "mfa_list_webauthn")


class RenameView(EditWebAuthnView):  # type: ignore[misc]
    """Give one's passkey another name."""

    def form_valid(self, form: Any) -> HttpResponse:
        before = Authenticator.objects.get(pk=self.object.pk)
        response: HttpResponse = super().form_valid(form)
        record(self.request, Action.PASSKEY_RENAMED, self.request.user, detail=f"{before} → {self.object}")
        return response


class RemoveView(RemoveWebAuthnView):  # type: ignore[misc]
    """Remove a passkey, but not the only way to log in."""

    def form_valid(self, form: Any) -> HttpResponse:
        if not may_remove_passkey(self.request.user):
            messages.error(self.request, "Not done: this passkey is your only way to log in.")
            return redirect("mfa_list_webauthn")
        return super().form_valid(form)  # type: ignore[no-any-return]


class ConfirmView(ReauthenticateWebAuthnView):  # type: ignore[misc]
    """Confirm by a passkey that it is oneself."""

    def form_invalid(self, form: Any) -> HttpResponse:
        messages.error(self.request, REFUSED)
        return redirect(self.request.get_full_path())


@method_decorator((login_not_required, never_cache), name="dispatch")
class LoginView(LoginWebAuthnView):  # type: ignore[misc]
    """Log in by a passkey alone: GET gives the script what it asks the browser by, POST takes the browser's answer."""

    def dispatch(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        try:
            return super().dispatch(request, *arguments, **named)  # type: ignore[no-any-return]
        except ImmediateHttpResponse as refusal:
            return refusal.response  # type: ignore[no-any-return]

    def get(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        count_asked(request)
        return JsonResponse({"request_options": auth.begin_authentication(user=None)})

    def post(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        self.attempt = count_passkey(request)
        return super().post(request, *arguments, **named)  # type: ignore[no-any-return]

    def form_valid(self, form: Any) -> HttpResponse:
        self.attempt.rollback()
        self.request.session.set_expiry(settings.SESSION_COOKIE_AGE)  # as after a password
        return super().form_valid(form)  # type: ignore[no-any-return]

    def form_invalid(self, form: Any) -> HttpResponse:
        messages.error(self.request, REFUSED)
        return redirect("account_login")
