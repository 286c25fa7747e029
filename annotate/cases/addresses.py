"""The addresses of tasks whose annotators are done: which they agree on, and which somebody must settle."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.cases.order import in_case_order
from annotate.facts.judged import judged_facts
from annotate.models import Adjudication, Assignment, Dataset, GoldLabel, Label, Response, Scheme, Segment, Task, Value
from annotate.models.work import TaskQuerySet

Address = tuple[int, int | None]


class AddressStatus(Enum):
    UNANIMOUS = "unanimous"
    DISPUTED = "disputed"
    UNJUDGED = "unjudged"


@dataclass(frozen=True)
class Vote:
    """One annotator's judgement at an address."""

    value: str
    error_type: str

    @property
    def label(self) -> str:
        """The value in words."""
        return dict(Value.choices).get(self.value, "Open")

    @property
    def position(self) -> tuple[str, str]:
        """The part that two votes are compared by: the type counts on an error only."""
        return (self.value, self.type_that_counts)

    @property
    def type_that_counts(self) -> str:
        """The error type, but for one that was left on a supported unit."""
        return "" if self.value == Value.SUPPORTED else self.error_type


@dataclass(frozen=True)
class OpenCase:
    """An address without gold, in a task whose annotators are done; or (`challenged`) one whose gold somebody doubts.

    `split`: some annotators judged the sentence as irrelevant, others its facts, so that the sentence itself is in
    dispute and its facts wait for it.
    """

    task: int
    segment: int
    fact: int | None
    votes: tuple[Vote, ...]
    split: bool = False
    challenged: bool = False

    @property
    def address(self) -> Address:
        return (self.segment, self.fact)

    @property
    def key(self) -> str:
        """The address in a link."""
        return str(self.segment) if self.fact is None else f"{self.segment}.{self.fact}"

    @property
    def sides(self) -> list[Vote]:
        """The votes in the order of the sides of the adjudication case, which names nobody."""
        return in_case_order(self.votes, self.segment, self.fact)

    @property
    def standing(self) -> AddressStatus:
        if not self.votes:
            return AddressStatus.UNJUDGED
        agreed = len({vote.position for vote in self.votes}) == 1
        return AddressStatus.UNANIMOUS if agreed and not self.split else AddressStatus.DISPUTED


def open_cases(dataset: Dataset) -> list[OpenCase]:
    """Every address of the dataset that waits for gold, in reading order; also those of qualifications, which are to
    have known answers. The rule of what is unanimous is that of `OpenCase.standing`; who needs numbers alone has them
    from annotate/cases/counts.py."""
    return list(cases_of(dataset, tasks_with_cases(dataset)))


def tasks_with_cases(dataset: Dataset, among: Collection[int] | None = None) -> TaskQuerySet:
    """The tasks that may hold an open case (`open_cases`); `among`: only those of these primary keys."""
    to_settle = tasks_to_settle(dataset)
    tasks = Task.objects.filter(dataset=dataset)
    if among is not None:
        to_settle, tasks = to_settle.filter(pk__in=among), tasks.filter(pk__in=among)
    return tasks.filter(Q(pk__in=to_settle.values("pk")) | Q(kind=Task.Kind.QUALIFICATION))


def tasks_to_settle(dataset: Dataset) -> TaskQuerySet:
    """Those whose annotators are done and that still may hold an address without gold."""
    labelled = Task.objects.filter(dataset=dataset).real().labelled()
    if dataset.scheme != Scheme.FACTSCORE:
        return labelled.unsettled()
    # A sentence that is taken back into a closed task brings its facts with it.
    kept_irrelevant = kept_sentences().filter(response__dataset=dataset)
    return labelled.filter(Q(closed_at__isnull=True) | Q(pk__in=kept_irrelevant.values("response__task")))


def kept_sentences() -> QuerySet[Segment]:
    """Sentences whose facts count one by one by a decision (FActScore): decided upon, without gold."""
    decided = Adjudication.objects.on_values().filter(segment=OuterRef("pk"), fact__isnull=True)
    gold = GoldLabel.objects.current().filter(segment=OuterRef("pk"), fact__isnull=True)
    return Segment.objects.filter(Exists(decided), ~Exists(gold))


def cases_of(dataset: Dataset, tasks: TaskQuerySet) -> Iterator[OpenCase]:
    """The addresses of these tasks that have no gold, tasks in order, addresses in reading order."""
    responses = Response.objects.visible().filter(task__in=tasks.values("pk"))
    segments = list(
        Segment.objects.filter(response__in=responses)
        .order_by("response__task__position", "response__position", "position")
        .values_list("pk", "response__task_id")
    )
    votes = _votes(tasks)
    settled: set[Address] = set(
        GoldLabel.objects.current().filter(segment__response__in=responses).values_list("segment_id", "fact_id")
    )
    if dataset.scheme != Scheme.FACTSCORE:
        for segment, task in segments:
            if (segment, None) not in settled:
                yield OpenCase(task, segment, None, tuple(votes.get((segment, None), {}).values()))
        return
    yield from _cases_of_facts(responses, segments, votes, settled)


Votes = dict[Address, dict[int, Vote]]


def _votes(tasks: TaskQuerySet) -> Votes:
    """Per address the vote of each assignment, in order of place."""
    labels = (
        Label.objects.filter(assignment__task__in=tasks.values("pk"), assignment__state=Assignment.State.SUBMITTED)
        .real()
        .in_force()
        .order_by("assignment__place")
    )
    votes: defaultdict[Address, dict[int, Vote]] = defaultdict(dict)
    for segment, fact, assignment, value, error_type in labels.values_list(
        "segment_id", "fact_id", "assignment_id", "value", "error_type"
    ):
        votes[segment, fact][assignment] = Vote(value, error_type)
    return votes


def _cases_of_facts(
    responses: QuerySet[Response], segments: Iterable[tuple[int, int]], votes: Votes, settled: set[Address]
) -> Iterator[OpenCase]:
    """Sentences first: one that is irrelevant as a whole has no facts to settle; one in dispute keeps them waiting."""
    facts = judged_facts(list(responses.values_list("pk", flat=True)))
    kept_irrelevant = set(kept_sentences().filter(response__in=responses).values_list("pk", flat=True))
    for segment, task in segments:
        if (segment, None) in settled:
            continue
        of_segment: Sequence[int] = [fact.pk for fact in facts.get(segment, ())]
        whole = votes.get((segment, None), {})
        if whole and segment not in kept_irrelevant:
            others = {each for fact in of_segment for each in votes.get((segment, fact), {})} - set(whole)
            yield OpenCase(task, segment, None, tuple(whole.values()), split=bool(others))
            continue
        for fact in of_segment:
            if (segment, fact) not in settled:
                yield OpenCase(task, segment, fact, tuple(votes.get((segment, fact), {}).values()))


def last_decision(address: Address) -> Adjudication | None:
    """The latest decision at the address; None while nobody has decided there."""
    segment, fact = address
    return Adjudication.objects.on_values().filter(segment=segment, fact=fact).order_by("-pk").first()
