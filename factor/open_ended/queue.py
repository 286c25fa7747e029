"""The knock on the workers' door, and finding what was lost: with every beat of a worker's heart."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotate.leased.knocking import knock_for
from annotate.leased.leases import free_expired
from factor.models import OpenEndedGeneration, OpenEndedStudy


def knock(study: int) -> bool:
    """Tell the workers of the study (its primary key); False where the queue is out of reach."""
    from factor.open_ended.tasks import work_on_open_ended_study

    if not knock_for(work_on_open_ended_study, study):
        return False
    OpenEndedStudy.objects.filter(pk=study).update(knocked_at=timezone.now())
    return True


def sweep() -> list[int]:
    """Free expired leases, and knock for the studies that nobody works on; their keys."""
    free_expired(OpenEndedGeneration.objects.all())
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    at_work = OpenEndedGeneration.objects.leased().filter(pair__study=OuterRef("pk"))
    left = OpenEndedStudy.objects.under_way().exclude(Exists(at_work)).exclude(knocked_at__gte=patience)
    return [study for study in list(left.values_list("pk", flat=True)) if knock(study)]
