"""Finding what was lost: done when a worker starts, and with every beat of its heart."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from evaluators.models import Run, RunItem
from evaluators.models.run import RunItemQuerySet
from evaluators.runs.finish import finish_if_complete
from evaluators.runs.leases import free_expired
from evaluators.runs.queue import knock


def sweep() -> list[int]:
    """Free expired leases, end runs that are complete, and knock for those that nobody works on; their keys."""
    free_expired()
    for run in Run.objects.active().filter(~Exists(_items().unsettled())):
        finish_if_complete(run)
    return [run.pk for run in abandoned_runs() if knock(run)]


def abandoned_runs() -> list[Run]:
    """Active runs with pending items and no lease in force, not knocked for within the time that a lease lasts."""
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    unheard = Q(knocked_at__isnull=True) | Q(knocked_at__lt=patience)
    return list(Run.objects.active().filter(unheard, Exists(_items().pending()), ~Exists(_items().leased())))


def _items() -> RunItemQuerySet:
    return RunItem.objects.filter(run=OuterRef("pk"))
