"""The pages of log-in by the identity provider: to it, back from it, connect and disconnect.

Where no provider is configured, none of them is there.
"""

import logging
from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from time import time
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import get_next_redirect_url, perform_login
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.internal.statekit import unstash_state
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.invitations.accept import make_account
from annotate.invitations.invite import find_invitation, invitation_path
from annotate.models import Invitation, User
from annotate.openid.bounded import ProviderError
from annotate.openid.connect import ConnectError, connect, disconnect, find_account
from annotate.openid.forms import AccountForm
from annotate.openid.provider import Identity, address_of_provider, identify
from annotate.people.throttle import count_by_address
from annotate.people.ways import connected_account, may_disconnect
from audit.models import Action
from audit.record import record
from core.requests import PageRequest

LOGGER = logging.getLogger("touchstone.login")
LOGIN, INVITATION, CONNECT = "login", "invitation", "connect"
PENDING = "openid_pending"
# Seconds in which somebody invited chooses a user name, after which the provider is asked again.
PENDING_SECONDS = 1800
View = Callable[..., HttpResponse]


def served_if_configured(view: View) -> View:
    """Not there without a provider, for nobody; too many requests are answered as failed log-ins are."""

    @login_not_required
    @never_cache
    @wraps(view)
    def serve(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        if not settings.OIDC_SERVER:
            raise Http404("No identity provider is configured.")
        try:
            return view(request, *arguments, **named)
        except ImmediateHttpResponse as refusal:
            return refusal.response  # type: ignore[no-any-return]

    return serve


@served_if_configured
@require_POST
def log_in(request: HttpRequest) -> HttpResponse:
    """To the provider, to log in."""
    if request.user.is_authenticated:
        return redirect("home")
    return _leave(request, LOGIN, next_url=get_next_redirect_url(request))


@served_if_configured
@require_POST
def accept_invitation(request: HttpRequest) -> HttpResponse:
    """To the provider, for a new account."""
    key = request.GET.get("key", "")
    invitation = find_invitation(key)
    if invitation is None:
        raise Http404("No such invitation.")
    if request.user.is_authenticated or not invitation.is_open:
        return redirect(invitation_path(key))
    return _leave(request, INVITATION, invitation=invitation.pk)


@served_if_configured
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_POST
def connect_account(request: PageRequest) -> HttpResponse:
    """To the provider, for one's account there."""
    return _leave(request, CONNECT, person=request.user.pk)


def _leave(request: HttpRequest, process: str, next_url: str | None = None, **data: Any) -> HttpResponse:
    """A page that goes on to the provider by itself: after a form, the content security policy lets no browser be
    redirected to another site."""
    count_by_address(request, "openid_asked")
    try:
        address = address_of_provider(request, process, next_url, **data)
    except ProviderError as error:
        return _failed(request, error)
    return render(request, "openid/leaving.html", {"address": address})


@served_if_configured
@require_GET
def come_back(request: HttpRequest) -> HttpResponse:
    """Back from the provider, with a code or an error."""
    state = unstash_state(request, provider_id=settings.OIDC_SERVER, state_id=request.GET.get("state", ""))
    if state is None:
        return render(request, "openid/failed.html", {"is_late": True}, status=400)
    if request.GET.get("error") == "access_denied":
        messages.info(request, "Cancelled. Nothing was changed.")
        return redirect("account" if state["process"] == CONNECT else "account_login")
    attempt = count_by_address(request, "openid_failed")
    try:
        identity = identify(request, state)
    except ProviderError as error:
        record(request, Action.LOGIN_FAILED, detail=settings.OIDC_NAME)
        return _failed(request, error)
    response, is_good = _arrive(request, state, identity)
    if is_good:
        attempt.rollback()
    return response


def _arrive(request: HttpRequest, state: dict[str, Any], identity: Identity) -> tuple[HttpResponse, bool]:
    """The answer to whom the provider knows, and whether they are let in."""
    if state["process"] == CONNECT:
        return _connect(request, state["data"]["person"], identity), True
    if request.user.is_authenticated:
        return redirect("home"), True
    account = find_account(identity)
    if account is not None and account.user.is_active:
        return _log_in(request, account.user, identity, state), True
    if account is None and state["process"] == INVITATION:
        request.session[PENDING] = {
            "identity": asdict(identity),
            "invitation": state["data"]["invitation"],
            "until": time() + PENDING_SECONDS,
        }
        return redirect("openid-account"), True
    person = None if account is None else account.user
    record(request, Action.LOGIN_FAILED, person, detail=settings.OIDC_NAME)
    return render(request, "openid/unknown.html", {"person": person}, status=403), False


def _log_in(request: HttpRequest, person: User, identity: Identity, state: dict[str, Any]) -> HttpResponse:
    """As after a password: codes and passkeys are asked for next."""
    if state["process"] == INVITATION:
        messages.info(request, f"You have an account: {person}. Open the invitation link again to accept it.")
    return _perform(request, person, identity, state.get("next"))


def _perform(request: HttpRequest, person: User, identity: Identity, next_url: str | None) -> HttpResponse:
    record_authentication(request, person, "socialaccount", provider=settings.OIDC_SERVER, uid=identity.subject)
    return perform_login(request, person, redirect_url=next_url)  # type: ignore[no-any-return]


def _connect(request: HttpRequest, person: int, identity: Identity) -> HttpResponse:
    """Connect for whoever asked for it, if they are still logged in."""
    if not isinstance(request.user, User) or request.user.pk != person:
        return redirect("account_login")
    try:
        connect(request, request.user, identity)
    except ConnectError as error:
        messages.error(request, f"Not done: {error}.")
    else:
        messages.success(request, f"Connected. You can log in with {settings.OIDC_NAME} now.")
    return redirect("account")


@served_if_configured
@require_http_methods(["GET", "HEAD", "POST"])
def new_account(request: HttpRequest) -> HttpResponse:
    """Choose the user name of a new account: the last step of an invitation."""
    pending = request.session.get(PENDING)
    if request.user.is_authenticated or pending is None or pending["until"] < time():
        return redirect("home")
    invitation = Invitation.objects.select_related("dataset", "invited_by").get(pk=pending["invitation"])
    if not invitation.is_open or invitation.dataset.archived_at is not None:
        return render(request, "invitations/over.html", {"invitation": invitation}, status=410)
    identity = Identity(**pending["identity"])
    form = AccountForm(request, identity, invitation.name, data=request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            made = make_account(request, invitation, form)
        except ConnectError as error:
            form.add_error(None, f"Not done: {error}.")
        else:
            if made is not None:
                del request.session[PENDING]
                return _perform(request, made, identity, reverse("dataset", args=[invitation.dataset_id]))
    context = {"invitation": invitation, "form": form}
    return render(request, "openid/account.html", context, status=422 if form.is_bound else 200)


@served_if_configured
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def disconnect_account(request: PageRequest) -> HttpResponse:
    """Ask first, and disconnect one's account at the provider."""
    if connected_account(request.user) is None:
        return redirect("account")
    if request.method == "POST":
        try:
            disconnect(request, request.user)
        except ConnectError as error:
            messages.error(request, f"Not done: {error}.")
        else:
            messages.success(request, "Disconnected.")
        return redirect("account")
    return render(request, "openid/disconnect.html", {"may": may_disconnect(request.user)})


def _failed(request: HttpRequest, error: ProviderError) -> HttpResponse:
    LOGGER.warning("The identity provider did not log somebody in: %s", error)
    return render(request, "openid/failed.html", status=502)
