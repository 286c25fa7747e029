"""Items about background work of any kind: it waits while no worker is running, or it stopped or failed."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotate.attention.items import Datasets, by_dataset, counts
from annotate.models import Role, User
from jobs.kinds import KINDS
from jobs.models import JobItem, JobItemQuerySet, JobQuerySet

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)


def counts_waiting(
    kind: str, dataset: str, /, *, one: str, many: str, page: str, of_newest: bool = False, **only: object
) -> None:
    """Register the work of the kind that waits while no worker serves its queue.

    `one` and `many` name it; `dataset`: the path from an item; `page`: where it is seen, as of `counts`; `only`:
    columns of the items to count.
    """
    name = "waiting-" + "-".join([kind, *map(str, only.values())])
    ends = {"one": f"{one} waits: no worker is running.", "many": f"{many} wait: no worker is running."}

    @counts(name, *READERS, **ends, page=page, of_newest=of_newest, queue=KINDS[kind].queue)
    def waiting_work(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
        items = unattended(kind).filter(**{f"{dataset}__in": datasets}, **only)
        return by_dataset(items, dataset, "at", KINDS[kind].key)


def unattended(kind: str) -> JobItemQuerySet[Any]:
    """The items of the kind that are to be done and that no worker works on; `at`: when they were enqueued."""
    of_kind = KINDS[kind]()
    of_job = f"{of_kind.key}__" if of_kind.job else ""
    at = Coalesce(f"{of_job}enqueued_at", f"{of_job}created_at")
    worked_on = Q(state=JobItem.State.LEASED, lease_until__gte=timezone.now())
    active = {f"{of_job}state__in": of_kind.job.ACTIVE} if of_kind.job else {}
    return of_kind.for_workers(of_kind.same_model()).unsettled().exclude(worked_on).filter(**active).annotate(at=at)


def stopped(jobs: JobQuerySet[Any], dataset: str, datasets: Datasets) -> QuerySet[Any, Any]:
    """The jobs that stopped by themselves, by dataset; `dataset`: the path to it."""
    ended = jobs.filter(**{"state": jobs.model.STOPPED, f"{dataset}__in": datasets}).exclude(error="")
    return by_dataset(ended.annotate(at=Coalesce("enqueued_at", "created_at")), dataset, "at")


def failed(
    items: JobItemQuerySet[Any], dataset: str, datasets: Datasets, /, *replaced_by: str, **only: object
) -> QuerySet[Any, Any]:
    """The items that failed and that no newer one with the same columns `replaced_by` stands in for, by dataset."""
    columns = {column: OuterRef(column) for column in replaced_by}
    newer = items.filter(pk__gt=OuterRef("pk"), **columns)
    last = items.failed().filter(**{f"{dataset}__in": datasets}, **only)
    return by_dataset(last.exclude(Exists(newer)) if replaced_by else last, dataset, "settled_at")
