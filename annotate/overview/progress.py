"""The progress of a dataset from responses to gold, in few queries."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q

from annotate.models import Assignment, Challenge, Dataset, GoldLabel, Response, Role, Task, User, ViewReceipt
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
    tasks = Task.objects.filter(dataset=dataset).real()
    counts = tasks.aggregate(tasks=Count("pk"), closed=Count("pk", filter=Q(closed_at__isnull=False)))
    return DatasetProgress(
        responses=Response.objects.visible().filter(dataset=dataset).count(),
        tasks=counts["tasks"],
        labelled=counts["closed"] + tasks.labelled().unsettled().count(),
        closed=counts["closed"],
        gold=GoldLabel.objects.of(dataset).current().without_removed().count(),
    )


def own_progress(dataset: Dataset, annotator: User) -> OwnProgress:
    own = Assignment.objects.of(dataset).filter(annotator=annotator)
    in_work = own.filter(state=Assignment.State.OPEN, task__closed_at__isnull=True)
    return OwnProgress(
        submitted=own.filter(state=Assignment.State.SUBMITTED).count(),
        at_hand=in_work.count() + waiting_for(dataset, annotator),
        free=is_anything_free(dataset, annotator),
    )


def open_challenges(adjudicator: User) -> dict[int, int]:
    """By data set that they adjudicate (primary key), how many challenges wait for an answer; in one query."""
    waiting = Challenge.objects.filter(state=Challenge.State.OPEN)
    if not adjudicator.is_superuser:
        theirs = adjudicator.memberships.filter(role=Role.ADJUDICATOR).values("dataset")
        waiting = waiting.filter(assignment__task__dataset__in=theirs)
    return dict(waiting.order_by().values_list("assignment__task__dataset").annotate(Count("pk")))


def new_outcomes(annotator: User) -> dict[int, int]:
    """By data set (primary key), how many of their tasks were settled and not looked at since; in one query."""
    seen = ViewReceipt.objects.filter(
        task=OuterRef("task"),
        who=annotator,
        what=ViewReceipt.What.OUTCOME,
        last_at__gte=OuterRef("task__closed_at"),
    )
    closed = Assignment.objects.filter(
        annotator=annotator,
        state=Assignment.State.SUBMITTED,
        task__kind=Task.Kind.WORK,
        task__closed_at__isnull=False,
    )
    return dict(closed.exclude(Exists(seen)).order_by().values_list("task__dataset").annotate(Count("pk")))
