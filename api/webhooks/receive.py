"""The signals of other rooms, as events of webhooks."""

from typing import Any

from django.db.models import Model
from django.dispatch import receiver

from annotate.cases.signals import tasks_settled
from annotate.datasets.contents import path_to_dataset
from annotate.gold.signals import gold_frozen
from annotate.labels.signals import work_submitted
from annotate.models import Assignment, Dataset, GoldVersion
from api.models import Event, WebhookDelivery
from api.webhooks.record import record_event, webhooks_for
from evaluators.models import Run
from jobs.kinds import kind_of
from jobs.models import Job, JobItem
from jobs.signals import item_failed, job_ended


@receiver(work_submitted)
def note_submitted(sender: object, assignment: Assignment, **_: Any) -> None:
    webhooks = webhooks_for(assignment.task.dataset_id, Event.SUBMITTED)
    record_event(webhooks, Event.SUBMITTED, "assignment", [assignment.pk], assignment.state)


@receiver(tasks_settled)
def note_settled(sender: object, dataset: Dataset, tasks: list[int], **_: Any) -> None:
    record_event(webhooks_for(dataset.pk, Event.SETTLED), Event.SETTLED, "task", tasks, "settled")


@receiver(gold_frozen)
def note_frozen(sender: object, version: GoldVersion, **_: Any) -> None:
    webhooks = webhooks_for(version.dataset_id, Event.GOLD_FROZEN)
    record_event(webhooks, Event.GOLD_FROZEN, "gold_version", [version.pk], "frozen")


@receiver(job_ended)
def note_end(sender: object, job: Job, **_: Any) -> None:
    if isinstance(job, Run):
        record_event(webhooks_for(job.dataset_id, Event.RUN_ENDED), Event.RUN_ENDED, "run", [job.pk], job.state)
    if job.error:
        _note_failure(job)


@receiver(item_failed)
def note_failed_item(sender: object, item: JobItem, **_: Any) -> None:
    """A delivery that failed is itself no event: it would make another one."""
    if not isinstance(item, WebhookDelivery):
        _note_failure(item)


def _note_failure(row: Job | JobItem) -> None:
    """Of work that belongs to a dataset."""
    dataset = _dataset_of(row)
    if dataset is not None:
        webhooks = webhooks_for(dataset, Event.JOB_FAILED)
        record_event(webhooks, Event.JOB_FAILED, kind_of(type(row)).name, [row.pk], "failed")


def _dataset_of(row: Model) -> int | None:
    path = path_to_dataset(type(row))
    if path is None:
        return None
    return type(row)._default_manager.filter(pk=row.pk).values_list(path, flat=True).first()
