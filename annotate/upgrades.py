"""Refuses a database that cannot be upgraded, before `migrate` changes anything of it."""

from django.core.management.base import CommandError
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

FIRST = ("annotate", "0001_initial")
# Before 0.2.0 the first migrations changed in place; this table came with the last of these changes.
NEWEST_TABLE = "annotate_secondlookrating"


def refuse_old_database(using: str, **_: object) -> None:
    connection = connections[using]
    if FIRST not in MigrationRecorder(connection).applied_migrations():
        return
    if NEWEST_TABLE not in connection.introspection.table_names():
        raise CommandError(
            "The database is of version 0.1.0, which cannot be upgraded: export your data with that version and import "
            "it into an empty database (docs/deploy.md, An upgrade)."
        )
