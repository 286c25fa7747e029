"""An undertaking's workers: told of it, told again where all who worked on it are lost, or this process itself.

What is to be done stands in the rows; a knock can be lost, or come twice.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists
from django.utils import timezone

from annotate.leased.knocking import knock_for
from annotate.leased.leases import free_expired
from annotate.leased.waiting import work_until
from annotate.models.leased import LeasedQuerySet
from annotate.models.undertaking import Undertaking


def tell_of(kind: type[Undertaking], key: int, task: Any) -> bool:
    """Queue the Celery task for the undertaking (its primary key); False where the queue is out of reach."""
    if not knock_for(task, key):
        return False
    kind.objects.filter(pk=key).update(knocked_at=timezone.now())
    return True


def tell_of_abandoned(kind: type[Undertaking], items: LeasedQuerySet[Any], knock: Callable[[int], bool]) -> list[int]:
    """Free expired leases, and knock for the undertakings that nobody works on; their primary keys. `items` are those
    of one, by OuterRef("pk")."""
    free_expired(items.model._default_manager.all())
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    left = kind.objects.under_way().exclude(Exists(items.leased())).exclude(knocked_at__gte=patience)
    return [key for key in list(left.values_list("pk", flat=True)) if knock(key)]


def work_to_the_end(work: Undertaking, work_on: Callable[[int], None]) -> None:
    """Work on it in this process (`work_on` takes its primary key) until it has ended or stopped, whoever does the
    last."""
    under_way = type(work).objects.under_way().filter(pk=work.pk)

    def work_once() -> None:
        free_expired(work.items.all())
        work_on(work.pk)

    work_until(lambda: not under_way.exists(), work_once)
