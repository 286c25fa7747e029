"""An annotator's own judgements beside the gold of closed tasks. Never anybody else's, never of a control."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from django.db.models import Prefetch, QuerySet

from annotate.cases.addresses import Address, Vote
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import unit_key
from annotate.models import Assignment, Challenge, Dataset, GoldLabel, Label, Response, Task, User
from core.weeks import iso_week

Gold = Mapping[Address, Vote]


@dataclass(frozen=True)
class TaskOutcome:
    """A closed task in numbers: units the annotator judged, how many of them gold has otherwise, own challenges."""

    assignment: Assignment
    judged: int
    differing: int
    challenges: int


@dataclass(frozen=True)
class OwnWeek:
    """What the annotator submitted within an ISO week, of closed tasks.

    `share`: of the units, those that gold agrees with; `seconds`: a unit, the median over tasks, None where no time
    was measured.
    """

    week: str
    units: int
    share: float
    seconds: float | None


@dataclass(frozen=True)
class UnitOutcome:
    """One own judgement; `key` is the page's for its unit.

    `gold` is None where the facts of a sentence judged as a whole count one by one instead.
    """

    key: str
    label: Label
    gold: GoldLabel | None
    differs: bool
    challenges: tuple[Challenge, ...]

    @property
    def address(self) -> Address:
        return (self.label.segment_id, self.label.fact_id)

    @property
    def may_challenge(self) -> bool:
        return self.differs and all(each.state != Challenge.State.OPEN for each in self.challenges)


def closed_work(dataset: Dataset, annotator: User) -> QuerySet[Assignment]:
    """Their submitted assignments on closed tasks, the last closed first."""
    own = Assignment.objects.of(dataset).filter(annotator=annotator, state=Assignment.State.SUBMITTED)
    closed = own.filter(task__kind=Task.Kind.WORK, task__closed_at__isnull=False)
    prompts = Response.objects.select_related("prompt").only("task_id", "text", "prompt__text")
    listed = closed.select_related("task").prefetch_related(Prefetch("task__responses", prompts))
    return listed.order_by("-task__closed_at", "-pk")


def outcomes(dataset: Dataset, annotator: User) -> list[TaskOutcome]:
    """Every closed task of the annotator, in a handful of queries."""
    assignments = list(closed_work(dataset, annotator))
    gold = _gold_votes(GoldLabel.objects.of(dataset).current().filter(segment__response__task__in=_tasks(assignments)))
    labels = Label.objects.filter(assignment__in=assignments).in_force()
    judged: dict[int, list[bool]] = {each.pk: [] for each in assignments}
    rows = labels.values_list("assignment_id", "segment_id", "fact_id", "value", "error_type")
    for assignment, segment, fact, value, error_type in rows:
        judged[assignment].append(_differs(Vote(value, error_type), _at(gold, (segment, fact))))
    challenged: dict[int, int] = {}
    for assignment in Challenge.objects.filter(assignment__in=assignments).values_list("assignment_id", flat=True):
        challenged[assignment] = challenged.get(assignment, 0) + 1
    return [
        TaskOutcome(each, len(judged[each.pk]), sum(judged[each.pk]), challenged.get(each.pk, 0))
        for each in assignments
    ]


def own_weeks(every: Iterable[TaskOutcome]) -> list[OwnWeek]:
    """The newest first."""
    by_week: defaultdict[str, list[TaskOutcome]] = defaultdict(list)
    for each in every:
        if each.judged and each.assignment.submitted_at:
            by_week[iso_week(each.assignment.submitted_at)].append(each)
    return [_week(week, of_week) for week, of_week in sorted(by_week.items(), reverse=True)]


def _week(week: str, every: Sequence[TaskOutcome]) -> OwnWeek:
    judged, differing = sum(each.judged for each in every), sum(each.differing for each in every)
    paces = [each.assignment.active_seconds / each.judged for each in every if each.assignment.active_seconds]
    return OwnWeek(week, judged, (judged - differing) / judged, median(paces) if paces else None)


def unit_outcomes(assignment: Assignment) -> list[UnitOutcome]:
    """Every judgement of the assignment in reading order, with gold, its reason and evidence, and own challenges."""
    gold = GoldLabel.objects.current().filter(segment__response__task=assignment.task)
    by_address = {
        (each.segment_id, each.fact_id): each
        for each in gold.select_related("adjudication__guideline").prefetch_related("references__document")
    }
    votes = _gold_votes(gold)
    challenges: dict[Address, list[Challenge]] = {}
    for each in assignment.challenges.all():
        challenges.setdefault((each.segment_id, each.fact_id), []).append(each)
    labels = assignment.labels.in_force().select_related("segment", "fact").prefetch_related("references")
    keys = PageKeys(assignment)
    units = []
    for label in labels.order_by("segment__response__position", "segment__position", "fact__position"):
        address = (label.segment_id, label.fact_id)
        settled = by_address.get(address) or by_address.get((label.segment_id, None))
        differs = _differs(Vote(label.value, label.error_type), _at(votes, address))
        own = tuple(challenges.get(address, ()))
        units.append(UnitOutcome(keys.of(unit_key(*address)), label, settled, differs, own))
    return units


def _tasks(assignments: Iterable[Assignment]) -> list[int]:
    return [each.task_id for each in assignments]


def _gold_votes(gold: QuerySet[GoldLabel]) -> Gold:
    rows = gold.values_list("segment_id", "fact_id", "value", "error_type")
    return {(segment, fact): Vote(value, error_type) for segment, fact, value, error_type in rows}


def _at(gold: Gold, address: Address) -> Vote | None:
    """Gold at the address; a fact of a sentence that is irrelevant as a whole is irrelevant with it."""
    return gold.get(address) or gold.get((address[0], None))


def _differs(own: Vote, gold: Vote | None) -> bool:
    return gold is None or own.position != gold.position
