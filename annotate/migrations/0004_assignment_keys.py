from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from annotate.models.work import random_key

CHUNK = 500


def give_keys(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The column came with one key for all the rows that were there."""
    assignments = apps.get_model("annotate", "Assignment").objects.only("pk")
    some = []
    for assignment in assignments.iterator(chunk_size=CHUNK):
        assignment.key = random_key()
        some.append(assignment)
    assignments.bulk_update(some, ["key"], batch_size=CHUNK)


class Migration(migrations.Migration):
    dependencies = [("annotate", "0003_drawn_tasks")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="key",
            field=models.CharField(default=random_key, editable=False, max_length=16),
        ),
        migrations.RunPython(give_keys),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(fields=("key",), name="assignment_key_once"),
        ),
        migrations.AddIndex(
            model_name="task",
            index=models.Index(condition=models.Q(("kind", "control")), fields=["dataset"], name="task_control"),
        ),
    ]
