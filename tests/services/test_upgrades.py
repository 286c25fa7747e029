"""A database of each earlier version, with rows in every table, comes to this version whole."""

import json
import sqlite3
import subprocess
import sys

import psycopg
import pytest
from django.db.migrations import AddField, AlterField, CreateModel, DeleteModel, RemoveField, RenameField, RenameModel
from django.db.migrations.loader import MigrationLoader

from knowledge.models import KnowledgeSource
from tests.services.conftest import ROOT, House
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


def test_no_migration_of_a_released_version_has_changed():
    frozen = read_frozen()
    assert frozen
    assert {path: digest for path, digest in migrations().items() if path in frozen} == frozen


@pytest.mark.parametrize("stored", STORED, ids=lambda path: path.name.removesuffix(".sql.xz"))
@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_a_database_of_an_earlier_version_keeps_every_row_and_opens_every_page(
    stored, database, request, tmp_path, make_house
):
    house = make_house(
        DATA_DIR=str(tmp_path / "stored"),
        **({"DATABASE_URL": request.getfixturevalue("empty_postgres_url")} if database == "PostgreSQL" else {}),
    )
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
