"""A task is closed once every address of it has gold and the signatures of the policy; from then on its annotators may
see the outcome."""

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from annotate.cases.addresses import cases_of
from annotate.cases.open_wholes import open_wholes
from annotate.cases.signals import tasks_settled
from annotate.cases.signatures import lacking_signatures, levels_of
from annotate.models import Dataset, GoldLabel, Response, Task
from annotate.models.work import TaskQuerySet


def close_settled(dataset: Dataset, tasks: TaskQuerySet) -> int:
    """Close those of the tasks that are labelled, have neither an address nor a correction or removal left to settle,
    and every signature that the dataset asks for; return how many. Tasks with known answers stay open: their
    annotators learn nothing from others.

    A closed task stays closed, whatever is decided in it later.
    """
    done = tasks.real().labelled().unsettled().exclude(pk__in=lacking_signatures(dataset).values("task"))
    waiting = {case.task for case in cases_of(dataset, done)} | {whole.response.task_id for whole in open_wholes(done)}
    settled = [pk for pk in done.values_list("pk", flat=True) if pk not in waiting]
    if not settled:
        return 0
    with transaction.atomic(savepoint=False):
        closed = Task.objects.filter(pk__in=settled).update(closed_at=timezone.now())
        tasks_settled.send(Task, dataset=dataset, tasks=settled)
    return closed


def close_if_settled_before(task: Task) -> None:
    """Close a task that nobody has anything to settle in, because gold was there before its annotators were done."""
    close_those_settled_before(task.dataset, [task.pk])


def close_those_settled_before(dataset: Dataset, tasks: Collection[int]) -> None:
    """`close_if_settled_before` of each of the tasks (primary keys), in as many queries as for one."""
    if levels_of(dataset):
        return
    gold = GoldLabel.objects.current().filter(segment__response__task__in=tasks).order_by()
    gilded = list(gold.values_list("segment__response__task", flat=True).distinct())
    if gilded:
        close_settled(dataset, Task.objects.filter(pk__in=gilded))


def close_task_of(response: Response) -> None:
    """Close the response's task if nothing is left to settle in it."""
    if response.task_id is not None:
        close_settled(response.dataset, Task.objects.filter(pk=response.task_id))
