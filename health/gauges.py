"""How much work there is, read from the database and the broker: for Prometheus and the page of jobs."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, CharField, Count, F, Min, QuerySet, Value, When
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily

from health.services import BrokerError, connected_broker
from jobs.kinds import KINDS, JobKind, Queue
from jobs.models import alive_workers

WAITING, HELD, EXPIRED = "waiting", "held", "expired"
# No table of items has columns of these names.
COLUMNS = ("of_kind", "in_state", "counted")


@dataclass(frozen=True)
class UnsettledItems:
    """Items of a kind in one state. since: the oldest one's beginning; None where there is none. An item that waits
    for the time of its next attempt is in none; an expired lease has run out, and nobody has taken it back yet."""

    kind: str
    queue: str
    state: str
    number: int
    since: datetime | None


@dataclass(frozen=True)
class CountedJobs:
    """Jobs of a kind in one state of its own."""

    kind: str
    state: str
    number: int


def count_items() -> list[UnsettledItems]:
    """Of every kind, in one query: items that can be leased now, and leased ones."""
    now = timezone.now()
    first, *others = (rows for kind in KINDS.values() for rows in _unsettled(kind, now))
    return [
        UnsettledItems(
            row["of_kind"], KINDS[row["of_kind"]].queue.value, row["in_state"], row["counted"], row["oldest"]
        )
        for row in first.union(*others, all=True)
        if row["counted"]  # counted without groups, where kind and state are constants
    ]


def count_jobs() -> list[CountedJobs]:
    """Of every kind, in one query: jobs by state, and of kinds without jobs the rows that failed."""
    first, *others = (_jobs(kind) for kind in KINDS.values())
    return [CountedJobs(row["of_kind"], row["in_state"], row["counted"]) for row in first.union(*others, all=True)]


def _unsettled(kind: type[JobKind[Any]], now: datetime) -> Iterator[QuerySet[Any, dict[str, Any]]]:
    rows = kind().same_model()
    expired = Case(When(lease_until__lt=now, then=Value(EXPIRED)), default=Value(HELD), output_field=CharField())
    waiting = Value(WAITING, output_field=CharField())
    for found, state in ((kind().available(rows), waiting), (kind().for_workers(rows.leased()), expired)):
        yield _counted(found, kind, state).annotate(oldest=Min("created_at")).values(*COLUMNS, "oldest")


def _jobs(kind: type[JobKind[Any]]) -> QuerySet[Any, dict[str, Any]]:
    rows = kind.job._default_manager.all() if kind.job else kind().same_model().failed()
    return _counted(rows, kind, F("state")).values(*COLUMNS)


def _counted(rows: QuerySet[Any], kind: type[JobKind[Any]], state: Any) -> QuerySet[Any, dict[str, Any]]:
    named = rows.order_by().annotate(of_kind=Value(kind.name, output_field=CharField()), in_state=state)
    counted: QuerySet[Any, Any] = named.values("of_kind", "in_state").annotate(counted=Count("pk"))
    return counted


def messages_in(queue: Queue) -> int:
    """Messages that the broker holds for the queue. Raises BrokerError where it does not answer."""
    from kombu.exceptions import ChannelError

    with connected_broker() as broker, broker.channel() as channel:  # type: ignore[no-untyped-call]
        try:
            return int(channel.queue_declare(queue.value, passive=True).message_count)
        except ChannelError:  # nobody has sent or asked for any yet
            return 0


class WorkCollector:
    """Gauges that are read when they are asked for: three queries, whatever there is."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        items = count_items()
        yield from _queues(items)
        yield _leases(items)
        jobs = GaugeMetricFamily("touchstone_jobs", "Jobs by kind and state.", labels=["kind", "state"])
        for counted in count_jobs():
            jobs.add_metric([counted.kind, counted.state], counted.number)
        yield jobs
        workers = GaugeMetricFamily("touchstone_workers", "Living workers of the queue.", labels=["queue"])
        living = dict(alive_workers().order_by().values_list("queue").annotate(number=Count("pk")))
        for queue in Queue:
            workers.add_metric([queue.value], living.get(queue.value, 0))
        yield workers
        yield from _messages()


def _queues(items: list[UnsettledItems]) -> Iterator[GaugeMetricFamily]:
    length = GaugeMetricFamily("touchstone_queue_items", "Items that can be leased now.", labels=["queue", "kind"])
    age = GaugeMetricFamily("touchstone_queue_age_seconds", "Age of the oldest of them.", labels=["queue"])
    waiting = [each for each in items if each.state == WAITING]
    for each in waiting:
        length.add_metric([each.queue, each.kind], each.number)
    now = timezone.now()
    for queue in Queue:
        since = [each.since for each in waiting if each.queue == queue and each.since is not None]
        age.add_metric([queue.value], max(0.0, (now - min(since)).total_seconds()) if since else 0.0)
    yield length
    yield age


def _leases(items: list[UnsettledItems]) -> GaugeMetricFamily:
    leases = GaugeMetricFamily("touchstone_leases", "Leased items; expired: nobody renews.", labels=["queue", "state"])
    for queue in Queue:
        for state in (HELD, EXPIRED):
            numbers = [each.number for each in items if (each.queue, each.state) == (queue.value, state)]
            leases.add_metric([queue.value, state], sum(numbers))
    return leases


def _messages() -> Iterator[GaugeMetricFamily]:
    """Nothing while the broker does not answer: an unknown number is not 0."""
    messages = GaugeMetricFamily("touchstone_broker_messages", "Messages of the queue in the broker.", labels=["queue"])
    try:
        for queue in Queue:
            messages.add_metric([queue.value], messages_in(queue))
    except BrokerError:
        return
    yield messages
