"""The table of a dataset's tasks: filtered, sorted, a page at a time."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Exists, F, Min, OuterRef, Prefetch, Q
from django.http import QueryDict

from annotate.models import Assignment, Dataset, GoldLabel, Message, Response, SharedMessage, Task
from annotate.models.work import TaskQuerySet

PAGE_SIZE = 50
State = Assignment.State
Kind = Task.Kind

FILTERS = {
    "free": "Not fully assigned",
    State.RESERVED.value: "Assigned",
    State.OPEN.value: "In progress",
    State.SUBMITTED.value: "Submitted",
    State.LAPSED.value: "Expired",
    State.SKIPPED.value: "Skipped",
    "closed": "Closed",
    "messages": "New messages",
    "gold": "Work with gold",
    Kind.QUALIFICATION.value: Kind.QUALIFICATION.label,
    Kind.CONTROL.value: Kind.CONTROL.label,
}
SORTS = {
    "position": ("position",),
    "submitted": ("-done", "position"),
    "lease": (F("lease").asc(nulls_last=True), "position"),
}


@dataclass(frozen=True)
class TaskFilter:
    """Which tasks are listed, as the address says: "" is any. `state` is a key of FILTERS, `person` a user name, `text`
    occurs in a prompt, its topic or a response."""

    state: str = ""
    domain: str = ""
    person: str = ""
    text: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> "TaskFilter":
        """From the address, or from the fields of a form."""
        state = query.get("state", "")
        chosen = (query.get(name, "").strip() for name in ("domain", "person", "q"))
        return cls(state if state in FILTERS else "", *chosen)

    @property
    def is_empty(self) -> bool:
        return self == TaskFilter()

    @property
    def fields(self) -> dict[str, str]:
        """The parameters of an address that are set."""
        named = {"state": self.state, "domain": self.domain, "person": self.person, "q": self.text}
        return {name: value for name, value in named.items() if value}

    def tasks(self, dataset: Dataset) -> TaskQuerySet:
        tasks = _in_state(Task.objects.filter(dataset=dataset), self.state, self.person)
        responses = Response.objects.filter(task=OuterRef("pk"))
        if self.domain:
            tasks = tasks.filter(Exists(responses.filter(prompt__domain=self.domain)))
        if self.text:
            tasks = tasks.filter(Exists(responses.with_text(self.text)))
        return tasks


def task_page(dataset: Dataset, chosen: TaskFilter, sort: str, number: str | None) -> dict[str, Any]:
    """One page of tasks with their places; `sort` is one of SORTS (else position)."""
    listed = with_places(ordered(chosen.tasks(dataset), sort))
    names = Assignment.objects.of(dataset).order_by("annotator__username")
    domains = dataset.prompts.exclude(domain="").order_by("domain")
    return {
        "page": Paginator(listed, PAGE_SIZE).get_page(number),
        "filters": FILTERS,
        "chosen": chosen,
        "state": chosen.state,
        "sort": sort if sort in SORTS else "position",
        "kinds": Kind.choices,
        "holders": list(names.values_list("annotator__username", flat=True).distinct()),
        "domains": list(domains.values_list("domain", flat=True).distinct()),
    }


def ordered(tasks: TaskQuerySet, sort: str) -> TaskQuerySet:
    """By one of SORTS (else position): what has no lease comes last."""
    counted = tasks.annotate(
        done=Count("assignments", filter=Q(assignments__state=State.SUBMITTED), distinct=True),
        lease=Min("assignments__lease_until", filter=Q(assignments__state=State.OPEN)),
    )
    return counted.order_by(*SORTS.get(sort, SORTS["position"]))


def with_places(tasks: TaskQuerySet) -> TaskQuerySet:
    """Each with its responses' prompts, and with its assignments and their annotators."""
    prompts = Response.objects.select_related("prompt").only("task_id", "text", "prompt__text", "prompt__topic")
    places = Assignment.objects.select_related("annotator").defer(*Assignment.LARGE).order_by("place", "pk")
    return tasks.prefetch_related(Prefetch("responses", prompts), Prefetch("assignments", places))


def _in_state(tasks: TaskQuerySet, state: str, person: str) -> TaskQuerySet:
    """Those in the state that the person has or had: of the state of an assignment, in that very state."""
    own = Assignment.objects.filter(annotator__username=person) if person else Assignment.objects.all()
    if state in State.values:
        return tasks.filter(pk__in=own.filter(state=state).values("task"))
    if person:
        tasks = tasks.filter(pk__in=own.values("task"))
    if state == "free":
        return tasks.real().unsettled().with_a_free_place()
    if state == "closed":
        return tasks.filter(closed_at__isnull=False)
    if state == "messages":
        unread = Message.objects.filter(read_at=None, author=F("assignment__annotator"))
        to_all = SharedMessage.objects.unread_by_adjudicators().values("task")
        return tasks.filter(Q(pk__in=unread.values("assignment__task")) | Q(pk__in=to_all))
    if state == "gold":
        gold = GoldLabel.objects.current().filter(segment__response__task=OuterRef("pk"))
        return tasks.real().filter(Exists(gold))
    return tasks.filter(kind=state) if state in Kind.values else tasks


def sizes(dataset: Dataset) -> dict[str, int]:
    """Counts of tasks, and of places by state; places of qualifications are left out, and tasks whose responses are all
    removed."""
    work, kept = Q(kind=Kind.WORK), Task.objects.filter(dataset=dataset).kept()
    tasks = kept.aggregate(
        tasks=Count("pk", filter=work),
        double=Count("pk", filter=work & Q(wants__gte=2)),
        closed=Count("closed_at"),
        qualification=Count("pk", filter=Q(kind=Kind.QUALIFICATION)),
        control=Count("pk", filter=Q(kind=Kind.CONTROL)),
    )
    places = Assignment.objects.filter(task__in=kept.exclude(kind=Kind.QUALIFICATION)).aggregate(
        **{state: Count("pk", filter=Q(state=state)) for state in State.values}
    )
    return {**tasks, **places}
