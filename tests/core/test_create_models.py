"""The operations that make all tables of a new database at once, and the migrations that hold them."""

from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, migrations, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import OperationWriter

from core.create_models import CreateModels, DescribeModels

ROOT = Path(__file__).resolve().parent.parent.parent
# Our own with more than one table; applications of libraries bring their migrations along.
ROOMS = [
    config.label
    for config in apps.get_app_configs()
    if Path(config.path).parent == ROOT and len(list(config.get_models())) > 1
]
# Every so many steps of a plan, for each look reads all migrations anew.
LOOKED_AT = 4
FIRST_REPLACED = ("annotate", "0001_initial")
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


def test_described_models_are_related_to_those_that_are_known() -> None:
    book, author = make_operation().creations
    state = ProjectState()
    CreateModels([author]).state_forwards("shelf", state)
    known = state.apps.get_model("shelf", "Author")
    for _ in range(2):  # As where an older migration told of them.
        DescribeModels([book, author]).state_forwards("shelf", state)
        assert state.apps.get_model("shelf", "Author") is known
        assert [each.related_model for each in known._meta.related_objects] == [state.apps.get_model("shelf", "Book")]


@pytest.mark.django_db
@pytest.mark.parametrize("squashed", [True, False], ids=["a new database", "one by the older migrations"])
def test_wherever_migrate_stopped_it_goes_on_with_the_rest(squashed: bool) -> None:
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.all().delete()
    for place, migration in enumerate(plan := migrations_to_come(squashed)):
        recorder.record_applied(migration.app_label, migration.name)
        for key in migration.replaces:
            recorder.record_applied(*key)
        if place % LOOKED_AT == 0 and (squashed or FIRST_REPLACED in recorder.applied_migrations()):
            assert set(map(str, migrations_to_come(True))) == set(map(str, plan[place + 1 :]))


def migrations_to_come(squashed: bool) -> list[migrations.Migration]:
    """In order. squashed: as in `migrate`; else the older ones, as if nothing had replaced them."""
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=squashed)
    executor.loader.check_consistent_history(connection)
    plan = [migration for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]
    return [migration for migration in plan if squashed or not migration.replaces]
