"""What every test may use."""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

from audit.triggers import create_triggers, drop_triggers
from core.caching import memory
from llm.weights import PACKAGES
from tests.fake_openai import FakeOpenAI, fake_openai
from tests.migrated import made_once, make_data_folder, shared_folder
from tests.slow import is_slow
from tests.summary import Summary
from tests.sweeps import PARTS, is_left_out, part_of_commit

# A module that has one of these has what takes long to make: one process makes it, for all tests of the module.
MADE_FOR_A_MODULE = {"module_db", "site"}
MARKED_FOLDERS = {"tests/browser": "browser", "tests/services": "services"}
USUAL_REQUESTS = 1_000
LONGEST_IN_BROWSER = "tests/browser/test_every_page.py"
# Characters of a text in the name of a test that has it as its parameter.
LONGEST_NAME = 200
PUBLISHED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"

# pytest and the processes that tests start keep what they compile, whatever the shell says: it takes longer than
# collecting all tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A slow machine fails no test.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--requests",
        type=int,
        default=USUAL_REQUESTS,
        help=f"of each test in tests/security (default {USUAL_REQUESTS})",
    )
    parser.addoption("--whole", action="store_true", help="take all of the tests that tests/sweeps.py lists, not some")
    parser.addoption("--part", type=int, help=f"of the long sweeps, 0 to {PARTS - 1} (default: by the commit)")
    parser.addoption("--seed", type=int, help="of what the tests in tests/security draw (default: the part)")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.part is None:
        config.option.part = part_of_commit()
    if config.option.seed is None:
        config.option.seed = config.option.part
    config.pluginmanager.register(Summary())


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A long text does not name its test: each process would escape, send and keep it."""
    is_long = isinstance(val, str | bytes) and len(val) > LONGEST_NAME
    return f"{argname} of {len(val)}" if is_long else None


def _turn(item: pytest.Item) -> int:
    """Of browser tests the longest module first, or the others would wait for it at the end."""
    if not item.nodeid.startswith("tests/browser/"):
        return 0
    return 1 if item.nodeid.startswith(LONGEST_IN_BROWSER) else 2


# First, so that `-m` finds the marks that are set here.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of long sweeps some are taken. Browser tests come last, each module as one: where Playwright has been, an event
    loop goes on running, and no test after it could start one of its own."""
    if left_out := [item for item in items if is_left_out(item)]:
        config.hook.pytest_deselected(items=left_out)
        left = set(left_out)
        items[:] = [item for item in items if item not in left]
    items.sort(key=_turn)
    for item in items:
        module = item.nodeid.partition("::")[0]
        folder = "/".join(module.split("/", 2)[:2])
        if folder in MARKED_FOLDERS:
            item.add_marker(MARKED_FOLDERS[folder])
        if folder == "tests/browser" or not MADE_FOR_A_MODULE.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(module))
        if is_slow(item):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose SQLite database holds every table and no row: to be copied, not to be written to."""
    return made_once(shared_folder(tmp_path_factory) / "migrated", make_data_folder)


@pytest.fixture(scope="session")
def django_db_setup(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The database in memory is a copy of the migrated one; on PostgreSQL, see tests/settings.py."""
    if connection.vendor != "sqlite":
        return
    migrated = request.getfixturevalue("migrated")
    with django_db_blocker.unblock(), closing(sqlite3.connect(migrated / "db.sqlite3")) as source:
        connection.ensure_connection()
        source.backup(connection.connection)


@pytest.fixture(scope="session", autouse=True)
def emptied_after_tests_with_transactions() -> None:
    """Django empties all tables after such a test, the audit log too, whose triggers refuse that on SQLite."""
    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    def flush_all(self: Any, statements: list[str]) -> None:
        if self.connection.vendor != "sqlite":
            flush(self, statements)
            return
        drop_triggers(self.connection)
        flush(self, statements)
        create_triggers(self.connection)

    operations.execute_sql_flush = flush_all


@pytest.fixture(autouse=True)
def _nothing_computed_yet() -> None:
    """Rows of rolled-back tests share their keys, and computed values are kept by them."""
    memory.clear()


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database for what a module makes once: each of its tests finds it as it was, and no other module finds it.

    For modules whose tests need no transactions of their own."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of the published datasets; a test that needs it skips where it is not there."""
    if not PUBLISHED.is_dir():
        pytest.skip("the published datasets are not at ../shared/data")
    return PUBLISHED


@pytest.fixture(scope="session")
def neural(must_run: bool) -> None:
    """The packages that run a model of one's own: a test that needs them skips where they are not installed."""
    if not all(find_spec(package) for package in PACKAGES):
        (pytest.fail if must_run else pytest.skip)('the extra "neural" is not installed: make neural')


@pytest.fixture(scope="session")
def must_run() -> bool:
    """True where a missing service or browser is a failure, not a skip: in continuous integration."""
    return os.environ.get("TOUCHSTONE_TEST_ALL", "") == "1"


@pytest.fixture(scope="session")
def running_model() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture
def model(running_model: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> FakeOpenAI:
    """The default endpoint, for this test."""
    running_model.reset()
    monkeypatch.setenv("OPENAI_BASE_URL", running_model.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "a key for tests")
    return running_model
