"""An invitation goes out by its link, or is revoked; the audit log says so."""

from dataclasses import dataclass

from django.db import transaction
from django.http import HttpRequest

from annotate.invitations.invite import email_invitation, invitation_path, make_invitation, revoke
from annotate.models import Dataset, Invitation, User
from audit.models import Action
from audit.record import record


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


@transaction.atomic
def revoke_invitation(request: HttpRequest, invitation: Invitation) -> bool:
    """False if it was accepted or revoked before."""
    revoked = revoke(invitation)
    if revoked:
        record(request, Action.INVITATION_REVOKED, invitation, detail=f"{invitation.dataset}: {invitation.role}")
    return revoked
