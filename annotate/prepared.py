"""Statements whose SQL is written once.

Django writes the SQL of a query anew each time, and takes several times as long for a small one as the database takes
to answer it: two fifths of a submission (bench/workbench). What an annotator waits for at each step is therefore asked
by statements that are written once in each process, from querysets as everywhere else. PostgreSQL plans each of them
once in each connection too, which takes it longer than finding a few rows.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet, Value
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery

AnyModel = TypeVar("AnyModel", bound=Model)
Filling = int | str | datetime
LARGEST_NUMBER = 2**63 - 1  # in a column of any of the databases


def rows_of(sql: str, params: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """What a statement finds that is asked again and again."""
    with _cursor() as cursor:
        cursor.execute(sql, params)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def execute(sql: str, params: Sequence[Any] | Mapping[str, Any]) -> int:
    """The same of a statement that writes: in how many rows."""
    with _cursor() as cursor:
        cursor.execute(sql, params)
        number: int = cursor.rowcount
    return number


@contextmanager
def _cursor() -> Iterator[Any]:
    """On PostgreSQL one that leaves the values to the server, so that a statement's plan is kept there."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            yield cursor
        return
    from psycopg import Cursor  # which nobody needs without PostgreSQL

    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors, Cursor(connection.connection) as planned:
        yield planned


class Slot(Value):
    """Where a statement takes a value, by name."""

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", (self,)


@dataclass(frozen=True)
class Plan:
    """A statement, and how a model's object is made of a row: what `ModelIterable` works out for each query."""

    sql: str
    params: tuple[Any, ...]
    compiler: Any
    converters: dict[int, Any]
    model: Any
    columns: slice
    names: list[str]
    related: list[Any]
    annotations: dict[str, int]

    def object_of(self, row: Any) -> Any:
        found = self.model.from_db(connection.alias, self.names, row[self.columns])
        for populator in self.related:
            populator.populate(row, found)
        for name, column in self.annotations.items():
            setattr(found, name, row[column])
        return found


class Prepared(Generic[AnyModel]):
    """A queryset with slots, called with their values: the objects it finds.

    The queryset gives whole objects, with those of `select_related` and what is annotated; nothing deferred or
    prefetched.
    """

    def __init__(self, write: Callable[[], QuerySet[AnyModel]]) -> None:
        self._write = write

    def __call__(self, **values: Filling) -> list[AnyModel]:
        if any(isinstance(value, int) and abs(value) > LARGEST_NUMBER for value in values.values()):
            return []  # as querysets do: an address may hold any number, and no row has this one
        plan = self._plan
        rows: Any = rows_of(plan.sql, [_filled(each, values) for each in plan.params])
        if plan.converters:
            rows = plan.compiler.apply_converters(rows, plan.converters)
        return [plan.object_of(row) for row in rows]

    def first(self, **values: Filling) -> AnyModel | None:
        """The first object; None where there is none."""
        return next(iter(self(**values)), None)

    def get(self, **values: Filling) -> AnyModel:
        """The only object; raises the model's DoesNotExist where there is none."""
        found = self.first(**values)
        if found is None:
            raise self._plan.model.DoesNotExist
        return found

    @cached_property
    def _plan(self) -> Plan:
        compiler = self._write().query.get_compiler(using=connection.alias)
        sql, params = _with_constants(*compiler.as_sql())
        select, made_of = compiler.select, compiler.klass_info
        columns = slice(made_of["select_fields"][0], made_of["select_fields"][-1] + 1)
        return Plan(
            sql=sql,
            params=params,
            compiler=compiler,
            converters=compiler.get_converters([each[0] for each in select]),
            model=made_of["model"],
            columns=columns,
            names=[each[0].target.attname for each in select[columns]],
            related=get_related_populators(made_of, select, connection.alias),  # type: ignore[call-arg]
            annotations=compiler.annotation_col_map or {},
        )


def _with_constants(sql: str, params: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    """The statement with the texts of the queryset itself, such as a state: a plan that is kept goes by how rare they
    are, which among 100,000 assignments is the difference between a look and a search."""
    first, *rest = sql.split("%s")
    written, left = first, []
    for param, following in zip(params, rest, strict=True):
        if isinstance(param, str):
            written += "'" + param.replace("'", "''").replace("%", "%%") + "'" + following
        else:
            written += "%s" + following
            left.append(param)
    return written, tuple(left)


class Update:
    """Writes fields of what a queryset with slots finds; called with the values of both, how many rows that were."""

    def __init__(self, rows: Callable[[], QuerySet[Any]], *fields: str) -> None:
        self._rows, self._fields = rows, fields

    def __call__(self, **values: Any) -> int:
        sql, params, fields = self._plan
        stored = {name: field.get_db_prep_save(values[name], connection) for name, field in fields.items()}
        return execute(sql, [_filled(each, values | stored) for each in params])

    @cached_property
    def _plan(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        query: Any = self._rows().query.chain(UpdateQuery)
        query.add_update_values({name: Slot(name) for name in self._fields})
        sql, params = query.get_compiler(using=connection.alias).as_sql()
        return sql, tuple(params), {name: query.get_meta().get_field(name) for name in self._fields}


def _filled(param: Any, values: Mapping[str, Filling]) -> Any:
    """The parameter as the database takes it."""
    if not isinstance(param, Slot):
        return param
    value = values[param.value]
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
