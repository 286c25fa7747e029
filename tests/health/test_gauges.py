"""How much work there is, as it is counted for Prometheus and the page of jobs."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client import CollectorRegistry

from annotate.models import Release
from health.gauges import WorkCollector, count_items, count_jobs, messages_in
from jobs.kinds import KINDS, Queue
from jobs.models import JobItem, Worker
from tests.jobs.kinds import EXAMPLES, make_release

pytestmark = pytest.mark.django_db

AGE = timedelta(hours=2)
# Gauges: items, jobs, workers.
QUERIES = 3


def value(name: str, **labels: str) -> float | None:
    """The sample of what a scrape would read."""
    registry = CollectorRegistry()
    registry.register(WorkCollector())
    return registry.get_sample_value(name, labels)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_of_every_kind_what_waits_is_counted_in_its_queue(name: str, model) -> None:
    """model: the default endpoint, which the examples name."""
    queue = KINDS[name].queue.value
    assert value("touchstone_queue_items", queue=queue, kind=name) is None
    row = EXAMPLES[name].make(2)
    # An item that is work by itself is one row; a job has two, and so has a group of proposals.
    waiting = KINDS[name]().same_model().unsettled().count()
    assert waiting in (1, 2)
    assert value("touchstone_queue_items", queue=queue, kind=name) == waiting
    if not isinstance(row, JobItem):
        assert value("touchstone_jobs", kind=name, state=row.state) == 1


def test_the_age_of_a_queue_is_that_of_its_oldest_item() -> None:
    assert value("touchstone_queue_age_seconds", queue="long") == 0
    make_release(1)
    old = make_release(1)
    Release.objects.filter(pk=old.pk).update(created_at=timezone.now() - AGE)
    [queue] = {KINDS["release"].queue.value}
    age = value("touchstone_queue_age_seconds", queue=queue)
    assert age is not None
    assert AGE.total_seconds() <= age < AGE.total_seconds() + 600


def test_leases_are_held_or_expired_and_what_waits_for_its_next_attempt_is_in_no_queue() -> None:
    now = timezone.now()
    held, expired, later, failed = (make_release(1) for _ in range(4))
    leased = {"state": JobItem.State.LEASED, "lease_owner": "one"}
    Release.objects.filter(pk=held.pk).update(**leased, lease_until=now + AGE)
    Release.objects.filter(pk=expired.pk).update(**leased, lease_until=now - AGE)
    Release.objects.filter(pk=later.pk).update(not_before=now + AGE)
    Release.objects.filter(pk=failed.pk).update(state=JobItem.State.FAILED)
    queue = KINDS["release"].queue.value
    assert value("touchstone_leases", queue=queue, state="held") == 1
    assert value("touchstone_leases", queue=queue, state="expired") == 1
    assert value("touchstone_queue_items", queue=queue, kind="release") is None
    assert value("touchstone_jobs", kind="release", state="failed") == 1


def test_the_queries_do_not_grow_with_the_rows_or_the_kinds() -> None:
    for rows in (1, 4):
        for _ in range(rows):
            make_release(1)
        with CaptureQueriesContext(connection) as asked:
            count_items(), count_jobs(), list(WorkCollector().collect())
        assert len(asked) == 2 + QUERIES


def test_living_workers_are_counted_by_queue() -> None:
    now = timezone.now()
    Worker.objects.create(name="one", queue="short", started_at=now, beat_at=now)
    Worker.objects.create(name="gone", queue="short", started_at=now, beat_at=now - AGE)
    assert value("touchstone_workers", queue="short") == 1
    assert value("touchstone_workers", queue="long") == 0


def test_messages_of_the_broker_are_counted() -> None:
    from jobs.tasks import work

    before = messages_in(Queue.LONG)
    work.apply_async(("nothing", 1), queue="long", retry=False)
    assert messages_in(Queue.LONG) == before + 1
