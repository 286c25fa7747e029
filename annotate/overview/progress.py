"""The progress of a dataset from responses to gold, in few queries."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotate.cases.counts import count_labelled
from annotate.gold.counts import count_gold
from annotate.models import Assignment, Dataset, Response, Task, User
from annotate.qualification.controls import waiting_for
from annotate.tasks.serving import is_anything_free


@dataclass(frozen=True)
class DatasetProgress:
    """Counts of one dataset. `to_settle` are tasks whose annotators are done and that are not closed; `gold` is without
    that of responses which were removed, as on the page of gold."""

    responses: int
    tasks: int
    labelled: int
    closed: int
    gold: int

    @property
    def to_settle(self) -> int:
        return self.labelled - self.closed

    @property
    def share(self) -> float | None:
        """Closed tasks of all; None before there are tasks."""
        return self.closed / self.tasks if self.tasks else None


@dataclass(frozen=True)
class OwnProgress:
    """An annotator's own places, controls to come among them; `free` tells whether there is anything to take."""

    submitted: int
    at_hand: int
    free: bool

    @property
    def share(self) -> float | None:
        places = self.submitted + self.at_hand
        return self.submitted / places if places else None


def progress_of(dataset: Dataset) -> DatasetProgress:
    """By the kept numbers of cases: count what has changed first (annotate/cases/counts.py)."""
    tasks = Task.objects.filter(dataset=dataset).real().kept()
    counts = tasks.aggregate(tasks=Count("pk"), closed=Count("pk", filter=Q(closed_at__isnull=False)))
    return DatasetProgress(
        responses=Response.objects.visible().filter(dataset=dataset).count(),
        tasks=counts["tasks"],
        labelled=counts["closed"] + count_labelled(dataset),
        closed=counts["closed"],
        gold=count_gold(dataset).total(),
    )


def own_progress(dataset: Dataset, annotator: User) -> OwnProgress:
    own = Assignment.objects.of(dataset).filter(annotator=annotator)
    in_work = own.filter(state=Assignment.State.OPEN, task__closed_at__isnull=True)
    return OwnProgress(
        submitted=own.filter(state=Assignment.State.SUBMITTED).count(),
        at_hand=in_work.count() + waiting_for(dataset, annotator),
        free=is_anything_free(dataset, annotator),
    )
