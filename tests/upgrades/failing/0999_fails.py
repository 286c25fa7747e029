# ruff: noqa: N999 - the number of a migration begins its name
"""A migration that changes a table and its rows, and then fails."""

from pathlib import Path

from django.db import migrations, models

from knowledge import migrations as real

LAST = sorted(path.stem for folder in real.__path__ for path in Path(folder).glob("0*.py"))[-1]


def fail(apps: object, schema_editor: object) -> None:
    raise RuntimeError("this migration fails")


class Migration(migrations.Migration):
    dependencies = [("knowledge", LAST)]
    operations = [
        migrations.AddField("knowledgesource", "half", models.BooleanField(default=False)),
        migrations.RunSQL("UPDATE knowledge_knowledgesource SET name = 'half'"),
        migrations.RunPython(fail),
    ]
