"""Responses that are removed by selection count nowhere, and can be brought back."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from annotate.adjudication.decide import check_why
from annotate.cases.close import close_settled
from annotate.models import CaseChange, Dataset, Removal, Response, Signature, Task, User
from annotate.models.corpus import ResponseQuerySet
from annotate.models.gold import RemovalQuerySet


def remove(dataset: Dataset, keys: Sequence[int], who: User, why: str) -> int:
    """Remove those of the responses (primary keys) that count; how many. Their labels and gold stay as they are, and
    earlier versions of gold keep them. Tasks that have no other response are closed. Raises DecisionError without a
    reason."""
    why = check_why(why)
    with transaction.atomic():
        revision = dataset.next_gold_revision()
        responses = _locked(dataset.responses.visible(), keys)
        _supersede(responses, revision)
        Removal.objects.bulk_create(
            Removal(response=each, keep=False, selected=True, who=who, why=why, revision=revision) for each in responses
        )
        now = timezone.now()
        Response.objects.filter(pk__in=_keys(responses)).update(removed_at=now)
        Signature.objects.filter(response__in=responses, withdrawn_at__isnull=True).update(withdrawn_at=now)
        tasks = _tasks(responses)
        Task.objects.filter(pk__in=tasks).emptied().unsettled().update(closed_at=now)
        _note(tasks)
    return len(responses)


def restore(dataset: Dataset, keys: Sequence[int], who: User) -> int:
    """Bring removed ones back; how many. What was settled on each before it was removed holds again."""
    with transaction.atomic():
        revision = dataset.next_gold_revision()
        responses = _locked(dataset.responses.filter(removed_at__isnull=False), keys)
        ended = list(_supersede(responses, revision))
        before = Removal.objects.filter(response__in=responses, superseded__in={each.revision for each in ended})
        Removal.objects.bulk_create(
            Removal(response_id=each.response_id, keep=each.keep, who=each.who, why=each.why, revision=revision)
            for each in before.select_related("who")
            if any(each.superseded == of.revision and each.response_id == of.response_id for of in ended)
        )
        tasks = _tasks(responses)
        reopened = list(Task.objects.filter(pk__in=tasks).emptied().values_list("pk", flat=True))
        Response.objects.filter(pk__in=_keys(responses)).update(removed_at=None)
        Task.objects.filter(pk__in=reopened).update(closed_at=None)
        close_settled(dataset, Task.objects.filter(pk__in=reopened))
        _note(tasks)
    return len(responses)


def removals_of(dataset: Dataset) -> RemovalQuerySet:
    """Those by selection that are in force, the latest first."""
    removals = Removal.objects.removed().filter(response__dataset=dataset, selected=True)
    return removals.select_related("response__prompt", "who").order_by("-pk")


def _locked(responses: ResponseQuerySet, keys: Sequence[int]) -> list[Response]:
    return list(responses.filter(pk__in=keys).only("task_id", "dataset_id").order_by("pk"))


def _keys(responses: Sequence[Response]) -> list[int]:
    return [each.pk for each in responses]


def _tasks(responses: Sequence[Response]) -> set[int]:
    return {each.task_id for each in responses if each.task_id is not None}


def _supersede(responses: Sequence[Response], revision: int) -> list[Removal]:
    """What was in force."""
    in_force = Removal.objects.filter(response__in=responses, superseded__isnull=True)
    ended = list(in_force)
    in_force.update(superseded=revision)
    return ended


def _note(tasks: set[int]) -> None:
    """Their cases are counted anew: no trigger looks at whether a response is removed."""
    CaseChange.objects.bulk_create(CaseChange(task_id=task) for task in tasks)
