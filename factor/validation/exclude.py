"""Leave an example out of the figures, or count it again."""

from django.db import transaction
from django.utils import timezone

from annotate.models import User
from factor.models import Benchmark, Example, Exclusion

REASON_LIMIT = 500


class ExclusionError(ValueError):
    """It cannot be left out or counted again; the message says why. Nothing was written."""


@transaction.atomic
def exclude(example: Example, who: User, reason: str) -> Exclusion:
    """Leave it out from now on. Raises ExclusionError without a reason, or where it is left out already."""
    reason = reason.strip()
    if not reason or len(reason) > REASON_LIMIT or "\x00" in reason:
        raise ExclusionError(f"Give a reason of at most {REASON_LIMIT} characters, without a null character.")
    Benchmark.objects.select_for_update().get(pk=example.benchmark_id)
    if example.exclusions.in_force().exists():
        raise ExclusionError("It is left out already.")
    return Exclusion.objects.create(example=example, excluded_by=who, reason=reason)


def count_again(exclusion: Exclusion, who: User) -> None:
    """Lift the exclusion; that it was in force, why and for how long is kept. Once lifted, nothing happens."""
    Exclusion.objects.in_force().filter(pk=exclusion.pk).update(lifted_by=who, lifted_at=timezone.now())
