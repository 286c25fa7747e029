"""An invitation is made, sent, revoked and accepted."""

from datetime import timedelta
from secrets import token_urlsafe

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from annotate.administration.members import MemberError, join
from annotate.models import Dataset, Invitation, Membership, User
from core.emails import send_email
from core.secret_keys import hash_of_key

VALID_DAYS = 14


class InvitationError(ValueError):
    """The invitation cannot be accepted; the message says why."""


def make_invitation(dataset: Dataset, invited_by: User, name: str, email: str, role: str) -> tuple[Invitation, str]:
    """The invitation, and the secret key of its link, which nothing can show again. Raises PermissionDenied for a
    sandbox."""
    if dataset.sandbox:
        raise PermissionDenied("This is a sandbox, and nobody else joins it.")
    key = token_urlsafe(32)
    invitation = Invitation.objects.create(
        dataset=dataset,
        name=name,
        email=email,
        role=role,
        token_hash=hash_of_key(key),
        invited_by=invited_by,
        expires_at=timezone.now() + timedelta(days=VALID_DAYS),
    )
    return invitation, key


def invitation_path(key: str) -> str:
    """The key is in the query, which the access log leaves out."""
    return f"{reverse('invitation')}?{urlencode({'key': key})}"


def email_invitation(invitation: Invitation, key: str) -> bool:
    """Send the link to the invited person. False where e-mail is not configured, nobody's address is known, or the mail
    server does not take it."""
    if not settings.EMAIL_CONFIGURED or not invitation.email:
        return False
    context = {"invitation": invitation, "path": invitation_path(key)}
    try:
        send_email(invitation.email, f"Invitation to {invitation.dataset}", "email/invitation.txt", context)
    except OSError:
        return False
    return True


def find_invitation(key: str) -> Invitation | None:
    """The invitation of this link, whatever its state; None where there is none."""
    return Invitation.objects.select_related("dataset", "invited_by").filter(token_hash=hash_of_key(key)).first()


@transaction.atomic
def revoke(invitation: Invitation) -> bool:
    """Nobody can accept it any more. False if it was accepted or revoked before."""
    unused = Invitation.objects.filter(pk=invitation.pk, accepted_at__isnull=True, revoked_at__isnull=True)
    return bool(unused.update(revoked_at=timezone.now()))


def went_to_address(invitation: Invitation) -> bool:
    """Its link was sent to an address and shown to nobody: it is for the owner of that address alone."""
    return bool(settings.EMAIL_CONFIGURED and invitation.email)


def take_address(invitation: Invitation, made: User) -> None:
    """The address that the link was sent to is the new account's, confirmed by the link. InvitationError where it is
    another's."""
    if not went_to_address(invitation):
        return
    if EmailAddress.objects.filter(email__iexact=invitation.email, verified=True).exclude(user=made).exists():
        raise InvitationError("the owner of this e-mail address has an account: log in with it and open the link again")
    is_first = not EmailAddress.objects.filter(user=made).exists()
    confirmed = {"verified": True, "primary": is_first}
    EmailAddress.objects.update_or_create(user=made, email=invitation.email.lower(), create_defaults=confirmed)
    if is_first:
        User.objects.filter(pk=made.pk).update(email=invitation.email.lower())


@transaction.atomic
def accept(invitation: Invitation, person: User) -> Membership:
    """Make the person a member. InvitationError if it is used, revoked or too old, was sent to an address that the
    person has not confirmed, or its role cannot be theirs."""
    if went_to_address(invitation):
        own = EmailAddress.objects.filter(user=person, verified=True, email__iexact=invitation.email)
        if not own.exists():
            raise InvitationError(
                "this invitation was sent to another e-mail address: confirm it in Your account and open the link again"
            )
    taken = Invitation.objects.open().filter(pk=invitation.pk, dataset__archived_at__isnull=True)
    if not taken.update(accepted_at=timezone.now(), accepted_by=person):
        raise InvitationError("this invitation is not valid any more")
    try:
        return join(invitation.dataset, person, invitation.role)
    except MemberError as error:
        raise InvitationError(str(error)) from None
