"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart."""

from django.db.models import OuterRef

from annotate.leased.workers import tell_of, tell_of_abandoned
from factor.models import OpenEndedGeneration, OpenEndedStudy


def knock(study: int) -> bool:
    """Tell the workers of the study (its primary key); False where the queue is out of reach."""
    from factor.open_ended.tasks import work_on_open_ended_study

    return tell_of(OpenEndedStudy, study, work_on_open_ended_study)


def sweep() -> list[int]:
    """Free expired leases, and knock for the studies that nobody works on; their keys."""
    return tell_of_abandoned(OpenEndedStudy, OpenEndedGeneration.objects.filter(pair__study=OuterRef("pk")), knock)
