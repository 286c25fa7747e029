"""The one policy of errors, in the real loop: what becomes of items and jobs."""

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from annotate.models import GenerationItem, Release
from annotate.prompts.generation_job import GenerationJob
from annotate.release.release_job import ReleaseJob
from jobs.enqueue import sweep
from jobs.errors import ItemError, JobError, PostponedError
from jobs.leases import LOST, lease_items, renewing
from jobs.work import work_on
from llm.retries import RetryPolicy
from tests.jobs.kinds import make_generation, make_release
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db

AT_ONCE = RetryPolicy(attempts=1, first_wait=0.01)
BROKEN = "Something went wrong on the server, and its log says what (ZeroDivisionError)."


@pytest.fixture
def generation(model):
    model.control(answer="Ines painted.")
    return make_generation(4)


class Faulty(GenerationJob):
    """Its first item raises what it is given: while it is prepared, asked or stored."""

    def __init__(self, error: Exception, at: str = "asked") -> None:
        super().__init__(AT_ONCE)
        self._error, self._at = error, at

    def prepare(self, item):
        if item.prompt.position > 0:
            return super().prepare(item)
        if self._at == "prepared":
            raise self._error
        return self._ask

    async def _ask(self, ask):
        if self._at == "grouped":
            async with asyncio.TaskGroup() as group:
                group.create_task(self._raise())
        if self._at == "stored":
            return self._store
        raise self._error

    async def _raise(self):
        raise self._error

    def _store(self, lease):
        lease.finish(text="x")
        raise self._error


def outcome(generation):
    generation.refresh_from_db()
    items = generation.items.order_by("prompt__position").values_list("state", "attempts", "error")
    return generation.state, list(items)


@pytest.mark.parametrize("at", ["prepared", "asked", "grouped", "stored"])
def test_an_unforeseen_error_is_the_items_failure_after_three_attempts(generation, at, caplog):
    work_on(Faulty(ZeroDivisionError("bug"), at), generation.pk)

    state, (first, *others) = outcome(generation)
    assert (state, first) == ("finished", ("failed", 3, BROKEN))
    assert others == [("done", 1, "")] * 3
    assert caplog.text.count("ZeroDivisionError: bug") == 3


@pytest.mark.parametrize("at", ["prepared", "asked", "grouped", "stored"])
def test_an_expected_failure_is_final_with_its_sentence(generation, at):
    work_on(Faulty(ItemError("it says nothing."), at), generation.pk)

    assert outcome(generation)[1][0] == ("failed", 1, "It says nothing.")


@pytest.mark.parametrize("at", ["prepared", "asked", "grouped", "stored"])
def test_what_no_item_can_escape_stops_the_job_and_costs_no_attempt(generation, at):
    work_on(Faulty(JobError("The key is wrong."), at), generation.pk)

    state, (first, *_) = outcome(generation)
    assert (state, generation.error, first) == ("stopped", "The key is wrong.", ("waiting", 0, ""))


@pytest.mark.parametrize("at", ["prepared", "asked", "grouped", "stored"])
def test_a_database_that_is_away_leaves_the_job_to_the_sweep(generation, at):
    with pytest.raises(OperationalError, match="away"):
        work_on(Faulty(OperationalError("away"), at), generation.pk)

    state, (first, *_) = outcome(generation)
    assert (state, generation.error, first) == ("asking", "", ("waiting", 0, ""))
    assert sweep(GenerationJob()) == [generation.pk]


@pytest.mark.parametrize("at", ["prepared", "asked", "grouped", "stored"])
def test_a_postponed_item_waits_for_its_time_and_keeps_its_attempts(generation, at):
    work_on(Faulty(PostponedError(timedelta(hours=1)), at), generation.pk)

    state, (first, *others) = outcome(generation)
    assert (state, first, others) == ("asking", ("waiting", 0, ""), [("done", 1, "")] * 3)
    assert not GenerationJob().waiting(generation.pk).exists()
    GenerationItem.objects.update(not_before=timezone.now())
    work_on(GenerationJob(AT_ONCE), generation.pk)
    assert outcome(generation)[0] == "finished"


class Unopenable(GenerationJob):
    opened = 0

    def open(self, subject, context):
        self.opened += 1
        raise ZeroDivisionError("no weights")


def test_an_opening_that_breaks_off_stops_the_job_after_three(generation):
    kind = Unopenable()
    work_on(kind, generation.pk)

    state, items = outcome(generation)
    assert (state, generation.error, kind.opened) == ("stopped", BROKEN, 3)
    assert items == [("waiting", 0, "")] * 4


class Killed(BaseException):
    """As if the process died."""


class Killing(GenerationJob):
    def open(self, subject, context):
        raise Killed


def test_an_opening_that_kills_its_worker_stops_the_job_after_three(generation):
    for _ in range(3):
        with pytest.raises(Killed):
            work_on(Killing(), generation.pk)
    work_on(GenerationJob(AT_ONCE), generation.pk)

    assert outcome(generation)[0] == "stopped"
    assert generation.error == "The worker was lost 3 times while opening what it needs, or at its end."
    generation.resume()
    work_on(GenerationJob(AT_ONCE), generation.pk)
    assert outcome(generation)[0] == "finished"


class Meeting(GenerationJob):
    """While it opens what it needs, so many others do the same, each in the middle of the one before."""

    concurrency = 1

    def __init__(self, others):
        super().__init__(AT_ONCE)
        self._others = others

    @asynccontextmanager
    async def open(self, subject, context):
        if self._others:
            await context.in_database_thread(work_on, Meeting(self._others - 1), context.key)
        async with super().open(subject, context) as ask:
            yield ask


def test_openings_at_the_same_moment_are_not_lost(generation):
    work_on(Meeting(3), generation.pk)

    assert outcome(generation) == ("finished", [("done", 1, "")] * 4)
    assert generation.error == ""


class Endless(GenerationJob):
    def end(self, job):
        raise ZeroDivisionError("bug")


def test_an_end_that_breaks_off_stops_the_job_and_keeps_its_items(generation):
    work_on(Endless(AT_ONCE), generation.pk)

    state, items = outcome(generation)
    assert (state, generation.error) == ("stopped", BROKEN)
    assert items == [("done", 1, "")] * 4


def lose(kind, key):
    """A worker that leased what it could is gone; the keys that a sweep enqueues then."""
    leased = lease_items(kind.waiting(key), "lost", 16, kind.max_attempts)
    kind.all_items(key).leased().update(lease_until=timezone.now() - timedelta(seconds=1))
    sweep(kind)
    return [lease.item.pk for lease in leased]


def test_an_item_that_loses_its_worker_each_time_fails_with_that_reason():
    release = make_release(1)
    for _ in range(3):
        assert lose(ReleaseJob(), release.pk) == [release.pk]

    release.refresh_from_db()
    reason = "The worker was lost 3 times while working on it."
    assert (release.state, release.error) == ("failed", reason)
    assert lose(ReleaseJob(), release.pk) == []


def test_before_its_last_attempt_a_lost_item_is_worked_on_alone(generation):
    assert [len(lose(GenerationJob(), generation.pk)) for _ in range(2)] == [4, 4]
    assert set(generation.items.values_list("state", "attempts", "error")) == {("waiting", 2, LOST)}

    [guilty] = lose(GenerationJob(), generation.pk)

    work_on(GenerationJob(AT_ONCE), generation.pk)
    state, items = outcome(generation)
    assert state == "finished"
    assert sorted(items) == [("done", 3, "")] * 3 + [("failed", 3, "The worker was lost 3 times while working on it.")]
    assert generation.items.failed().get().pk == guilty


class Breaking(ReleaseJob):
    def execute(self, lease):
        raise self.error


def test_work_without_a_loop_keeps_to_the_same_policy():
    for error, ended in (
        (ZeroDivisionError(), ("failed", 3, BROKEN)),
        (ItemError("no."), ("failed", 1, "No.")),
        (PostponedError(timedelta(hours=1)), ("waiting", 0, "")),
    ):
        release = make_release(1)
        kind = Breaking()
        kind.error = error
        work_on(kind, release.pk)
        assert Release.objects.values_list("state", "attempts", "error").get(pk=release.pk) == ended
        release.version.dataset.delete()


def test_one_failed_renewal_does_not_end_renewal(settings):
    settings.RUN_LEASE_SECONDS = 0.04
    renewed = []

    def renew():
        renewed.append(len(renewed))
        if len(renewed) == 1:
            raise OperationalError("database is locked")

    with renewing(renew):
        wait_until(lambda: len(renewed) > 2, "it is renewed again")
