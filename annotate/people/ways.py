"""The ways in which a person can log in."""

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings

from annotate.models import User


def connected_account(person: User) -> SocialAccount | None:
    """The person's account at the identity provider; None where none is connected, or no provider is configured."""
    if not settings.OIDC_SERVER:
        return None
    return SocialAccount.objects.filter(user=person, provider=settings.OIDC_SERVER).first()


def may_disconnect(person: User) -> bool:
    """Whether the person can log in without the identity provider."""
    return person.has_usable_password() or _count_passkeys(person) > 0


def may_remove_passkey(person: User) -> bool:
    """Whether the person can log in with one passkey less."""
    return person.has_usable_password() or connected_account(person) is not None or _count_passkeys(person) > 1


def _count_passkeys(person: User) -> int:
    number: int = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN).count()
    return number
