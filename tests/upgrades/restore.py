"""Brings a stored database of an earlier version to this one, and looks whether all of it is still there.

python -m tests.upgrades.restore STORED     in an empty data folder (DATA_DIR), and into DATABASE_URL where that is set

Prints {"tables": {name: [rows stored, rows now]}, "in_the_way": {name: columns by which code of the stored version
could not write this table}, "pages": {address: status}, "drafts": [[entries stored, entries on
the page, entries after a save, its answer]], "schema": what the database knows of its tables} as JSON; None where a
table is gone.
"""

import json
import lzma
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.db import connections

django.setup()

from django.apps import apps  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.management.color import no_style  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402
from django.db.migrations.loader import MigrationLoader  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

import annotate.urls  # noqa: E402
import evaluators.urls  # noqa: E402
import factor.urls  # noqa: E402
from annotate.models import Assignment, Dataset, User  # noqa: E402
from tests.upgrades.schema import read_schema  # noqa: E402

FILLED_BY_DJANGO = ("django_migrations", "django_content_type", "auth_permission")
OF_DATASET = "datasets/<int:pk>/"
DEMO_SETS = 2
COPIED_AT_ONCE = 500
# What the workbench gives its own script.
SCRIPT = '<script id="page" type="application/json">'


def main(stored: Path) -> None:
    file = settings.DATA_DIR / "db.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(lzma.decompress(stored.read_bytes()).decode())
        before = dict(count_rows(database.cursor(), stored_tables(database)))
        stored_columns = {table: columns_in(database, table) for table in before}
        drafts = database.execute(
            "select id, draft from annotate_assignment where draft <> '{}' order by id"
        ).fetchall()
    if connection.vendor != "sqlite":
        copy_to_server(file)
    call_command("migrate", verbosity=0)
    connection.check_constraints()
    read_every_row()
    with connection.cursor() as cursor:
        after = dict(count_rows(cursor, set(connection.introspection.table_names()) & set(before)))
    tables = {name: [rows, after.get(name)] for name, rows in before.items()}
    in_the_way = dict(columns_in_the_way(stored_columns))
    print(
        json.dumps(
            {
                "tables": tables,
                "in_the_way": in_the_way,
                "pages": dict(open_pages()),
                "drafts": list(open_drafts(drafts)),
                "schema": read_schema(),
            }
        )
    )


def stored_tables(database: sqlite3.Connection) -> set[str]:
    """Every table of the version but those that Django itself fills at a migration."""
    names = {name for (name,) in database.execute("select name from sqlite_master where type = 'table'")}
    return {name for name in names if not name.startswith(("sqlite_", *FILLED_BY_DJANGO))}


def count_rows(cursor: Any, tables: Iterable[str]) -> Iterator[tuple[str, int]]:
    for table in tables:
        cursor.execute(f'select count(*) from "{table}"')
        yield table, cursor.fetchone()[0]


def columns_in(database: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in database.execute(f'pragma table_info("{table}")')}


def columns_in_the_way(stored: dict[str, set[str]]) -> Iterator[tuple[str, list[str]]]:
    """Those that are gone, and new ones that need a value and have none of the database."""
    with connection.cursor() as cursor:
        for table, before in sorted(stored.items()):
            now = connection.introspection.get_table_description(cursor, table)
            needed = {column.name for column in now if not column.null_ok and column.default is None}
            in_the_way = (before - {column.name for column in now}) | (needed - before)
            if in_the_way:
                yield table, sorted(in_the_way)


def copy_to_server(file: Path) -> None:
    """Rows as the version stored them, through its own models, into a server's tables of that version."""
    stored = {"ENGINE": "django.db.backends.sqlite3", "NAME": file}
    connections.databases.update(connections.configure_settings({**connections.databases, "stored": stored}))
    applied = list(MigrationExecutor(connections["stored"]).loader.applied_migrations)
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    executor.migrate(applied)
    models = executor.loader.project_state(applied).apps.get_models(include_auto_created=True)
    with transaction.atomic():
        for model in models:
            table = model._default_manager
            table.all().delete()  # what a migration makes by itself
            rows = list(table.using("stored"))
            table.using("default").bulk_create(rows, batch_size=COPIED_AT_ONCE)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
                cursor.execute(statement)


def read_every_row() -> None:
    for model in apps.get_models(include_auto_created=True):
        for _ in model._base_manager.iterator():
            pass


def open_pages() -> Iterator[tuple[str, int]]:
    """Every page of the datasets of the demo, as an administrator, who may see each."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.filter(is_superuser=True)[0])
    rooms = (annotate.urls, evaluators.urls, factor.urls)
    routes = [str(pattern.pattern) for room in rooms for pattern in room.urlpatterns]
    pages = [route for route in routes if route.startswith(OF_DATASET) and "<" not in route.removeprefix(OF_DATASET)]
    for dataset in Dataset.objects.order_by("pk")[:DEMO_SETS]:
        for page in pages:
            address = "/" + page.replace(OF_DATASET, f"datasets/{dataset.pk}/")
            yield address, client.get(address).status_code


def open_drafts(stored: Iterable[tuple[int, str]]) -> Iterator[list[Any]]:
    """The contents of each draft: as the version stored it, as its annotator finds it, and after a save."""
    for pk, draft in stored:
        own = Assignment.objects.get(pk=pk)
        client = Client(SERVER_NAME="localhost")
        client.force_login(own.annotator)
        address = reverse("assignment", args=[own.key])
        html = client.get(address).content.decode()
        page = json.loads(html.partition(SCRIPT)[2].partition("</script>")[0])
        sent = {"version": page["version"], "entries": page["entries"]}
        saved = client.post(f"{address}save/", sent, content_type="application/json").json()
        own.refresh_from_db()
        yield [list(json.loads(draft).values()), list(page["entries"].values()), list(own.draft.values()), saved]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
