"""What no request can do without: the database with all its tables, and the broker."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from django.db import Error as DatabaseFailure
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

if TYPE_CHECKING:
    from kombu.connection import Connection

BROKER_SECONDS = 2


class BrokerError(Exception):
    """The broker does not answer within seconds; the message says why."""


def ask_database() -> None:
    """Raises django.db.Error where it does not answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def missing_migrations() -> list[tuple[str, str]]:
    """Room and name of each migration that the database lacks. Raises django.db.Error where it does not answer."""
    return sorted(_migrations() - MigrationRecorder(connection).applied_migrations().keys())


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    """Those of the code: they do not change while a process lives."""
    return frozenset(MigrationLoader(None).graph.nodes)


@contextmanager
def connected_broker() -> Iterator["Connection"]:
    """Raises BrokerError."""
    from kombu.exceptions import ChannelError, OperationalError

    from config.celery import app

    try:
        with app.connection_for_write(connect_timeout=BROKER_SECONDS) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0)
            yield broker
    except (ChannelError, OperationalError, OSError) as failure:
        raise BrokerError(str(failure)) from failure


def ask_broker() -> None:
    """Raises BrokerError where it does not answer."""
    with connected_broker():
        pass


def is_database_there() -> bool:
    try:
        ask_database()
    except DatabaseFailure:
        return False
    return True


def is_migrated() -> bool:
    try:
        return not missing_migrations()
    except DatabaseFailure:
        return False


def is_broker_there() -> bool:
    try:
        ask_broker()
    except BrokerError:
        return False
    return True
