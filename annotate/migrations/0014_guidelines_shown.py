from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# The keys of the commands whose keys change.
BEFORE = {"not_supported": "2", "open": "n"}


def keep_keys(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Whoever chose keys of their own keeps all that they had: a new key could be one of theirs."""
    people = list(apps.get_model("annotate", "User").objects.exclude(keys={}).only("keys"))
    for person in people:
        person.keys = {**BEFORE, **person.keys}
    apps.get_model("annotate", "User").objects.bulk_update(people, ["keys"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("annotate", "0013_proposal_endpoint")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="guideline_version",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="dataset",
            name="type_required",
            field=models.BooleanField(
                db_default=False, default=False, help_text="An error is submitted with its type only (FELM)."
            ),
        ),
        migrations.AddField(
            model_name="dataset",
            name="reason_required",
            field=models.BooleanField(
                db_default=False, default=False, help_text="An error is submitted with a reason only."
            ),
        ),
        migrations.RunPython(keep_keys, migrations.RunPython.noop),
    ]
