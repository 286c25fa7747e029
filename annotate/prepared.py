"""Statements whose SQL is written once.

Django writes the SQL of a query anew each time, and takes several times as long for a small one as the database takes
to answer it: two fifths of a submission (bench/workbench). What an annotator waits for at each step is therefore asked
by statements that are written once in each process, from querysets as everywhere else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet, Value
from django.db.models.query import get_related_populators

AnyModel = TypeVar("AnyModel", bound=Model)
Filling = int | str | datetime
LARGEST_NUMBER = 2**63 - 1  # in a column of any of the databases


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

    def object_of(self, row: Any) -> Any:
        found = self.model.from_db(connection.alias, self.names, row[self.columns])
        for populator in self.related:
            populator.populate(row, found)
        return found


class Prepared(Generic[AnyModel]):
    """A queryset with slots, called with their values: the objects it finds.

    The queryset gives whole objects, with those of `select_related`; nothing deferred, annotated or prefetched.
    """

    def __init__(self, write: Callable[[], QuerySet[AnyModel]]) -> None:
        self._write = write

    def __call__(self, **values: Filling) -> list[AnyModel]:
        if any(isinstance(value, int) and abs(value) > LARGEST_NUMBER for value in values.values()):
            return []  # as querysets do: an address may hold any number, and no row has this one
        plan = self._plan
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, [_filled(each, values) for each in plan.params])
            rows = cursor.fetchall()
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
        sql, params = compiler.as_sql()
        select, made_of = compiler.select, compiler.klass_info
        columns = slice(made_of["select_fields"][0], made_of["select_fields"][-1] + 1)
        return Plan(
            sql=sql,
            params=tuple(params),
            compiler=compiler,
            converters=compiler.get_converters([each[0] for each in select]),
            model=made_of["model"],
            columns=columns,
            names=[each[0].target.attname for each in select[columns]],
            related=get_related_populators(made_of, select, connection.alias),  # type: ignore[call-arg]
        )


def _filled(param: Any, values: Mapping[str, Filling]) -> Any:
    """The parameter as the database takes it."""
    if not isinstance(param, Slot):
        return param
    value = values[param.value]
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
