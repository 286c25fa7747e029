"""Everything that a database has been told of its tables, in no order: columns, indexes, constraints and triggers."""

import re

from django.db import connection

SQLITE = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
POSTGRESQL = {
    "column": "SELECT table_name, column_name, udt_name, character_maximum_length, numeric_precision, numeric_scale, "
    "is_nullable, column_default, is_identity FROM information_schema.columns WHERE table_schema = 'public'",
    "constraint": "SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE connamespace = 'public'::regnamespace AND contype <> 'n'",
    "index": "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "trigger": "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "function": "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
}
# PostgreSQL writes these in other places once a database has been dumped and restored, as those of tests have.
CASTS_AND_BRACKETS = re.compile(r"::(?:text|character varying)(?:\[\])?|[()]")


def read_schema() -> list[str]:
    """A line for each piece."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(SQLITE)
            return sorted(f"{name}: {piece}" for name, statement in cursor.fetchall() for piece in pieces_of(statement))
        lines = []
        for kind, query in POSTGRESQL.items():
            cursor.execute(query)
            lines += [CASTS_AND_BRACKETS.sub("", f"{kind}: {' '.join(map(str, row))}") for row in cursor.fetchall()]
        return sorted(lines)


def pieces_of(statement: str) -> list[str]:
    """The columns and constraints of a table, which SQLite keeps as they were written; else the whole."""
    if not statement.startswith("CREATE TABLE"):
        return [statement]
    return statement.partition("(")[2].removesuffix(")").split(", ")
