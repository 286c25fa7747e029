"""Statements that the ORM would take longer to write than the database to answer: sent as they are (bench/workbench).

PostgreSQL is another process: a small statement takes longer on its way there and back than in it. What does not wait
for each other's answers is asked `together`, and then all of it is one way there and one back.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections

Found = TypeVar("Found")
Rows: TypeAlias = list[tuple[Any, ...]]
Params: TypeAlias = Sequence[Any] | Mapping[str, Any]
# Called for what was found: of several statements asked together once all of them are.
Answer: TypeAlias = Callable[[], Found]


@contextmanager
def together() -> Iterator[None]:
    """What is asked within (`ask`, `tell`) is answered when the block ends; raises then what went wrong in any of it.

    SQLite, which is no way off, answers each as it comes. Query sets know nothing of this: none in the block. Writing
    needs a transaction around it: what is wrong as that ends would be heard by nobody here.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql":
        yield
        return
    _connect(connection)
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def ask(sql: str, params: Params, plan: bool = True) -> Answer[Rows]:
    """A statement that finds rows; without `plan` PostgreSQL keeps none of it: for one of many forms."""
    return _sent(sql, params, lambda cursor: cursor.fetchall(), plan)


def tell(sql: str, params: Params) -> Answer[int]:
    """A statement that writes, answered by how many rows it wrote."""
    return _sent(sql, params, lambda cursor: cursor.rowcount)


def _sent(sql: str, params: Params, read: Callable[[Any], Found], plan: bool = True) -> Answer[Found]:
    connection = connections[DEFAULT_DB_ALIAS]  # looked up once: each look takes as long as a small part of a statement
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            found = read(cursor)
        return lambda: found
    from psycopg import Cursor  # which nobody needs without PostgreSQL

    _connect(connection)
    # Unlike Django's it leaves the values to the server, so that a statement's plan is kept there.
    with connection.wrap_database_errors:
        served = Cursor(connection.connection)
        served.execute(sql, params, prepare=None if plan else False)
    return cache(lambda: read(served))  # which a cursor tells once


def _connect(connection: Any) -> None:
    connection.close_if_health_check_failed()
    connection.ensure_connection()
