"""The progress of an annotator towards real work: their qualification tasks, and whether they passed."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotate.cases.without_gold import unanswered
from annotate.models import (
    Assignment,
    Dataset,
    Label,
    Membership,
    Qualification,
    QualificationRetake,
    Role,
    Task,
    User,
    ViewReceipt,
)
from annotate.models.work import AssignmentQuerySet, LabelQuerySet, TaskQuerySet
from annotate.qualification.compare import compare, gold_of_tasks

Kind = Task.Kind
State = Assignment.State


@dataclass(frozen=True)
class QualificationStatus:
    """An annotator before the pass mark: `right` of the `units` they judged are judged as gold does.

    `tasks` are the qualification tasks asked of them, `submitted` those the annotator has done, `missed` those they
    skipped or were taken off, `unanswered` those that lack an answer and are not served yet. `passed` is their
    admission to real work, None while they have none.
    """

    mark: float
    tasks: int
    submitted: int
    missed: int
    unanswered: int
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
    def may_go_on(self) -> bool:
        """A task is left that is served to them."""
        return self.left > self.unanswered

    @property
    def finished(self) -> bool:
        return self.submitted == self.tasks

    @property
    def reached(self) -> bool:
        return self.finished and self.share is not None and self.share >= self.mark


@dataclass(frozen=True)
class Progress:
    """An annotator who is not admitted to real work yet: `submitted` of the `tasks` asked of them; `last_at` is when
    they submitted the last one, None before the first."""

    member: Membership
    tasks: int
    submitted: int
    last_at: datetime | None

    @property
    def finished(self) -> bool:
        return self.submitted == self.tasks

    @property
    def reached(self) -> bool:
        """Whether they reached the pass mark: the next task that they open is real work. Some queries for each person,
        so it is asked of those who have finished."""
        standing = qualification_status_of(self.member.dataset, self.member.user)
        return standing is not None and standing.reached


def progress_of_members(members: QuerySet[Membership]) -> list[Progress]:
    """Those of the annotators who have a qualification before them, or did not pass it; in one query."""
    person = OuterRef("user")
    own = Assignment.objects.filter(annotator=person, task__dataset=OuterRef("dataset"), state=State.SUBMITTED)
    passed = Qualification.objects.filter(dataset=OuterRef("dataset"), annotator=person)
    asked = _asked_of(OuterRef(person)).filter(dataset=OuterRef("dataset"))
    submitted = asked.filter(Exists(_own(OuterRef(person)).filter(state=State.SUBMITTED)))
    known = own.filter(task__kind=Kind.QUALIFICATION).order_by("-submitted_at")
    listed = members.filter(
        ~Exists(passed), role=Role.ANNOTATOR, user__is_superuser=False, dataset__qualification_pass__isnull=False
    ).annotate(tasks=_count(asked), submitted=_count(submitted), last_at=Subquery(known.values("submitted_at")[:1]))
    return [
        Progress(each, vars(each)["tasks"], vars(each)["submitted"], vars(each)["last_at"])
        for each in listed.filter(tasks__gt=0)
    ]


def _count(tasks: TaskQuerySet) -> Coalesce:
    counted = tasks.order_by().values("dataset").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0)


def may_work(dataset: Dataset, annotator: User) -> bool:
    """Whether real work is served to them: there is no qualification, or they have passed it."""
    if dataset.qualification_pass is None:
        return True
    if dataset.qualifications.filter(annotator=annotator).exists():
        return True
    if qualification_for(dataset, annotator).exists():
        return False
    return not dataset.retakes.filter(annotator=annotator).exists()


def qualification_for(dataset: Dataset, annotator: User) -> TaskQuerySet:
    """The qualification tasks that are asked of them: none that they know, having labelled it while it was work, seen
    its labels in another role before they had it, or begun it before they took the qualification again."""
    return _asked_of(annotator).filter(dataset=dataset)


def _asked_of(annotator: User | OuterRef) -> TaskQuerySet:
    own = _own(annotator)
    as_work = own.real().filter(state=State.SUBMITTED)
    seen = ViewReceipt.objects.filter(task=OuterRef("pk"), who=annotator, what=ViewReceipt.What.LABELS)
    later = QualificationRetake.objects.filter(
        dataset=OuterRef("task__dataset"), annotator=OuterRef("annotator"), created_at__gt=OuterRef("opened_at")
    )
    tasks = Task.objects.kept().filter(~Exists(as_work), Exists(own) | ~Exists(seen), kind=Kind.QUALIFICATION)
    return tasks.filter(~Exists(own.filter(Exists(later))))


def _own(annotator: User | OuterRef) -> AssignmentQuerySet:
    """The annotator's assignment of a task of an outer query."""
    return Assignment.objects.filter(task=OuterRef("pk"), annotator=annotator)


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
    labels = known_labels(dataset, Kind.QUALIFICATION).filter(assignment__in=own)
    compared = list(compare(dataset, labels, gold_of_tasks(dataset, Kind.QUALIFICATION)))
    return QualificationStatus(
        mark=dataset.qualification_pass,
        tasks=tasks.count(),
        submitted=sum(state == State.SUBMITTED for state, _ in states),
        missed=sum(state == State.SKIPPED or (state == State.LAPSED and lease is None) for state, lease in states),
        unanswered=unanswered(tasks).count(),
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
