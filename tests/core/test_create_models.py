"""The operation that a room's first migration consists of."""

from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import OperationWriter

from core.create_models import CreateModels

ROOT = Path(__file__).resolve().parent.parent.parent
# Our own with more than one table; applications of libraries bring their migrations along.
ROOMS = [
    config.label
    for config in apps.get_app_configs()
    if Path(config.path).parent == ROOT and len(list(config.get_models())) > 1
]
TABLES = {"shelf_book", "shelf_author"}


def make_operation() -> CreateModels:
    """Books come first, and refer to authors."""
    key = ("id", models.BigAutoField(primary_key=True))
    author = ("author", models.ForeignKey("shelf.author", models.CASCADE))
    return CreateModels([migrations.CreateModel("Book", [key, author]), migrations.CreateModel("Author", [key])])


def tables() -> set[str]:
    return TABLES & set(connection.introspection.table_names())


def apply(operation: Operation, before: ProjectState) -> ProjectState:
    after = before.clone()
    operation.state_forwards("shelf", after)
    # As in `migrate`: the classes are rendered before the operation that comes next.
    assert after.apps.get_models()
    with connection.schema_editor() as editor:
        operation.database_forwards("shelf", editor, before, after)
    return after


@pytest.mark.django_db(transaction=True)
def test_tables_that_refer_to_each_other_are_made_and_taken_away() -> None:
    operation, before = make_operation(), ProjectState()
    assert list(before.apps.get_models()) == []
    after = apply(operation, before)
    assert tables() == TABLES
    author = after.apps.get_model("shelf", "Author").objects.create()
    after.apps.get_model("shelf", "Book").objects.create(author=author)
    with connection.schema_editor() as editor:
        operation.database_backwards("shelf", editor, after, before)
    assert tables() == set()


def test_a_migration_holds_it_as_it_is() -> None:
    text, _ = OperationWriter(make_operation(), indentation=0).serialize()
    assert text.startswith("core.create_models.CreateModels(") and text.count("migrations.CreateModel(") == 2


@pytest.mark.parametrize("room", ROOMS)
def test_a_first_migration_is_one_operation(room: str) -> None:
    """One operation a table would take `migrate` several times as long."""
    migration = MigrationLoader(None).disk_migrations.get((room, "0001_initial"))
    if migration is not None:
        assert [type(operation) for operation in migration.operations] == [CreateModels]
