"""Signatures of a response, missing ones, and their withdrawal when gold below them changes (FELM §3.6)."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.models import Adjudication, CaseCount, Dataset, Response, ReviewPolicy, Signature, Task, User
from annotate.models.cases import WITHOUT_CASES

Level = Signature.Level

# The signatures that each policy asks of a response before its task is closed.
LEVELS: dict[str, tuple[Level, ...]] = {
    ReviewPolicy.BULK: (),
    ReviewPolicy.REVIEWER: (Level.REVIEWER,),
    ReviewPolicy.SUPER: (Level.REVIEWER, Level.SUPER),
}


def levels_of(dataset: Dataset) -> tuple[Level, ...]:
    return LEVELS[dataset.review]


def last_decided(response: Response) -> str:
    """The last decision on anything in the response and the last on the whole of it, as one word ("12.3"; 0 where
    there is none): it compares the gold that was read with the gold that is signed."""
    decided = Adjudication.objects.filter(segment__response=response).order_by("-pk")
    removed = response.removals.order_by("-pk")
    return ".".join(str(each.values_list("pk", flat=True).first() or 0) for each in (decided, removed))


def lacking_signatures(dataset: Dataset) -> QuerySet[Response]:
    """The responses to be labelled without a signature that the policy asks for."""
    missing = Q(pk__in=[])
    for level in levels_of(dataset):
        missing |= Q(~Exists(_signed(level)))
    return Response.objects.filter(missing, dataset=dataset, task__isnull=False)


def waiting_for(dataset: Dataset, level: str) -> QuerySet[Response]:
    """The responses of labelled tasks that wait for a signature of this level, those below it given, in order."""
    below = levels_of(dataset)[: levels_of(dataset).index(Level(level))]
    waiting = Response.objects.filter(~Exists(_signed(level)), dataset=dataset)
    for each in below:
        waiting = waiting.filter(Exists(_signed(each)))
    return waiting.order_by("position")


def signable_by(person: User) -> QuerySet[Response]:
    """The responses of every dataset that wait for this person's signature: nothing is left to settle in their task,
    which is not closed, and another has signed below where the policy asks for two. By the kept numbers of cases: count
    what has changed first."""
    policy = Q(dataset__review=ReviewPolicy.REVIEWER) | Q(dataset__review=ReviewPolicy.SUPER)
    first = Q(~Exists(_signed(Level.REVIEWER)))
    by_another = _signed(Level.REVIEWER) if person.is_superuser else _signed(Level.REVIEWER).exclude(who=person)
    second = Q(Exists(by_another), ~Exists(_signed(Level.SUPER)), dataset__review=ReviewPolicy.SUPER)
    settled = CaseCount.objects.filter(WITHOUT_CASES, task__kind=Task.Kind.WORK, task__closed_at__isnull=True)
    return Response.objects.visible().filter(policy, first | second, task__in=settled.values("task"))


def _signed(level: str) -> QuerySet[Signature]:
    return Signature.objects.filter(response=OuterRef("pk"), level=level, withdrawn_at__isnull=True)
