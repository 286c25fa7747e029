"""Statements whose SQL is written once.

Django writes the SQL of a query anew each time, and takes several times as long for a small one as the database takes
to answer it: two fifths of a submission (bench/workbench). What an annotator waits for at each step is therefore asked
by statements that are written once in each process, from querysets as everywhere else. PostgreSQL plans each of them
once in each connection too, which takes it longer than finding a few rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet, Value
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery

from annotate.database.statements import Answer, Rows, ask, tell

AnyModel = TypeVar("AnyModel", bound=Model)
Filling = int | str | datetime
LARGEST_NUMBER = 2**63 - 1  # in a column of any of the databases
MOST_VALUES = 999  # in a statement of any SQLite


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


class Found(Generic[AnyModel]):
    """What a statement found, made into objects when they are looked at."""

    def __init__(self, plan: Plan, answer: Answer[Rows]) -> None:
        self._plan, self._answer = plan, answer

    def all(self) -> list[AnyModel]:
        rows: Any = self._answer()
        if self._plan.converters:
            rows = self._plan.compiler.apply_converters(rows, self._plan.converters)
        return [self._plan.object_of(row) for row in rows]

    def first(self) -> AnyModel | None:
        """The first object; None where there is none."""
        return next(iter(self.all()), None)

    def get(self) -> AnyModel:
        """The only object; raises the model's DoesNotExist where there is none."""
        found = self.first()
        if found is None:
            raise self._plan.model.DoesNotExist
        return found


class Prepared(Generic[AnyModel]):
    """A queryset with slots, called with their values: what it finds.

    The queryset gives whole objects, with those of `select_related` and what is annotated; nothing deferred or
    prefetched.
    """

    def __init__(self, write: Callable[[], QuerySet[AnyModel]]) -> None:
        self._write = write

    def __call__(self, **values: Filling) -> Found[AnyModel]:
        plan = self._plan
        if any(isinstance(value, int) and abs(value) > LARGEST_NUMBER for value in values.values()):
            return Found(plan, list)  # as querysets do: an address may hold any number, and no row has this one
        return Found(plan, ask(plan.sql, [_filled(each, values) for each in plan.params]))

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
    """Writes fields of what a queryset with slots finds; called with the values of both, answers in how many rows."""

    def __init__(self, rows: Callable[[], QuerySet[Any]], *fields: str) -> None:
        self._rows, self._fields = rows, fields

    def __call__(self, **values: Any) -> Answer[int]:
        sql, params, fields = self._plan
        stored = {name: field.get_db_prep_save(values[name], connection) for name, field in fields.items()}
        return tell(sql, [_filled(each, values | stored) for each in params])

    @cached_property
    def _plan(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        query: Any = self._rows().query.chain(UpdateQuery)
        query.add_update_values({name: Slot(name) for name in self._fields})
        sql, params = query.get_compiler(using=connection.alias).as_sql()
        return sql, tuple(params), {name: query.get_meta().get_field(name) for name in self._fields}


class Insert(Generic[AnyModel]):
    """Writes new objects of a model, as `bulk_create` does."""

    def __init__(self, model: type[AnyModel]) -> None:
        self._model = model

    def __call__(self, objects: list[AnyModel]) -> Answer[list[AnyModel]]:
        """Answers with the same objects, which have their primary keys then."""
        head, row, fields = self._plan
        answers = []
        for start in range(0, len(objects), self._at_once):
            some = objects[start : start + self._at_once]
            values = [
                field.get_db_prep_save(field.pre_save(each, add=True), connection) for each in some for field in fields
            ]
            sql = f"{head} {', '.join([row] * len(some))} RETURNING id"
            answers.append(ask(sql, values, plan=len(some) == 1))

        def written() -> list[AnyModel]:
            keys = (key for answer in answers for (key,) in answer())
            for each, key in zip(objects, keys, strict=True):
                each.pk = key
                each._state.adding, each._state.db = False, connection.alias
            return objects

        return written

    @cached_property
    def _plan(self) -> tuple[str, str, list[Any]]:
        """The statement up to its values, the slots of one row, and the fields that fill them."""
        table = self._model._meta
        fields = [field for field in table.concrete_fields if not field.primary_key]
        columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
        head = f"INSERT INTO {connection.ops.quote_name(table.db_table)} ({columns}) VALUES"
        return head, f"({', '.join(['%s'] * len(fields))})", fields

    @cached_property
    def _at_once(self) -> int:
        """Rows whose values a statement of either database takes."""
        return MOST_VALUES // len(self._plan[2])


def _filled(param: Any, values: Mapping[str, Filling]) -> Any:
    """The parameter as the database takes it."""
    if not isinstance(param, Slot):
        return param
    value = values[param.value]
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
