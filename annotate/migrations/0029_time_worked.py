"""When a task was worked on, time of before marked as too low; who left while others waited for them."""

from django.db import migrations, models
from django.utils import timezone

from core.add_fields import AddFields


def mark_undercounted(apps, schema_editor):
    # Those whose page saved something: saves lost parts of seconds.
    apps.get_model("annotate", "Assignment").objects.filter(draft_version__gt=0).update(undercounted=True)


def note_who_left(apps, schema_editor):
    """Open rebuttals waited for people who had left their dataset."""
    membership = apps.get_model("annotate", "Membership").objects.filter(
        dataset=models.OuterRef("task__dataset"), user=models.OuterRef("annotator")
    )
    waiting = apps.get_model("annotate", "Assignment").objects.filter(
        ~models.Exists(membership),
        state="submitted",
        rebutted_at__isnull=True,
        annotator__is_superuser=False,
        task__rebuttal_at__isnull=False,
        task__rebuttal_ended_at__isnull=True,
        task__closed_at__isnull=True,
    )
    waiting.update(left_at=timezone.now(), state="submitted")


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
        migrations.RunPython(note_who_left, migrations.RunPython.noop),
    ]
