"""The limits of spending of datasets and of persons in them."""

from decimal import Decimal

from django.db.models import F

from annotate.models import Allowance, Dataset, User
from annotate.models.grants import AllowanceQuerySet


def check_left(dataset: Dataset, person: User | None) -> None:
    """Raises StartError where a limit leaves nothing to spend. person: who begins the work; None for a command."""
    for allowance in Allowance.objects.holding_for(dataset, person):
        allowance.check_left()


def allowances_seen_by(user: User, dataset: Dataset) -> AllowanceQuerySet:
    """The dataset's limit first. Only administrators of the site see those of other people."""
    seen = (
        Allowance.objects.filter(dataset=dataset) if user.is_superuser else Allowance.objects.holding_for(dataset, user)
    )
    return seen.select_related("dataset", "person").order_by(F("person__username").asc(nulls_first=True))


def set_allowance(dataset: Dataset, person: User | None, limit_usd: Decimal) -> Allowance:
    """Set the limit, or change it: what was spent under it so far still counts. person None: everybody."""
    allowance, _ = Allowance.objects.update_or_create(
        dataset=dataset, person=person, defaults={"max_cost_usd": limit_usd}
    )
    return allowance
