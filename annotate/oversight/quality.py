"""The quality of each annotator: against known answers, and against the gold that came of their own work."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from statistics import median
from typing import TypeVar

from django.db.models import Count

from annotate.models import (
    Adjudication,
    Assignment,
    Dataset,
    GoldLabel,
    Label,
    Membership,
    Qualification,
    Role,
    Segment,
    Task,
)
from annotate.models.work import TaskQuerySet
from annotate.oversight.effort import Effort, efforts_of
from annotate.qualification.compare import ComparedUnit, compare, gold_of_tasks
from annotate.qualification.status import known_labels
from core.weeks import iso_week
from stats.proportions import ControlShare, control_share

Kind = Task.Kind
CHUNK = 5_000

Key = TypeVar("Key", bound=Hashable)
_annotator = attrgetter("annotator")


@dataclass(frozen=True)
class Quality:
    """One annotator. `outcome` is inflated: the gold there came from their own labels and others'.

    See docs/statistics.md, Agreement between annotators.

    `member` is None for somebody who has left, `qualified` for an annotator who was not admitted. `qualification_tasks`
    are asked of them: an annotator who labelled all of these as work needs no admission.
    """

    annotator: str
    member: Membership | None
    qualified: Qualification | None
    qualification_tasks: int
    qualification: ControlShare
    control: ControlShare
    outcome: ControlShare
    effort: Effort | None


@dataclass(frozen=True)
class Week:
    """What one annotator submitted within an ISO week, such as 2026-W49; shares as in Quality.

    `seconds`: a unit, the median over tasks; None where no time was measured.
    """

    annotator: str
    week: str
    units: int
    control: ControlShare
    outcome: ControlShare
    seconds: float | None


def quality_of(dataset: Dataset) -> list[Quality]:
    """The quality of all annotators and of everybody who ever held a place, by name; a bounded number of queries."""
    efforts = {effort.annotator: effort for effort in efforts_of(dataset)}
    members = dataset.memberships.filter(role=Role.ANNOTATOR).select_related("user", "dataset")
    of_name = {member.user.get_username(): member for member in members}
    passes = {each.annotator.get_username(): each for each in dataset.qualifications.select_related("annotator")}
    qualification = _shares(dataset, _against_known(dataset, Kind.QUALIFICATION), _annotator)
    control = controls_of(dataset)
    outcome = _shares(dataset, _against_outcome(dataset), _annotator)
    tasks = dataset.tasks.filter(kind=Kind.QUALIFICATION)
    known = _had_as_work(tasks)
    tasks_asked = tasks.count()
    nothing = control_share([], [])
    return [
        Quality(
            annotator=name,
            member=of_name.get(name),
            qualified=passes.get(name),
            qualification_tasks=tasks_asked - known[name],
            qualification=qualification.get(name, nothing),
            control=control.get(name, nothing),
            outcome=outcome.get(name, nothing),
            effort=efforts.get(name),
        )
        for name in sorted({*efforts, *of_name})
    ]


def controls_of(dataset: Dataset) -> dict[str, ControlShare]:
    """The agreement of each annotator with the controls, by user name; nobody who has judged none."""
    return _shares(dataset, _against_known(dataset, Kind.CONTROL), _annotator)


def weeks_of(dataset: Dataset) -> list[Week]:
    """By annotator, and of each the newest first; a bounded number of queries."""
    submitted = Label.objects.of(dataset).filter(revision=0, assignment__state=Assignment.State.SUBMITTED).order_by()
    works = submitted.values_list(
        *("assignment__annotator__username", "assignment__task", "assignment__submitted_at"),
        "assignment__active_seconds",
    ).annotate(Count("pk"))
    week_of: dict[tuple[str, int], str] = {}
    units: Counter[tuple[str, str]] = Counter()
    paces: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for name, task, at, seconds, count in works:
        week = week_of[name, task] = iso_week(at)
        units[name, week] += count
        if seconds:
            paces[name, week].append(seconds / count)
    segments = Segment.objects.filter(response__dataset=dataset, response__task__isnull=False).order_by()
    task_of = dict(segments.values_list("pk", "response__task_id").iterator(CHUNK))

    def by_week(each: ComparedUnit) -> Hashable:
        return each.annotator, week_of.get((each.annotator, task_of[each.segment]))

    control = _shares(dataset, _against_known(dataset, Kind.CONTROL), by_week)
    outcome = _shares(dataset, _against_outcome(dataset), by_week)
    nothing = control_share([], [])
    newest_first = sorted(sorted(units, key=lambda key: key[1], reverse=True), key=lambda key: key[0])
    return [
        Week(
            *key,
            units=units[key],
            control=control.get(key, nothing),
            outcome=outcome.get(key, nothing),
            seconds=median(paces[key]) if paces[key] else None,
        )
        for key in newest_first
    ]


def _had_as_work(tasks: TaskQuerySet) -> Counter[str]:
    """The number of the tasks that each person labelled while they were work."""
    had = Assignment.objects.real().filter(task__in=tasks, state=Assignment.State.SUBMITTED)
    return Counter(had.values_list("annotator__username", flat=True))


def _against_known(dataset: Dataset, kind: str) -> Iterable[ComparedUnit]:
    return compare(dataset, known_labels(dataset, kind), gold_of_tasks(dataset, kind))


def _against_outcome(dataset: Dataset) -> Iterable[ComparedUnit]:
    """Real labels beside the gold that was made here; what came with a file is nobody's outcome, and removed responses
    count for nobody."""
    labels = Label.objects.of(dataset).real().filter(assignment__state=Assignment.State.SUBMITTED)
    decisions = Adjudication.objects.filter(segment__response__dataset=dataset)
    if not decisions.exists():
        return ()
    made_here = GoldLabel.objects.of(dataset).current().without_removed().filter(adjudication__in=decisions)
    return compare(dataset, labels.filter(segment__in=made_here.values("segment")), made_here)


def _shares(
    dataset: Dataset, compared: Iterable[ComparedUnit], key: Callable[[ComparedUnit], Key]
) -> dict[Key, ControlShare]:
    by_key: defaultdict[Key, list[ComparedUnit]] = defaultdict(list)
    for each in compared:
        by_key[key(each)].append(each)
    prompt_of = _prompts(dataset) if by_key else {}
    return {
        key: control_share([each.right for each in units], [prompt_of[each.segment] for each in units])
        for key, units in by_key.items()
    }


def _prompts(dataset: Dataset) -> dict[int, int]:
    """The prompt of each segment that is in a task."""
    segments = Segment.objects.filter(response__dataset=dataset, response__task__isnull=False).order_by()
    return dict(segments.values_list("pk", "response__prompt_id").iterator(CHUNK))
