"""Queries, updates and inserts whose SQL Django writes once in each process (docs/prepared-queries.md).

For a small query Django takes several times as long to write the SQL as the database takes to answer it. An annotator
waits for some twenty of them at each step.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, QuerySet, Value
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery

from core.numbers import LARGEST_NUMBER

AnyModel = TypeVar("AnyModel", bound=Model)
Param = int | str | datetime
# So many parameters each SQLite takes in one statement.
SQLITE_PARAMS = 999


class Slot(Value):
    """The place of a named parameter in the queryset of a prepared query."""

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", (self,)


@dataclass(frozen=True)
class Plan:
    """A statement, and what `ModelIterable` works out for each query: how a row becomes an object of the model."""

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
        instance = self.model.from_db(DEFAULT_DB_ALIAS, self.names, row[self.columns])
        for populator in self.related:
            populator.populate(row, instance)
        for name, column in self.annotations.items():
            setattr(instance, name, row[column])
        return instance


class Prepared(Generic[AnyModel]):
    """A queryset with slots, run with their values.

    The queryset gives objects with those of `select_related` and annotations; nothing prefetched.
    """

    def __init__(self, build: Callable[[], QuerySet[AnyModel]]) -> None:
        self._build = build

    def all(self, **values: Param) -> list[AnyModel]:
        """The objects of the queryset; none where a number is larger than any column holds, as of querysets."""
        plan = self._plan
        if any(isinstance(value, int) and value > LARGEST_NUMBER for value in values.values()):
            return []
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            cursor.execute(plan.sql, [_filled(param, values, database) for param in plan.params])
            rows: Any = cursor.fetchall()
        if plan.converters:
            rows = plan.compiler.apply_converters(rows, plan.converters)
        return [plan.object_of(row) for row in rows]

    def first(self, **values: Param) -> AnyModel | None:
        return next(iter(self.all(**values)), None)

    def get(self, **values: Param) -> AnyModel:
        """The only object; raises the model's DoesNotExist where there is none."""
        instance = self.first(**values)
        if instance is None:
            raise self._plan.model.DoesNotExist
        return instance

    @cached_property
    def _plan(self) -> Plan:
        compiler = self._build().query.get_compiler(using=DEFAULT_DB_ALIAS)
        sql, params = compiler.as_sql()
        select, class_info = compiler.select, compiler.klass_info
        columns = slice(class_info["select_fields"][0], class_info["select_fields"][-1] + 1)
        return Plan(
            sql=sql,
            params=params,
            compiler=compiler,
            converters=compiler.get_converters([each[0] for each in select]),
            model=class_info["model"],
            columns=columns,
            names=[each[0].target.attname for each in select[columns]],
            related=get_related_populators(class_info, select, DEFAULT_DB_ALIAS),  # type: ignore[call-arg]
            annotations=compiler.annotation_col_map or {},
        )


class PreparedUpdate:
    """An update of these columns in the rows of a queryset with slots."""

    def __init__(self, build: Callable[[], QuerySet[Any]], *columns: str) -> None:
        self._build, self._columns = build, columns

    def run(self, new: Mapping[str, Any], **values: Param) -> int:
        """Write the new value of each column, and return the number of rows."""
        sql, fields, conditions = self._plan
        database = connections[DEFAULT_DB_ALIAS]
        written = [field.get_db_prep_save(new[field.name], database) for field in fields]
        with database.cursor() as cursor:
            cursor.execute(sql, [*written, *(_filled(param, values, database) for param in conditions)])
            rows: int = cursor.rowcount
        return rows

    @cached_property
    def _plan(self) -> tuple[str, list[Any], tuple[Any, ...]]:
        """The statement, the fields of its first parameters, and the others."""
        queryset = self._build()
        query: Any = queryset.query.chain(UpdateQuery)
        query.add_update_values({name: Slot(name) for name in self._columns})
        sql, params = query.get_compiler(using=DEFAULT_DB_ALIAS).as_sql()
        fields = [queryset.model._meta.get_field(name) for name in self._columns]
        return sql, fields, params[len(fields) :]


class PreparedInsert(Generic[AnyModel]):
    """An insert of new objects of a model, as `bulk_create` does it: their fields are written, no signal is sent."""

    def __init__(self, model: type[AnyModel]) -> None:
        self._model = model

    def run(self, objects: Sequence[AnyModel]) -> None:
        """Write the objects, which get their keys."""
        head, row, tail, fields = self._plan
        database = connections[DEFAULT_DB_ALIAS]
        at_a_time = SQLITE_PARAMS // len(fields)
        for start in range(0, len(objects), at_a_time):
            some = objects[start : start + at_a_time]
            params = [field.get_db_prep_save(field.pre_save(each, True), database) for each in some for field in fields]
            with database.cursor() as cursor:
                cursor.execute(f"{head}{', '.join([row] * len(some))}{tail}", params)
                keys: Any = cursor.fetchall()
            for each, (key,) in zip(some, keys, strict=True):
                each.pk, each._state.adding, each._state.db = key, False, DEFAULT_DB_ALIAS

    @cached_property
    def _plan(self) -> tuple[str, str, str, list[Any]]:
        """The statement before, for and after the rows, and the fields of a row."""
        options: Any = self._model._meta
        quoted = connections[DEFAULT_DB_ALIAS].ops.quote_name
        fields = [field for field in options.concrete_fields if not field.primary_key]
        columns = ", ".join(quoted(field.column) for field in fields)
        row = f"({', '.join(['%s'] * len(fields))})"
        head = f"INSERT INTO {quoted(options.db_table)} ({columns}) VALUES "  # noqa: S608 - names of the model
        return head, row, f" RETURNING {quoted(options.pk.column)}", fields


def _filled(param: Any, values: Mapping[str, Param], database: BaseDatabaseWrapper) -> Any:
    """The parameter as the database takes it."""
    if not isinstance(param, Slot):
        return param
    value = values[param.value]
    return database.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
