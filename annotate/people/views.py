"""The pages of one's account but those of codes and passkeys: profile, e-mail address, password, sessions."""

from typing import Any

from allauth.account.views import EmailView, PasswordChangeView, PasswordResetView
from allauth.mfa.models import Authenticator
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_GET, require_http_methods

from annotate.people.forms import ProfileForm
from annotate.people.resets import confirmed_email
from annotate.people.ways import connected_account
from core.numbers import read_number
from core.requests import PageRequest


@require_GET
def account(request: PageRequest) -> HttpResponse:
    """How one's account stands, and what can be changed."""
    types = list(Authenticator.objects.filter(user=request.user).values_list("type", flat=True))
    context = {
        "has_codes": Authenticator.Type.TOTP in types,
        "passkeys": types.count(Authenticator.Type.WEBAUTHN),
        "sessions": len(UserSession.objects.purge_and_list(request.user)),
        "email": confirmed_email(request.user),
        "memberships": request.user.memberships.filter(dataset__ready=True).select_related("dataset"),
        "connected": connected_account(request.user),
        "sends_email": settings.EMAIL_CONFIGURED,
    }
    return render(request, "account/account.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: PageRequest) -> HttpResponse:
    """The name that adjudicators see."""
    form = ProfileForm(request.POST if request.method == "POST" else None, instance=request.user)
    if form.is_bound and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("account")
    return render(request, "account/profile.html", {"form": form}, status=422 if form.is_bound else 200)


class AddressView(EmailView):  # type: ignore[misc]
    """Change one's e-mail address: the new one counts once it is confirmed."""

    def dispatch(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        if not settings.EMAIL_CONFIGURED:
            return render(request, "account/no_email.html")
        return super().dispatch(request, *arguments, **named)  # type: ignore[no-any-return]


@method_decorator(login_not_required, name="dispatch")
class ResetView(PasswordResetView):  # type: ignore[misc]
    """Have a reset link sent; where no e-mail is configured, the page says who makes one."""

    def dispatch(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        if not settings.EMAIL_CONFIGURED:
            return render(request, "account/no_email.html")
        return super().dispatch(request, *arguments, **named)  # type: ignore[no-any-return]


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
