"""The intervals in which a task was worked on; time of before is marked as too low."""

from django.db import migrations, models

from core.add_fields import AddFields


def mark_undercounted(apps, schema_editor):
    # Those whose page saved something: saves lost parts of seconds.
    apps.get_model("annotate", "Assignment").objects.filter(draft_version__gt=0).update(undercounted=True)


class Migration(migrations.Migration):
    dependencies = [("annotate", "0028_files_and_text")]

    operations = [
        AddFields(
            "assignment",
            [
                (
                    "worked",
                    models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
                ),
                (
                    "undercounted",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="Its time was counted when saves lost parts of seconds.",
                    ),
                ),
            ],
        ),
        migrations.RunPython(mark_undercounted, migrations.RunPython.noop),
    ]
