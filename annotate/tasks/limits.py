"""Quotas and deadlines of annotators, by domain of the prompts."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotate.models import Assignment, Dataset, Response, Role, Task, User, WorkLimit
from annotate.models.work import LIVE_STATES, AssignmentQuerySet

State = Assignment.State
MOST = 1_000_000
# Every domain, as `WorkLimit.domain` says it.
EVERY = ""


class LimitError(ValueError):
    """The limit cannot be set; the message says why. Nothing was changed."""


class Quotas:
    """What may still be drawn for annotators: `quotas` and `held` by annotator (primary key) and domain; EVERY counts
    the tasks of all domains. What is served to them is limited in annotate/tasks/free.py."""

    def __init__(self, quotas: Mapping[tuple[int, str], int], held: Mapping[tuple[int, str], int]) -> None:
        self.quotas, self.held = quotas, Counter(held)

    def full_domains(self, annotator: int) -> set[str]:
        """The domains in which nothing more is drawn for the annotator; EVERY where nothing is at all."""
        return {
            domain
            for (person, domain), quota in self.quotas.items()
            if person == annotator and self.held[person, domain] >= quota
        }

    def is_full(self, annotator: int, domains: Collection[str]) -> bool:
        """Whether a task of these domains is too much for the annotator."""
        return not self.full_domains(annotator).isdisjoint([EVERY, *domains])

    def take(self, annotator: int, domains: Iterable[str]) -> None:
        self.held.update((annotator, domain) for domain in {EVERY, *domains})


def quotas_of(dataset: Dataset, people: Collection[User]) -> Quotas:
    """Those of the people; without a look at their work where they have none."""
    limits = dataset.work_limits.filter(annotator__in=people, quota__isnull=False)
    quotas = {(limit.annotator_id, limit.domain): limit.quota or 0 for limit in limits}
    return Quotas(quotas, _held(dataset, {person for person, _ in quotas}))


def domains_of_tasks(tasks: Iterable[Task]) -> dict[int, set[str]]:
    """The domains of the prompts of each task (primary key)."""
    domains: dict[int, set[str]] = {task.pk: set() for task in tasks}
    rows = Response.objects.filter(task__in=domains).values_list("task", "prompt__domain").distinct()
    for task, domain in rows:
        if task is not None:
            domains[task].add(domain)
    return domains


@dataclass(frozen=True)
class LimitStatus:
    """A limit with the work that it is about: tasks `held` (submitted or not), and `submitted` ones."""

    limit: WorkLimit
    held: int
    submitted: int

    @property
    def is_expired(self) -> bool:
        """Whether the deadline has passed while tasks are assigned and not submitted (as `expired_limits`)."""
        return self.limit.deadline is not None and self.limit.deadline < today() and self.submitted < self.held


def expired_limits() -> QuerySet[WorkLimit]:
    """Those of every dataset whose deadline has passed while tasks are assigned and not submitted."""
    left = Assignment.objects.filter(
        annotator=OuterRef("annotator"),
        task__dataset=OuterRef("dataset"),
        task__kind=Task.Kind.WORK,
        task__closed_at__isnull=True,
        state__in=[State.RESERVED, State.OPEN],
    )
    in_domain = left.filter(task__responses__prompt__domain=OuterRef("domain"))
    any_domain = Q(Exists(left), domain=EVERY)
    return WorkLimit.objects.filter(any_domain | Q(Exists(in_domain)), deadline__lt=today())


def limit_statuses(dataset: Dataset) -> list[LimitStatus]:
    """All limits of the dataset, by annotator and domain."""
    limits = list(dataset.work_limits.select_related("annotator"))
    people = {limit.annotator_id for limit in limits}
    held, submitted = _held(dataset, people), _held(dataset, people, [State.SUBMITTED])
    keys = [(limit, (limit.annotator_id, limit.domain)) for limit in limits]
    return [LimitStatus(limit, held[key], submitted[key]) for limit, key in keys]


def deadlines_of(dataset: Dataset, annotator: User) -> list[WorkLimit]:
    """The annotator's deadlines, the next one first. Their pages show no count: one would tell controls from work."""
    return list(dataset.work_limits.filter(annotator=annotator, deadline__isnull=False).order_by("deadline", "domain"))


def set_limit(dataset: Dataset, name: str, domain: str, quota: int | None, deadline: date | None) -> WorkLimit | None:
    """Set the limit of an annotator (user name) in a domain; without quota and deadline it is removed, which returns
    None. Raises LimitError."""
    member = dataset.memberships.filter(role=Role.ANNOTATOR, user__username=name).select_related("user").first()
    if member is None:
        raise LimitError("choose an annotator of this dataset")
    if domain and not dataset.prompts.filter(domain=domain).exists():
        raise LimitError(f"no prompts have the domain {domain!r}")
    if quota is not None and not 0 <= quota <= MOST:
        raise LimitError(f"a quota is a number from 0 to {MOST:,}")
    if quota is None and deadline is None:
        dataset.work_limits.filter(annotator=member.user, domain=domain).delete()
        return None
    limit, _ = dataset.work_limits.update_or_create(
        annotator=member.user, domain=domain, defaults={"quota": quota, "deadline": deadline}
    )
    return limit


def today() -> date:
    return timezone.now().date()


def _held(dataset: Dataset, people: Collection[int], states: Collection[str] = LIVE_STATES) -> Counter[tuple[int, str]]:
    """Tasks of work in these states, by annotator (primary key) and domain, and together."""
    held: Counter[tuple[int, str]] = Counter()
    if not people:
        return held
    work: AssignmentQuerySet = Assignment.objects.of(dataset).filter(
        annotator__in=people, state__in=states, task__kind=Task.Kind.WORK
    )
    together = work.order_by().values_list("annotator").annotate(Count("pk"))
    held.update({(person, EVERY): number for person, number in together})
    by_domain = work.order_by().values_list("annotator", "task__responses__prompt__domain")
    for person, domain, number in by_domain.annotate(Count("task", distinct=True)):
        if domain:
            held[person, domain] = number
    return held
