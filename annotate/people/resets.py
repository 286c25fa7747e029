"""Resets of a password: by e-mail to a confirmed address, or by a link that somebody who administers makes.

Nobody sets or learns the password of somebody else: whoever has the link chooses it.
"""

from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.urls import reverse

from annotate.models import Role, User
from annotate.people.tokens import ResetTokens


class ResetError(ValueError):
    """The link may not be made; the message says why."""


def confirmed_email(person: User) -> str | None:
    """The address that the person has confirmed; None where there is none."""
    address = EmailAddress.objects.filter(user=person, verified=True).first()
    return None if address is None else str(address.email)


def check_reset(maker: User, person: User) -> None:
    """Raises ResetError unless `maker` may make a reset link for the person.

    Whoever has the link can log in with it, so it must open nothing that its maker cannot open: a superuser makes one
    for anybody who is none, an adjudicator for annotators and researchers of their own datasets alone.
    """
    if person == maker:
        raise ResetError("change your own password on your account page")
    if not person.is_active:
        raise ResetError("this account is deactivated")
    if person.is_superuser or person.is_staff:
        raise ResetError("this person is a site administrator")
    if maker.is_superuser:
        return
    if not person.has_usable_password():
        raise ResetError("this account has no password yet: ask a site administrator for a link")
    if settings.EMAIL_CONFIGURED and confirmed_email(person) is not None:
        raise ResetError("this person can reset the password by e-mail from the log-in page")
    if person.user_permissions.exists() or person.groups.exists():
        raise ResetError("this person has rights beyond your datasets: ask a site administrator for a link")
    own = maker.memberships.filter(role=Role.ADJUDICATOR).values("dataset")
    if (
        person.memberships.filter(role=Role.ADJUDICATOR).exists()
        or person.memberships.exclude(dataset__in=own).exists()
    ):
        raise ResetError(
            "this person is an adjudicator, or a member of a dataset that you do not administer: ask a site "
            "administrator for a link"
        )


def reset_path(person: User) -> str:
    """The path of a link that is good once, for a day."""
    key = ResetTokens().make_token(person)
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(person), key])
