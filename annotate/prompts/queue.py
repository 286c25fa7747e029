"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart."""

from django.db.models import OuterRef

from annotate.leased.workers import tell_of, tell_of_abandoned
from annotate.models import Generation, GenerationItem


def knock(generation: int) -> bool:
    """Tell the workers of the generation (its primary key); False where the queue is out of reach."""
    from annotate.prompts.tasks import work_on_generation

    return tell_of(Generation, generation, work_on_generation)


def sweep() -> list[int]:
    """Free expired leases, and knock for the generations that nobody works on; their keys."""
    return tell_of_abandoned(Generation, GenerationItem.objects.filter(generation=OuterRef("pk")), knock)
