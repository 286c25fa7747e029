"""Accounts end and come back; nothing that anybody did goes with them."""

from django.db import transaction
from django.utils import timezone

from annotate.administration.members import free_places
from annotate.models import Dataset, Role, User


class AccountError(ValueError):
    """The change cannot be made; the message says why. Nothing was changed."""


@transaction.atomic
def deactivate(person: User) -> None:
    """End the account: nobody logs in with it, and work not yet submitted goes to somebody else.

    AccountError for the last superuser, and for the only adjudicator of a dataset with other members.
    """
    superusers = User.objects.select_for_update().filter(is_superuser=True, is_active=True)
    if person.is_superuser and not superusers.exclude(pk=person.pk).exists():
        raise AccountError("nobody else administers the site")
    alone = [
        dataset.name for dataset in Dataset.objects.active().of(person, Role.ADJUDICATOR) if _is_alone(dataset, person)
    ]
    if alone and not person.is_superuser:
        raise AccountError(f"nobody else adjudicates {', '.join(alone)}: name another adjudicator, or archive first")
    for member in person.memberships.select_related("dataset"):
        free_places(member.dataset, person, timezone.now())
    person.is_active = False
    person.save(update_fields=["is_active"])


def reactivate(person: User) -> None:
    person.is_active = True
    person.save(update_fields=["is_active"])


def _is_alone(dataset: Dataset, person: User) -> bool:
    """Whether others work there whom nobody else would administer."""
    others = dataset.memberships.exclude(user=person).filter(user__is_active=True)
    return others.exists() and not others.filter(role=Role.ADJUDICATOR).exists()
