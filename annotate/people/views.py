"""The pages of one's account: the password, the sessions; those of codes are django-allauth's."""

from typing import Any

from allauth.account.views import PasswordChangeView
from allauth.mfa.models import Authenticator
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from core.numbers import read_number
from core.requests import PageRequest


@require_GET
def account(request: PageRequest) -> HttpResponse:
    """How one's account stands, and what can be changed."""
    types = set(Authenticator.objects.filter(user=request.user).values_list("type", flat=True))
    context = {
        "has_codes": Authenticator.Type.TOTP in types,
        "sessions": len(UserSession.objects.purge_and_list(request.user)),
    }
    return render(request, "account/account.html", context)


class PasswordView(PasswordChangeView):  # type: ignore[misc]
    """Change one's password; all other sessions end by it."""

    def get_default_success_url(self) -> str:
        return reverse("account")

    def dispatch(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.has_usable_password():
            raise PermissionDenied("There is no password to change.")
        return super().dispatch(request, *arguments, **named)  # type: ignore[no-any-return]


class SessionsView(ListUserSessionsView):  # type: ignore[misc]
    """One's sessions; each can be ended, or all but this one."""

    def form_valid(self, form: Any) -> HttpResponse:
        if "session" not in self.request.POST:
            return super().form_valid(form)  # type: ignore[no-any-return]
        number = read_number(self.request.POST["session"])
        session = get_object_or_404(UserSession, pk=number, user=self.request.user)
        end_sessions(self.request, [session])
        return redirect("usersessions_list")
