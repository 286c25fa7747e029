"""Where labels were made beside suggestions, told wherever labels and gold go."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count

from annotate.models import Assignment, Dataset, SuggestionShown
from annotate.models.work import LabelQuerySet
from annotate.suggestions.source import source

SHOWN = (SuggestionShown.BEFORE, SuggestionShown.AFTER)


@dataclass(frozen=True)
class RunSuggested:
    """How many labels are of units of which the run said something, by what their annotators saw of it."""

    name: str
    before: int
    after: int
    withheld: int


def suggested_to(labels: LabelQuerySet) -> list[RunSuggested]:
    """A row for each run, the oldest first; one that was deleted goes by its number."""
    rows = labels.exclude(suggestion="").order_by().values_list("suggestion_run", "suggestion").annotate(Count("pk"))
    counted = Counter({(run, shown): count for run, shown, count in rows if run is not None})
    runs = sorted({run for run, _ in counted})
    names = source().names(set(runs)) if runs else {}
    return [
        RunSuggested(
            names.get(run, f"run {run}"), *(counted[run, shown] for shown in (*SHOWN, SuggestionShown.WITHHELD))
        )
        for run in runs
    ]


def runs_shown(dataset: Dataset) -> set[int]:
    """The runs whose suggestions stood before annotators whose labels count for gold."""
    shown = Assignment.objects.filter(task__dataset=dataset, suggestion__in=SHOWN, state=Assignment.State.SUBMITTED)
    return {run for run in shown.order_by().values_list("suggestion_run", flat=True).distinct() if run is not None}
