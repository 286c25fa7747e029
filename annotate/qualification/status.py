"""The progress of an annotator towards real work: their qualification tasks, and whether they passed."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef

from annotate.models import Assignment, Dataset, Label, Qualification, Task, User, ViewReceipt
from annotate.models.work import LabelQuerySet, TaskQuerySet
from annotate.qualification.compare import compare, gold_of_tasks

Kind = Task.Kind
State = Assignment.State


@dataclass(frozen=True)
class QualificationStatus:
    """An annotator before the pass mark: `right` of the `units` they judged are judged as gold does.

    `tasks` are the qualification tasks asked of them, `submitted` those the annotator has done, `missed` those they
    skipped or were taken off. `passed` is their admission to real work, None while they have none.
    """

    mark: float
    tasks: int
    submitted: int
    missed: int
    right: int
    units: int
    passed: Qualification | None

    @property
    def share(self) -> float | None:
        """None before anything was judged."""
        return self.right / self.units if self.units else None

    @property
    def left(self) -> int:
        """Tasks still to be done that the annotator can do."""
        return self.tasks - self.submitted - self.missed

    @property
    def finished(self) -> bool:
        return self.submitted == self.tasks

    @property
    def reached(self) -> bool:
        return self.finished and self.share is not None and self.share >= self.mark


def may_work(dataset: Dataset, annotator: User) -> bool:
    """Whether real work is served to them: there is no qualification, or they have passed it."""
    if dataset.qualification_pass is None:
        return True
    if dataset.qualifications.filter(annotator=annotator).exists():
        return True
    return not qualification_for(dataset, annotator).exists()


def qualification_for(dataset: Dataset, annotator: User) -> TaskQuerySet:
    """The qualification tasks that are asked of them: none that they know, having labelled it while it was work, or
    seen its labels in another role before they had it."""
    own = Assignment.objects.filter(task=OuterRef("pk"), annotator=annotator)
    as_work = own.real().filter(state=State.SUBMITTED)
    seen = ViewReceipt.objects.filter(task=OuterRef("pk"), who=annotator, what=ViewReceipt.What.LABELS)
    tasks = Task.objects.filter(dataset=dataset, kind=Kind.QUALIFICATION)
    return tasks.filter(~Exists(as_work), Exists(own) | ~Exists(seen))


def has_unread_answers(dataset: Dataset, annotator: User) -> bool:
    """Whether they have done the whole qualification, and have not yet looked at what gold says of it and why."""
    if dataset.qualification_pass is None:
        return False
    tasks = qualification_for(dataset, annotator)
    if ViewReceipt.objects.filter(task__in=tasks, who=annotator, what=ViewReceipt.What.OUTCOME).exists():
        return False
    done = Assignment.objects.filter(task__in=tasks, annotator=annotator, state=State.SUBMITTED).count()
    return done > 0 and done == tasks.count()


def qualification_status_of(dataset: Dataset, annotator: User) -> QualificationStatus | None:
    """Where the annotator stands; None where the dataset asks for no qualification."""
    if dataset.qualification_pass is None:
        return None
    tasks = qualification_for(dataset, annotator)
    own = Assignment.objects.filter(task__in=tasks, annotator=annotator)
    states = list(own.values_list("state", "lease_until"))
    labels = known_labels(dataset, Kind.QUALIFICATION).filter(assignment__annotator=annotator)
    compared = list(compare(dataset, labels, gold_of_tasks(dataset, Kind.QUALIFICATION)))
    return QualificationStatus(
        mark=dataset.qualification_pass,
        tasks=tasks.count(),
        submitted=sum(state == State.SUBMITTED for state, _ in states),
        missed=sum(state == State.SKIPPED or (state == State.LAPSED and lease is None) for state, lease in states),
        right=sum(each.right for each in compared),
        units=len(compared),
        passed=dataset.qualifications.select_related("granted_by").filter(annotator=annotator).first(),
    )


def known_labels(dataset: Dataset, kind: str) -> LabelQuerySet:
    """Submitted labels in the dataset's tasks of known answers of this kind."""
    return Label.objects.of(dataset).of_known(kind).filter(assignment__state=State.SUBMITTED)


@transaction.atomic
def earn(dataset: Dataset, annotator: User) -> bool:
    """Admit the annotator to real work if they have reached the pass mark; whether they have."""
    standing = qualification_status_of(dataset, annotator)
    if standing is None or not standing.reached:
        return False
    Qualification.objects.get_or_create(
        dataset=dataset, annotator=annotator, defaults={"right": standing.right, "units": standing.units}
    )
    return True
