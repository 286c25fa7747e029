"""The progress of a generation."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotate.models import Generation
from jobs.models import JobItem
from jobs.progress import JobProgress, counts_of


@dataclass(frozen=True)
class GenerationProgress(JobProgress):
    """Counts of prompts. cut_off: of those done, answers that ended at the greatest length."""

    cut_off: int


def progress_of(generation: Generation) -> GenerationProgress:
    cut_off = Count("pk", filter=Q(state=JobItem.State.DONE, finish_reason="length"))
    return GenerationProgress(**counts_of(generation, cut_off=cut_off))
