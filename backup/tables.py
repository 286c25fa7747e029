"""The rows of every table, as lists of JSON values that SQLite and PostgreSQL take alike."""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from typing import Any, TypeAlias
from uuid import UUID

from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Field, FileField, ForeignKey, JSONField, Model

from core.errors import RowError

Column: TypeAlias = "Field[Any, Any]"
ROWS_AT_ONCE = 200
# Rows that `migrate` itself makes.
MADE_BY_MIGRATE = {"contenttypes.contenttype", "auth.permission"}
# Rows that follow from others: triggers note while these are restored what is to be counted anew.
COUNTED_ANEW = {"annotate.casecount", "annotate.casechange"}


def models() -> list[type[Model]]:
    """All that have a table of their own, but for COUNTED_ANEW."""
    every = apps.get_models(include_auto_created=True)
    kept = (model for model in every if model._meta.label_lower not in COUNTED_ANEW)
    return [model for model in kept if model._meta.managed and not model._meta.proxy]


def columns_of(model: type[Model]) -> list[Column]:
    return list(model._meta.local_concrete_fields)


def column_names(model: type[Model]) -> list[str]:
    return [str(field.column) for field in columns_of(model)]


def file_fields() -> list[tuple[type[Model], FileField]]:
    return [(model, field) for model in models() for field in columns_of(model) if isinstance(field, FileField)]


def named_files() -> list[tuple[Any, str]]:
    """The file columns and the names in them, each name once."""
    found: dict[str, Any] = {}
    for model, field in file_fields():
        for name in model._base_manager.exclude(**{field.attname: ""}).values_list(field.attname, flat=True):
            found[name] = field
    return [(field, name) for name, field in sorted(found.items())]


def applied_migrations() -> list[str]:
    """Such as "annotate.0001_initial", in alphabetical order: those of this version. Older databases know of more."""
    known = MigrationLoader(None).disk_migrations
    return sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations() if key in known)


@contextmanager
def snapshot() -> Iterator[None]:
    """All that is read inside is as it was at the first read; nobody waits for it."""
    if connection.vendor == "sqlite":
        # By hand: the transactions that Django begins here take the lock of writers.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def read_rows(model: type[Model]) -> Iterator[bytes]:
    """A line of JSON for each row, by primary key: the values of its columns."""
    names = [field.attname for field in columns_of(model)]
    for row in model._base_manager.order_by("pk").values_list(*names).iterator(chunk_size=ROWS_AT_ONCE):
        # PostgreSQL keeps no order of the keys of an object.
        yield json.dumps(row, default=_encode, separators=(",", ":"), sort_keys=True).encode() + b"\n"


def _encode(value: object) -> str:
    match value:
        case date():  # a datetime is one too
            return value.isoformat()
        case Decimal() | UUID():
            return str(value)
        case bytes() | memoryview():
            return b64encode(value).decode()
    raise TypeError(f"{type(value)} has no form in a backup")


def write_rows(model: type[Model], lines: Iterable[bytes]) -> int:
    """Insert the rows as they are: no value is made anew. Returns their number; raises RowError, one clause."""
    columns = columns_of(model)
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in columns)
    places = ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({places})"  # noqa: S608 - own names
    number = 0
    with connection.cursor() as cursor:
        remaining = iter(lines)
        while chunk := list(islice(remaining, ROWS_AT_ONCE)):
            cursor.executemany(statement, [_decode(columns, line) for line in chunk])
            number += len(chunk)
    return number


def _decode(columns: list[Column], line: bytes) -> list[Any]:
    try:
        return [_stored(field, value) for field, value in zip(columns, json.loads(line), strict=True)]
    except (ValueError, TypeError, ValidationError) as error:
        raise RowError(f"a row cannot be read ({type(error).__name__})") from None


def _stored(field: Column, value: Any) -> Any:
    typed = field.target_field if isinstance(field, ForeignKey) else field
    if not isinstance(field, JSONField):
        value = datetime.fromisoformat(value) if _is_moment(typed, value) else typed.to_python(value)
    return field.get_db_prep_save(value, connection)


def _is_moment(field: Column, value: Any) -> bool:
    return value is not None and field.get_internal_type() == "DateTimeField"


def filled_tables() -> list[str]:
    """Those that hold rows which `migrate` has not made."""
    others = (model for model in models() if model._meta.label_lower not in MADE_BY_MIGRATE)
    return [model._meta.db_table for model in others if model._base_manager.exists()]


def empty_tables() -> None:
    """Delete every row, in a transaction that checks references at its end."""
    with connection.cursor() as cursor:
        for model in models():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608 - own names


def finish_rows() -> None:
    """Further rows get numbers of their own, and every reference leads to a row, or IntegrityError."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models()):
            cursor.execute(statement)
    connection.check_constraints()
