"""Every kind of work on real services: whatever fails around it, each result is there exactly once."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from jobs.kinds import KINDS
from tests.fake_openai import FakeOpenAI
from tests.jobs.kinds import EXAMPLES
from tests.processes import Ended, call, run
from tests.services import job_lab
from tests.services.conftest import House, free_port, redis_server
from tests.services.lab import PATIENT
from tests.services.test_run_faults import END_CONNECTIONS
from tests.waiting import LONGEST, wait_until

ITEMS = 24
# As Django writes a time on SQLite, where times are compared as texts.
LONG_AGO = "2001-01-01 00:00:00"


@dataclass
class Work:
    """One job of a kind in a house, whose items can be held up in the middle of their work."""

    house: House
    model: FakeOpenAI
    name: str
    key: int = 0

    def __post_init__(self) -> None:
        kind = KINDS[self.name]
        self.items, self.jobs = kind.items._meta.db_table, kind.job._meta.db_table if kind.job else None
        self.job_key = kind.job._meta.pk.column if kind.job else "id"
        self.done = "finished" if kind.job else "done"

    def work(self, largest_file: int | None = None) -> Ended:
        """Work on it to its end in a process of its own, which cannot write a file beyond so many bytes."""
        words = ("tests.services.job_lab.work", self.name, self.key, largest_file)
        return run(call, *words, environment=self.house.environment)

    def make(self, items: int = ITEMS) -> "Work":
        self.key = self.house.call(job_lab.make, self.name, items)
        self.expected = items
        return self

    def enqueue(self) -> bool:
        return self.house.call(job_lab.enqueue, self.name, self.key)

    @property
    def hold_file(self) -> Path:
        return Path(self.house.environment["DATA_DIR"]) / "hold"

    def hold(self) -> None:
        """Let a quarter of the items that ask a model get their answers, and the others wait."""
        self.hold_file.touch()
        self.model.control(answers=self.model.stats()["total"] + self.expected // 4)

    def release(self) -> None:
        self.hold_file.unlink(missing_ok=True)
        self.model.control(answers=None)

    def leased(self) -> int:
        return self.house.count(self.items, "state = 'leased'")

    def wait_for_leases(self) -> None:
        wait_until(lambda: self.leased() > 0, "items are leased", LONGEST)

    def let_time_pass(self) -> None:
        """As if no worker lived to renew the leases, and the queue had got the key long ago."""
        self.house.write(f"update {self.items} set lease_until = '{LONG_AGO}' where state = 'leased'")
        self.house.write(f"update {self.jobs or self.items} set enqueued_at = null")
        for table in EXAMPLES[self.name].locks:
            self.house.write(f"update {table} set beat_at = '{LONG_AGO}' where beat_at is not null")

    def state(self) -> str:
        """Of the job, or of all items where there is none; "several" where they differ."""
        if self.jobs:
            return self.house.ask(f"select state from {self.jobs} where {self.job_key} = {self.key}")[0][0]
        states = self.house.ask(f"select distinct state from {self.items}")
        return states[0][0] if len(states) == 1 else "several"

    def wait_for_end(self) -> None:
        wait_until(lambda: self.state() == self.done, "it has ended", LONGEST)
        self.check()

    def check(self) -> None:
        assert self.state() == self.done
        assert self.house.count(self.items, "state <> 'done'") == 0
        assert self.house.call(job_lab.results, self.name) == self.expected


@pytest.fixture(params=sorted(EXAMPLES))
def name(request) -> str:
    return request.param


@pytest.fixture
def make_work(make_house, model, name) -> Callable[..., Work]:
    def make(**environment: str) -> Work:
        return Work(make_house(**environment), model, name)

    return make


@pytest.fixture
def work(request, make_work, name) -> Work:
    """One kind of work on SQLite, the next on PostgreSQL: each behaviour is seen on both. A kind that is seen on one of
    them is seen on the other in the next part (tests/sweeps.py)."""
    if (sorted(EXAMPLES).index(name) + request.config.getoption("part")) % 2 == 0:
        return make_work()
    return make_work(
        DATABASE_URL=request.getfixturevalue("postgres_url"), CELERY_BROKER_URL=request.getfixturevalue("redis_url")
    )


def test_a_worker_killed_twice_loses_nothing_and_doubles_nothing(work):
    work.house.environment["RUN_LEASE_SECONDS"] = PATIENT
    work.make()
    for _ in range(2):
        work.hold()
        worker = work.house.start_worker(slow=True)
        work.wait_for_leases()
        work.house.kill(worker)
        work.let_time_pass()
    work.release()
    work.house.start_worker()
    work.wait_for_end()


def test_an_item_that_loses_its_worker_each_time_fails_with_that_reason(make_work):
    work = make_work(RUN_LEASE_SECONDS=PATIENT).make(1)
    attempts = KINDS[work.name].max_attempts
    work.hold_file.touch()
    work.model.control(answers=work.model.stats()["total"])
    for attempt in range(1, attempts + 1):
        worker = work.house.start_worker(slow=True)
        # The lease of the worker before is still there when this one starts.
        taken = f"state = 'leased' and attempts = {attempt}"
        wait_until(lambda taken=taken: work.house.count(work.items, taken) == 1, "the item is leased anew", LONGEST)
        work.house.kill(worker)
        work.let_time_pass()
    work.house.start_worker()
    wait_until(lambda: work.house.count(work.items, "state = 'failed'") == 1, "the item has failed", LONGEST)
    reason = f"The worker was lost {attempts} times while working on it."
    assert work.house.ask(f"select error from {work.items}") == [(reason,)]


def test_a_queue_that_is_emptied_holds_up_nothing(make_work):
    work = make_work().make()
    assert work.enqueue()
    messages = list((Path(work.house.environment["DATA_DIR"]) / "queue" / "messages").iterdir())
    assert messages
    for message in messages:
        message.unlink()
    work.house.start_worker()
    work.wait_for_end()


def test_a_broker_that_is_away_and_comes_back_empty_holds_up_nothing(make_work, redis_program, postgres_url, tmp_path):
    port = free_port()
    work = make_work(CELERY_BROKER_URL=f"redis://127.0.0.1:{port}/0", DATABASE_URL=postgres_url).make()
    with redis_server(redis_program, port, tmp_path):
        assert work.enqueue()
    assert not work.enqueue()
    with redis_server(redis_program, port, tmp_path):
        work.house.start_worker()
        work.wait_for_end()


def test_a_database_that_ends_every_connection_loses_and_doubles_nothing(make_work, redis_url, postgres_url):
    work = make_work(CELERY_BROKER_URL=redis_url, DATABASE_URL=postgres_url).make()
    work.hold()
    work.house.start_worker(slow=True)
    work.enqueue()
    work.wait_for_leases()
    with psycopg.connect(postgres_url, autocommit=True) as database:
        database.execute(END_CONNECTIONS)
    work.release()
    work.wait_for_end()


FULL = 300_000  # bytes


@contextmanager
def long_log(work: Work) -> Iterator[None]:
    """The write-ahead log of SQLite is longer than FULL: a reader keeps it from being begun anew."""
    file = Path(work.house.environment["DATA_DIR"]) / "db.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None, timeout=LONGEST)) as reader:
        reader.execute("begin")
        reader.execute(f"select count(*) from {work.items}").fetchall()
        work.house.write("create table filler (content blob)")
        work.house.write(f"insert into filler values (zeroblob({FULL}))")
        assert file.with_name("db.sqlite3-wal").stat().st_size > FULL
        yield


def check_spared(work: Work, stopped: Ended) -> None:
    """Stopped by the database; no item has failed, and the work goes on to the same end."""
    assert stopped.returncode != 0
    assert "OperationalError" in stopped.stderr
    assert work.house.count(work.items, "state = 'failed'") == 0
    assert work.state() != work.done


def test_a_full_disk_under_sqlite_spares_every_item(make_work):
    work = make_work(RUN_LEASE_SECONDS="2").make()
    with long_log(work):
        check_spared(work, work.work(largest_file=FULL))
    work.house.start_worker()
    work.wait_for_end()


def test_a_full_disk_under_postgresql_spares_every_item(make_work, redis_url, disk):
    work = make_work(CELERY_BROKER_URL=redis_url, DATABASE_URL=disk.database).make()
    with disk.full():
        stopped = work.work()
    if stopped.returncode == 0:  # what it writes fits into pages that the database has already
        work.check()
        return
    check_spared(work, stopped)
    work.house.start_worker()
    work.wait_for_end()


def test_several_that_work_on_it_at_once_end_it_once(make_work, postgres_url):
    work = make_work(DATABASE_URL=postgres_url, RUN_LEASE_SECONDS=PATIENT).make()
    with ThreadPoolExecutor(3) as processes:
        ended = list(processes.map(lambda _: work.work(), range(3)))
    assert [process.returncode for process in ended] == [0, 0, 0], [process.stderr for process in ended]
    work.check()
    if EXAMPLES[work.name].asks:
        assert work.model.stats()["total"] == ITEMS


def test_long_work_that_holds_every_place_does_not_delay_short_work(make_house, model, tmp_path):
    house = make_house(RUN_LEASE_SECONDS=PATIENT)
    jobs = [Work(house, model, "generation").make() for _ in range(2)]
    model.control(answers=0)
    house.start_worker(queues="long")
    house.start_worker(queues="short")
    for job in jobs:
        job.enqueue()
    taken = f"select count(distinct generation_id) from {jobs[0].items} where state = 'leased'"
    wait_until(lambda: house.ask(taken)[0][0] == 2, "both places of the queue long are taken", LONGEST)
    release = Work(house, model, "release").make()
    release.enqueue()
    release.wait_for_end()
    assert [job.state() for job in jobs] == ["asking", "asking"]
