"""An invitation goes out by its link, or is revoked; the audit log says so."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from annotate.invitations.invite import email_invitation, invitation_path, make_invitation, revoke
from annotate.invitations.pasted import Outcome, Pasted
from annotate.models import Dataset, Invitation, User
from audit.models import Action
from audit.record import record
from core.csv import csv_line


@dataclass(frozen=True)
class SentInvitation:
    """link: with the secret key, which nothing can show again; "" where it was sent. emailed: it was sent to the
    address, and is for nobody else; otherwise whoever has the link can use it, and the address is not kept."""

    invitation: Invitation
    link: str
    emailed: bool


def send_invitation(
    request: HttpRequest, dataset: Dataset, invited_by: User, name: str, role: str, email: str = ""
) -> SentInvitation:
    with transaction.atomic():
        invitation, key = make_invitation(dataset, invited_by, name, email, role)
        record(request, Action.INVITED, invitation, detail=f"{dataset}: {invitation.role}")
    link = request.build_absolute_uri(invitation_path(key))
    emailed = email_invitation(invitation, key)
    if email and not emailed:
        Invitation.objects.filter(pk=invitation.pk).update(email="")
    return SentInvitation(invitation, "" if emailed else link, emailed)


def send_pasted(
    request: HttpRequest, dataset: Dataset, invited_by: User, pasted: Iterable[Pasted], role: str
) -> list[SentInvitation]:
    """Invite those that are new; by their links where the site sends no e-mail."""
    return [
        send_invitation(request, dataset, invited_by, each.name, role, each.email if settings.EMAIL_CONFIGURED else "")
        for each in pasted
        if each.outcome == Outcome.NEW
    ]


def send_again(request: HttpRequest, invitations: Iterable[Invitation], invited_by: User) -> list[SentInvitation]:
    """A new link for each that nobody has accepted; the earlier link no longer works."""
    sent = []
    for each in invitations:
        if each.accepted_at is None:
            revoke_invitation(request, each)
            sent.append(send_invitation(request, each.dataset, invited_by, each.name, each.role, each.email))
    return sent


def link_lines(sent: Iterable[SentInvitation]) -> Iterator[str]:
    """CSV: the links that were sent to nobody."""
    yield csv_line(("name", "role", "link", "valid_until"))
    for each in sent:
        if each.link:
            invitation = each.invitation
            yield csv_line((invitation.name, invitation.role, each.link, invitation.expires_at.isoformat()))


@transaction.atomic
def revoke_invitation(request: HttpRequest, invitation: Invitation) -> bool:
    """False if it was accepted or revoked before."""
    revoked = revoke(invitation)
    if revoked:
        record(request, Action.INVITATION_REVOKED, invitation, detail=f"{invitation.dataset}: {invitation.role}")
    return revoked
