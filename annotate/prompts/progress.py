"""How far a generation is."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotate.leased.progress import COUNTS, TimedProgress, is_unheard, rate_of
from annotate.models import Generation
from annotate.models.leased import Leased

FAILURES_SHOWN = 20


@dataclass(frozen=True)
class GenerationProgress(TimedProgress):
    """Counts of prompts. cut_off: of those done, answers that ended at the greatest length."""

    cut_off: int


def progress_of(generation: Generation) -> GenerationProgress:
    cut_off = Count("pk", filter=Q(state=Leased.State.DONE, finish_reason="length"))
    counted = generation.items.aggregate(**COUNTS, cut_off=cut_off)
    unheard = is_unheard(generation, counted.pop("last")) and not counted["leased"]
    return GenerationProgress(**counted, unheard=unheard, rate=rate_of(generation.items.all()))
