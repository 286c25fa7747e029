"""The pages of invitations: make one or many, revoke them, send them again, accept one."""

from typing import Any

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset
from annotate.invitations.accept import accept_as, make_account
from annotate.invitations.forms import InviteForm, InviteManyForm, NewAccountForm
from annotate.invitations.invite import VALID_DAYS, InvitationError, find_invitation
from annotate.invitations.pasted import Outcome, read_pasted
from annotate.invitations.send import (
    SentInvitation,
    link_lines,
    revoke_invitation,
    send_again,
    send_invitation,
    send_pasted,
)
from annotate.models import Dataset, Invitation, Role, User
from core.downloads import download_csv
from core.numbers import read_number


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: MemberRequest, pk: int) -> HttpResponse:
    """Make an invitation; its link is on the answer and nowhere else."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = InviteForm(request.POST if request.method == "POST" else None)
    context = _invite_context(dataset, form)
    if not form.is_bound or not form.is_valid():
        return render(request, "invitations/invite.html", context, status=422 if form.is_bound else 200)
    sent = send_invitation(request, dataset, request.user, **form.cleaned_data)
    context |= {"invitation": sent.invitation, "link": sent.link, "sent": sent.emailed}
    return render(request, "invitations/made.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def invite_many(request: MemberRequest, pk: int) -> HttpResponseBase:
    """Show what becomes of each pasted address; with `send`, invite those that are new."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = InviteManyForm(request.POST if request.method == "POST" else None)
    pasted = read_pasted(dataset, form.cleaned_data["addresses"]) if form.is_bound and form.is_valid() else []
    if pasted and "send" in request.POST:
        return _sent(request, dataset, send_pasted(request, dataset, request.user, pasted, form.cleaned_data["role"]))
    context = {
        **_invite_context(dataset, form),
        "pasted": pasted,
        "new": sum(each.outcome == Outcome.NEW for each in pasted),
    }
    return render(request, "invitations/many.html", context, status=422 if form.is_bound and not pasted else 200)


@require_POST
def invitations_change(request: MemberRequest, pk: int) -> HttpResponseBase:
    """Revoke the chosen invitations, or send each again with a new link."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    numbers = [number for number in map(read_number, request.POST.getlist("invitation")) if number is not None]
    chosen = list(dataset.invitations.filter(pk__in=numbers, accepted_at__isnull=True))
    if not chosen:
        messages.error(request, "Not done: choose invitations that nobody has accepted.")
    elif request.POST.get("change") == "again":
        return _sent(request, dataset, send_again(request, chosen, request.user))
    else:
        number = sum(revoke_invitation(request, each) for each in chosen)
        messages.success(request, f"Revoked: {number}. These links no longer work.")
    return redirect("people", dataset.pk)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """Accept an invitation, with the account that is logged in or with a new one."""
    invitation = find_invitation(request.GET.get("key", ""))
    if invitation is None:
        return render(request, "invitations/over.html", status=404)
    if not invitation.is_open or invitation.dataset.archived_at is not None:
        return render(request, "invitations/over.html", {"invitation": invitation}, status=410)
    form = None
    if isinstance(request.user, User):
        if request.method == "POST":
            return _accept_as(request, invitation, request.user)
    else:
        form = NewAccountForm(request.POST if request.method == "POST" else None, initial={"name": invitation.name})
        if form.is_bound and form.is_valid() and (made := make_account(request, invitation, form)):
            return perform_login(request, made, redirect_url=reverse("dataset", args=[invitation.dataset_id]))  # type: ignore[no-any-return]
    return _page(request, invitation, form, status=422 if form and form.is_bound else 200)


def _invite_context(dataset: Dataset, form: Form) -> dict[str, Any]:
    return {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "people",
        "form": form,
        "days": VALID_DAYS,
        "sends_email": settings.EMAIL_CONFIGURED,
    }


def _sent(request: MemberRequest, dataset: Dataset, sent: list[SentInvitation]) -> HttpResponseBase:
    """A file with the links that were sent to nobody, which nothing can show again; else the page of people."""
    if any(each.link for each in sent):
        return download_csv(link_lines(sent), f"invitations-{dataset.pk}.csv")
    messages.success(request, f"Sent: {len(sent)}." if sent else "Nobody new is among them: nothing was sent.")
    return redirect("people", dataset.pk)


def _accept_as(request: HttpRequest, invitation: Invitation, person: User) -> HttpResponse:
    try:
        accept_as(request, invitation, person)
    except InvitationError as error:
        messages.error(request, f"Not done: {error}.")
        return _page(request, invitation, None, status=422)
    messages.success(request, f"You are {invitation.role} of {invitation.dataset} now.")
    return redirect("dataset", invitation.dataset_id)


def _page(request: HttpRequest, invitation: Invitation, form: NewAccountForm | None, status: int) -> HttpResponse:
    context = {
        "invitation": invitation,
        "form": form,
        "path": request.get_full_path(),
        "query": request.GET.urlencode(),
    }
    return render(request, "invitations/invitation.html", context, status=status)
