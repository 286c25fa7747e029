"""Several operations in one step, on real databases by tests/services/test_upgrades.py."""

import pytest
from django.db import connection, migrations, models
from django.db.migrations.operations import CreateModel
from django.db.migrations.state import ProjectState

from core.add_fields import AddFields
from core.together import Together

KEY = ("id", models.BigAutoField(primary_key=True))
STONES = CreateModel("Stone", [KEY, ("name", models.TextField())])
LAID = Together(
    [
        CreateModel("Wall", [KEY, ("first", models.ForeignKey("lab.stone", models.CASCADE))]),
        AddFields("stone", [("weight", models.IntegerField(default=0, db_default=0))]),
        migrations.AddIndex("stone", models.Index(fields=["weight"], name="stone_by_weight")),
        migrations.AddConstraint("stone", models.UniqueConstraint(fields=["name", "weight"], name="stone_once")),
    ]
)


@pytest.mark.django_db(transaction=True)
def test_tables_columns_and_constraints_are_made_in_one_step():
    empty, one, two = ProjectState(), ProjectState(), ProjectState()
    STONES.state_forwards("lab", one)
    STONES.state_forwards("lab", two)
    assert "wall" not in {model for _, model in two.models} and two.apps
    LAID.state_forwards("lab", two)
    with connection.schema_editor() as editor:
        STONES.database_forwards("lab", editor, empty, one)
    try:
        one.apps.get_model("lab", "Stone").objects.create(name="jasper")
        with connection.schema_editor() as editor:
            LAID.database_forwards("lab", editor, one, two)
        stone = two.apps.get_model("lab", "Stone").objects.get()
        wall = two.apps.get_model("lab", "Wall").objects.create(first_id=stone.pk)
        assert (stone.name, stone.weight, wall.first.name) == ("jasper", 0, "jasper")
        assert {"stone_by_weight", "stone_once"} <= named()
    finally:
        with connection.schema_editor() as editor:
            for model in ("Wall", "Stone"):
                editor.delete_model(two.apps.get_model("lab", model))


def named() -> set[str]:
    with connection.cursor() as cursor:
        return set(connection.introspection.get_constraints(cursor, "lab_stone"))
