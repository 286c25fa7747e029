"""Working on the items of a key in this process."""

import logging
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import connection, transaction
from django.db.models import Exists, Q
from django.utils import timezone

from jobs.budget import RowBudget
from jobs.database_thread import DatabaseThread, run_beside_database
from jobs.errors import ItemError, JobError
from jobs.kinds import AsyncJobKind, JobKind, SyncJobKind, WorkerContext, kind_of
from jobs.leases import Lease, announce_failures, free_expired, lease_end, lease_items, renewing, renewing_leases
from jobs.loop import WorkerLoop
from jobs.models import Job, JobItem, JobItemQuerySet, JobQuerySet
from jobs.policy import DATABASE_AWAY, cause_of, sentence_of, settle_failure

logger = logging.getLogger("touchstone.jobs")

LOST_OPENING = "The worker was lost {attempts} times while opening what it needs, or at its end."


def work_on(kind: JobKind[Any], key: int) -> None:
    """Do all items of the key that can be leased, and end its job after the last of them.

    Any number of processes may do so at once. After an interruption leased items are given back; the items of a killed
    process are free again when its leases have run out.
    """
    while kind.waiting(key).exists():
        owner = uuid4().hex
        try:
            with renewing_leases(kind.all_items(key), owner):
                goes_on = _work_once(kind, key, owner)
        finally:
            _give_back(kind.all_items(key), owner)
        if not goes_on:
            break
    if kind.job:
        end_settled(kind, key)


def do_nothing() -> None:
    """There is no other work to wait for."""


def work_to_the_end(kind: JobKind[Any], key: int, work_waited_for: Callable[[], None] = do_nothing) -> None:
    """Work on the key in this process until its job has ended or its items are settled, by any process.

    work_waited_for: does, after each time, other work that the key waits for.
    """
    while _is_unsettled(kind, key):
        sweep_expired(kind.all_items(key))
        work_on(kind, key)
        work_waited_for()
        if _is_unsettled(kind, key):  # held by another process, which settles it or loses its leases
            time.sleep(settings.HEARTBEAT_SECONDS)


def sweep_expired(rows: JobItemQuerySet[Any]) -> None:
    """Take back leases that have run out, among the rows."""
    kind = kind_of(rows.model)()
    for item in free_expired(rows, kind.max_attempts):
        kind.on_failure(item)


def _is_unsettled(kind: JobKind[Any], key: int) -> bool:
    if kind.job:
        return JobQuerySet(kind.job).active().filter(pk=key).exists()
    return kind.all_items(key).unsettled().exists()


def _give_back(rows: JobItemQuerySet[Any], owner: str) -> None:
    try:
        connection.close_if_unusable_or_obsolete()
        rows.held_by(owner).give_back()
    except DatabaseFailure as error:
        logger.warning("Leases could not be given back and run out: %s", error)


def _work_once(kind: JobKind[Any], key: int, owner: str) -> bool:
    """Whether there may be more to do."""
    if isinstance(kind, SyncJobKind):
        return _work_one_by_one(kind, key, owner)
    assert isinstance(kind, AsyncJobKind)  # noqa: S101 - there are these two
    return _AsyncWork(kind, key, owner).work()


def _work_one_by_one(kind: SyncJobKind[Any], key: int, owner: str) -> bool:
    leases = lease_items(kind.waiting(key), owner, 1, kind.max_attempts)
    for lease in leases:
        try:
            kind.execute(lease)
        except Exception as error:
            cause = cause_of(error)
            if isinstance(cause, DATABASE_AWAY):
                raise cause from error
            settle_failure(kind, lease, cause)
    return bool(leases)


class _AsyncWork:
    """One opening of a kind's resources, and the work with them."""

    def __init__(self, kind: AsyncJobKind[Any, Any, Any], key: int, owner: str) -> None:
        self._kind = kind
        self._key = key
        self._owner = owner
        self._is_open = False

    def work(self) -> bool:
        kind = self._kind
        waiting = kind.waiting(self._key)
        job = kind.load_job(self._key)
        subject = job or waiting.order_by("attempts", "pk").first()
        if subject is None or (kind.job and job is None):
            return False
        waiting = waiting.filter(**{column: getattr(subject, column) for column in kind.alike})
        concurrency = kind.concurrency_of(subject)
        leases = lease_items(waiting, self._owner, concurrency, kind.max_attempts)
        if not leases:
            return False
        try:
            if job is not None:
                _count_attempt(job, kind.max_attempts, self._other_owners())
            self._run(subject, job, waiting, leases, concurrency)
        except Exception as error:  # noqa: BLE001 - sorted out here
            return self._break_off(cause_of(error), job, waiting)
        return True

    def _other_owners(self) -> int:
        """How many others hold leases of the key: they may be opening what they need at this moment."""
        held = self._kind.all_items(self._key).leased().exclude(lease_owner=self._owner)
        return held.order_by().values("lease_owner").distinct().count()

    def _run(
        self, subject: Any, job: Any, waiting: JobItemQuerySet[Any], leases: list[Lease[Any]], concurrency: int
    ) -> None:
        kind, key, owner = self._kind, self._key, self._owner
        at_once = kind.leased_at_once(subject)
        shared = subject.shared_budgets()
        budget = None if job is None and not shared else RowBudget(job, owner, kind.items, shared)

        async def main(database_thread: DatabaseThread) -> None:
            context = WorkerContext(key, owner, database_thread, budget)
            async with kind.open(subject, context) as resource:
                self._is_open = True
                if job is not None:
                    await context.in_database_thread(_reset_attempts, job)
                await WorkerLoop(kind, waiting, leases, concurrency, at_once, context).work(resource)

        run_beside_database(main)

    def _break_off(self, error: Exception, job: Any, waiting: JobItemQuerySet[Any]) -> bool:
        """Whether the work goes on."""
        if isinstance(error, DATABASE_AWAY):
            raise error
        foreseen = isinstance(error, JobError | ItemError)
        if not foreseen:
            logger.error("The work on %s %s broke off.", self._kind.name, self._key, exc_info=error)
        if job is None:
            self._fail_items(error, waiting, foreseen)
            return True
        if foreseen or self._is_open or job.attempts >= self._kind.max_attempts:
            job.stop_with(error if foreseen else JobError(sentence_of(error)))
            return False
        return True

    def _fail_items(self, error: Exception, waiting: JobItemQuerySet[Any], foreseen: bool) -> None:
        """Count an attempt of the held items. A foreseen error also fails all items that wait for the same opening."""
        reason = JobError(str(error)) if foreseen else error
        for item in self._kind.all_items(self._key).held_by(self._owner):
            settle_failure(self._kind, Lease(item, self._owner), reason)
        if foreseen:
            failed = list(waiting)
            with transaction.atomic():
                waiting.order_by().put(JobItem.State.FAILED, error=sentence_of(error), settled_at=timezone.now())
                announce_failures(failed)
            for item in failed:
                self._kind.on_failure(item)


def _count_attempt(job: Job, max_attempts: int, under_way: int = 0) -> None:
    """Count an opening or an ending before it begins, so that one that kills its worker each time is counted too.

    `under_way`: as many of the counted ones may be going on in other processes, which are not lost.
    """
    if job.attempts - under_way >= max_attempts:
        raise JobError(LOST_OPENING.format(attempts=max_attempts))
    job.attempts += 1
    job.save(update_fields=["attempts"])


def _reset_attempts(job: Job) -> None:
    job.attempts = 0
    job.save(update_fields=["attempts"])


def end_settled(kind: JobKind[Any], key: int) -> None:
    """End the job once every item is settled. One process at a time does so."""
    assert kind.job is not None  # noqa: S101 - the caller has looked
    active: JobQuerySet[Any] = JobQuerySet(kind.job).active().filter(pk=key)
    free = active.filter(Q(ending_until=None) | Q(ending_until__lt=timezone.now()))
    free = free.filter(~Exists(kind.all_items(key).unsettled()))
    if not free.update(ending_until=lease_end()):
        return
    job = kind.load_job(key)
    with renewing(lambda: active.update(ending_until=lease_end())):
        while job is not None and job.is_active and not _end_once(kind, job):
            pass


def _end_once(kind: JobKind[Any], job: Job) -> bool:
    """Whether that was the last attempt."""
    try:
        _count_attempt(job, kind.max_attempts)
        kind.end(job)
    except Exception as error:
        cause = cause_of(error)
        if isinstance(cause, DATABASE_AWAY):
            raise cause from error
        if isinstance(cause, JobError | ItemError):
            job.stop_with(cause)
            return True
        logger.error("The end of %s %s broke off.", kind.name, job.pk, exc_info=cause)
        if job.attempts >= kind.max_attempts:
            job.stop_with(JobError(sentence_of(cause)))
            return True
        return False
    return True
