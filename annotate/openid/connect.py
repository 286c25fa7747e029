"""Accounts here and accounts at the identity provider, one of each."""

from allauth.account.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from annotate.models import User
from annotate.openid.provider import Identity
from annotate.people.ways import connected_account, may_disconnect
from audit.models import Action
from audit.record import record


class ConnectError(ValueError):
    """The accounts cannot be connected or disconnected; the message says why. Nothing was changed."""


def find_account(identity: Identity) -> SocialAccount | None:
    """The connection of this account at the provider; None where there is none."""
    accounts = SocialAccount.objects.select_related("user")
    return accounts.filter(provider=settings.OIDC_SERVER, uid=identity.subject).first()


@transaction.atomic
def connect(request: HttpRequest, person: User, identity: Identity) -> None:
    """Let the person log in by this account at the provider. ConnectError if one of the two is connected already."""
    User.objects.select_for_update().get(pk=person.pk)
    if connected_account(person) is not None:
        raise ConnectError(f"an account of {settings.OIDC_NAME} is connected already")
    label = {"username": identity.username}
    try:
        with transaction.atomic():
            SocialAccount.objects.create(
                user=person, provider=settings.OIDC_SERVER, uid=identity.subject, extra_data=label
            )
    except IntegrityError:
        raise ConnectError(f"this account of {settings.OIDC_NAME} is connected to another account here") from None
    record(request, Action.PROVIDER_CONNECTED, person, detail=settings.OIDC_NAME)
    get_adapter().send_notification_mail("socialaccount/email/account_connected", person)


@transaction.atomic
def disconnect(request: HttpRequest, person: User) -> None:
    """The person logs in by the provider no longer. ConnectError where that is the only way."""
    User.objects.select_for_update().get(pk=person.pk)
    if not may_disconnect(person):
        raise ConnectError(f"{settings.OIDC_NAME} is your only way to log in: add a passkey first")
    account = connected_account(person)
    if account is not None:
        account.delete()
        record(request, Action.PROVIDER_REMOVED, person, detail=settings.OIDC_NAME)
        get_adapter().send_notification_mail("socialaccount/email/account_disconnected", person)
