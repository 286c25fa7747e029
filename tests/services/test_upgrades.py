"""A database of each earlier version, with rows in every table, comes to this version whole."""

import json
import lzma
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial

import psycopg
import pytest
from django.core.management import call_command
from django.db.migrations import AddField, AlterField, CreateModel, DeleteModel, RemoveField, RenameField, RenameModel
from django.db.migrations.loader import MigrationLoader
from django.db.models.signals import class_prepared

from knowledge.models import KnowledgeSource
from tests.services.conftest import ROOT, House
from tests.upgrades.schema import read_schema
from tests.upgrades.store import FOLDER, migrations, read_frozen
from tests.waiting import LONGEST

# Columns for which web server and workers of this version have to be stopped before the upgrade; none from 0.3.0 on.
STOPPED_FOR = {
    "0.2.0": {
        "annotate_assignment": ["key"],
        "annotate_upload": ["found", "preview"],
        "factor_candidate": ["explanation", "said"],
    },
}
# Migrations that were made while web server and workers were to be stopped.
BEFORE_SIDE_BY_SIDE = {
    "annotate/migrations/0002_plain_names.py",
    "annotate/migrations/0004_assignment_keys.py",
    "factor/migrations/0002_plain_names.py",
}
GONE = (RemoveField, RenameField, DeleteModel, RenameModel)
STORED = sorted(FOLDER.glob("*.sql.xz"))
# Two seconds of processor time; where steps that came since ask for more, squash them (tests/upgrades/squash.py).
MOST_MODELS_RENDERED = 1_900


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def database(request, tmp_path, make_house):
    """Its name, a house whose database is empty, and how to make one whose database has every table."""
    if request.param == "SQLite":
        (folder := tmp_path / "empty").mkdir()
        return request.param, make_house(DATA_DIR=str(folder)), make_house
    empty = make_house(DATABASE_URL=request.getfixturevalue("empty_postgres_url"))
    return request.param, empty, partial(make_house, DATABASE_URL=request.getfixturevalue("postgres_url"))


def test_no_migration_of_a_released_version_has_changed():
    frozen = read_frozen()
    assert frozen
    assert {path: digest for path, digest in migrations().items() if path in frozen} == frozen


@pytest.mark.parametrize("stored", STORED, ids=lambda path: path.name.removesuffix(".sql.xz"))
def test_a_database_of_an_earlier_version_keeps_every_row_opens_every_page_and_has_the_tables_of_a_new_one(
    stored, database
):
    _, house, make_new = database
    restored = subprocess.run(
        [sys.executable, "-m", "tests.upgrades.restore", stored],
        cwd=ROOT,
        env=house.environment,
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert restored.returncode == 0, restored.stderr
    result = json.loads(restored.stdout)
    assert {name: rows for name, (rows, now) in result["tables"].items() if rows != now} == {}
    assert {address: status for address, status in result["pages"].items() if status >= 500} == {}
    assert result["in_the_way"] == STOPPED_FOR[stored.name.removesuffix(".sql.xz")]
    assert result["drafts"]
    for draft, shown, kept, answer in result["drafts"]:
        assert draft == shown == kept and "version" in answer
    assert list(result["pages"].values()).count(200) > len(result["pages"]) / 2
    assert result["schema"] == make_new().call(read_schema)


def test_a_database_that_cannot_be_upgraded_is_refused_in_a_sentence_and_stays_as_it_is(database):
    engine, house, _ = database
    dumped = lzma.decompress((FOLDER / "refused" / f"0.1.0-{engine}.sql.xz").read_bytes()).decode()
    with closing(house.connect()) as connection:
        if engine == "SQLite":
            connection.executescript(dumped)
        else:
            connection.execute(dumped)
            connection.commit()
    before = house.call(read_schema), house.ask("SELECT app, name FROM django_migrations")

    refused = house.run("migrate")

    assert refused.returncode == 1
    assert refused.stderr == (
        "CommandError: The database is of version 0.1.0, which cannot be upgraded: export your data with that version "
        "and import it into an empty database (docs/deploy.md, An upgrade).\n"
    )
    assert (house.call(read_schema), house.ask("SELECT app, name FROM django_migrations")) == before


def test_a_new_database_is_made_without_rendering_the_models_again_and_again(database):
    _, house, _ = database
    assert house.call(models_rendered_by_migrate) < MOST_MODELS_RENDERED
    assert house.run("migrate", "--check").returncode == 0


def test_code_of_the_version_before_can_read_and_write_while_a_new_migration_is_there():
    """Every new column has a default of the database or may be null, and none goes: the defaults that AddField fills in
    are dropped again once the rows are filled."""
    known = read_frozen().keys() | BEFORE_SIDE_BY_SIDE
    filled_later = set()
    hindering = []
    created = set()  # tables that older code does not know of
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items(), reverse=True):
        path = f"{app}/migrations/{name}.py"
        for operation in migration.operations if (ROOT / path).exists() and path not in known else ():
            if isinstance(operation, AlterField) and operation.field.has_db_default():
                filled_later.add((app, operation.model_name_lower, operation.name_lower))
            if isinstance(operation, CreateModel):
                created.add((app, operation.name_lower))
            if isinstance(operation, GONE) or (
                isinstance(operation, AddField)
                and (app, operation.model_name_lower) not in created
                and not (
                    operation.field.null
                    or operation.field.many_to_many
                    or operation.field.has_db_default()
                    or (app, operation.model_name_lower, operation.name_lower) in filled_later
                )
            ):
                hindering.append((path, operation.describe()))
    assert hindering == []


def test_a_failed_migration_leaves_the_version_before_working(house):
    columns = "name, description, tokenizer, revision, edition, writer, created_at"
    house.write(f"INSERT INTO knowledge_knowledgesource ({columns}) VALUES ('a', '', 's', 0, '', '', '2026-05-04')")
    failed = House({**house.environment, "DJANGO_SETTINGS_MODULE": "tests.upgrades.failing_settings"}).run("migrate")

    assert failed.returncode == 1
    assert "this migration fails" in failed.stderr
    with pytest.raises((sqlite3.OperationalError, psycopg.errors.UndefinedColumn)):
        house.ask("SELECT half FROM knowledge_knowledgesource")
    assert house.run("migrate", "--check").returncode == 0
    assert house.call(source_names) == ["a"]


def source_names() -> list[str]:
    return [source.name for source in KnowledgeSource.objects.all()]


def models_rendered_by_migrate() -> int:
    rendered = []

    def count(sender, **_):
        rendered.append(sender)

    class_prepared.connect(count)
    call_command("migrate", verbosity=0)
    return len(rendered)
