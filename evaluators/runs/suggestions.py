"""Runs as the source of suggestions to annotators (annotate/suggestions)."""

from annotate.database.prepared import Prepared, Slot
from annotate.judgements.units import unit_key
from annotate.models import Dataset, Task
from annotate.suggestions.source import Suggestion, SuggestionSource, register
from annotate.suggestions.told import runs_shown
from evaluators.models import Prediction, Run

_of_task = Prepared(
    lambda: Prediction.objects.filter(run=Slot("run"), segment__response__task=Slot("task"), value__isnull=False).only(
        "segment", "fact", "value", "rationale"
    )
)


class RunSuggestions(SuggestionSource):
    def runs(self, dataset: Dataset) -> list[tuple[int, str]]:
        finished = Run.objects.filter(dataset=dataset, state=Run.State.FINISHED, edits=False, archived_at__isnull=True)
        return [(run.pk, _name(run)) for run in finished.select_related("evaluator").order_by("-created_at", "-pk")]

    def names(self, runs: set[int]) -> dict[int, str]:
        return {run.pk: _name(run) for run in Run.objects.filter(pk__in=runs).select_related("evaluator")}

    def of_task(self, run: int, task: Task) -> dict[str, Suggestion]:
        said = _of_task.all(run=run, task=task.pk)
        return {
            unit_key(each.segment_id, each.fact_id): Suggestion(each.value, each.rationale)
            for each in said
            if each.value
        }


def influential(dataset: Dataset) -> list[str]:
    """The names of evaluators that gold may lean towards, as annotators saw suggestions of their runs; whichever of
    their runs is compared with gold is concerned."""
    runs = runs_shown(dataset)
    names = Run.objects.filter(pk__in=runs).order_by("evaluator__name").values_list("evaluator__name", flat=True)
    return list(names.distinct()) if runs else []


def _name(run: Run) -> str:
    return f"{run.evaluator.name} (run {run.pk})"


register(RunSuggestions())
