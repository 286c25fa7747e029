"""Rows straight into a table, for the tables that get most of an import's rows.

`bulk_create` makes a model of every row and a new SQL text of every batch: for the 4,426 segments of FELM that takes
three times as long, and SQLite keeps the texts bound to the last 128 statements in memory.
"""

from collections.abc import Iterable, Sequence

from django.db import connection
from django.db.models import Field, Model

# Types that both databases take as they are; JSON as text, times by connection.ops.adapt_datetimefield_value.
Stored = str | int | float | bool | None


def insert_rows(
    model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Stored]], *, pass_over: bool = False
) -> None:
    """Insert rows that give the named fields in their order, as the database stores them.

    pass_over: a row whose unique fields are there already is left out; else it is an IntegrityError.

    Defaults are not filled in: every field that has no default in the database must be named.
    """
    quote = connection.ops.quote_name
    columns = ", ".join(quote(column_of(model, name)) for name in names)
    places = ", ".join(["%s"] * len(names))
    table = quote(model._meta.db_table)
    known = " ON CONFLICT DO NOTHING" if pass_over else ""
    with connection.cursor() as cursor:
        # Only names from the models enter the text; values are bound.
        cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places}){known}", list(rows))  # noqa: S608


def column_of(model: type[Model], name: str) -> str:
    field = model._meta.get_field(name)
    if not isinstance(field, Field) or field.column is None:
        raise TypeError(f"{name} is no column of {model._meta.label}")
    return field.column
