"""Why units were left out, or judged by another method than the run's, counted."""

from collections import Counter, defaultdict
from collections.abc import Collection

from django.db.models import Count

from evaluators.models import Prediction, Run, RunItem

Reasons = dict[int, Counter[str]]


def skipped_by_reason(runs: Collection[Run]) -> Reasons:
    """The number of units that each run's method left out, by the run's key and by reason."""
    counted: Reasons = defaultdict(Counter)
    skipping = RunItem.objects.filter(run__in=runs).exclude(skipped={}).order_by()
    for run, reasons in skipping.values_list("run", "skipped"):
        counted[run].update(reasons)
    return counted


def fallbacks_by_reason(runs: Collection[Run]) -> Reasons:
    """The number of units that another method than the run's judged, by the run's key and by reason."""
    counted: Reasons = defaultdict(Counter)
    fallen_back = Prediction.objects.filter(run__in=runs).exclude(fallback="").order_by()
    for run, reason, units in fallen_back.values_list("run", "fallback").annotate(Count("pk")):
        counted[run][reason] = units
    return counted
