"""The pages of an invitation: make one, revoke it, accept it."""

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.invitations.accept import accept_as, make_account
from annotate.invitations.forms import InviteForm, NewAccountForm
from annotate.invitations.invite import VALID_DAYS, InvitationError, find_invitation
from annotate.invitations.send import revoke_invitation, send_invitation
from annotate.models import Invitation, Role, User


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: MemberRequest, pk: int) -> HttpResponse:
    """Make an invitation; its link is on the answer and nowhere else."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = InviteForm(request.POST if request.method == "POST" else None)
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "people",
        "form": form,
        "days": VALID_DAYS,
        "sends_email": settings.EMAIL_CONFIGURED,
    }
    if not form.is_bound or not form.is_valid():
        return render(request, "invitations/invite.html", context, status=422 if form.is_bound else 200)
    sent = send_invitation(request, dataset, request.user, **form.cleaned_data)
    context |= {"invitation": sent.invitation, "link": sent.link, "sent": sent.emailed}
    return render(request, "invitations/made.html", context)


@require_POST
def invitation_revoke(request: MemberRequest, pk: int) -> HttpResponse:
    invitations = Invitation.objects.select_related("dataset")
    invitation = fetch_in_dataset(request.user, invitations, pk, "dataset", Role.ADJUDICATOR)
    if revoke_invitation(request, invitation):
        messages.success(request, "The invitation is revoked. The link no longer works.")
    return redirect("people", invitation.dataset_id)


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
