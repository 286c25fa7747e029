"""Several columns at once, on real databases by tests/services/test_upgrades.py."""

import pytest
from django.db import connection, models
from django.db.migrations.operations import CreateModel
from django.db.migrations.state import ProjectState

from core.add_fields import AddFields

COLUMNS = (
    ("note", models.TextField(default="", db_default="")),
    ("count", models.IntegerField(null=True)),
    ("list", models.JSONField(default=list, db_default=models.Value([], models.JSONField()))),
)


@pytest.mark.django_db(transaction=True)
def test_rows_that_are_there_have_the_new_columns():
    one = ProjectState()
    creation = CreateModel("Stone", [("id", models.BigAutoField(primary_key=True)), ("name", models.TextField())])
    creation.state_forwards("lab", one)
    with connection.schema_editor() as editor:
        creation.database_forwards("lab", editor, ProjectState(), one)
    one.apps.get_model("lab", "Stone").objects.create(name="jasper")

    operation, two = AddFields("stone", COLUMNS), one.clone()
    operation.state_forwards("lab", two)
    try:
        with connection.schema_editor() as editor:
            operation.database_forwards("lab", editor, one, two)
        stone = two.apps.get_model("lab", "Stone").objects.get()
        assert (stone.name, stone.note, stone.count, stone.list) == ("jasper", "", None, [])
        with connection.schema_editor() as editor:
            operation.database_backwards("lab", editor, two, one)
        assert one.apps.get_model("lab", "Stone").objects.get().name == "jasper"
    finally:
        with connection.schema_editor() as editor:
            creation.database_backwards("lab", editor, one, ProjectState())
