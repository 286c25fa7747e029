"""When a task was worked on, time of before marked as too low; who left while others waited; moving on by a key."""

from django.db import migrations, models

from core.add_fields import AddFields
from core.together import Together


# As SQL: for Python the classes of all models would be rendered once more.
MARK_UNDERCOUNTED = "UPDATE annotate_assignment SET undercounted = TRUE WHERE draft_version > 0"
# Open rebuttals waited for people who had left their dataset.
NOTE_WHO_LEFT = """
    UPDATE annotate_assignment SET left_at = CURRENT_TIMESTAMP, state = 'submitted'
    WHERE state = 'submitted' AND rebutted_at IS NULL AND left_at IS NULL
      AND task_id IN (SELECT id FROM annotate_task
                      WHERE rebuttal_at IS NOT NULL AND rebuttal_ended_at IS NULL AND closed_at IS NULL)
      AND annotator_id NOT IN (SELECT id FROM annotate_user WHERE is_superuser)
      AND NOT EXISTS (SELECT 1 FROM annotate_membership AS member
                      JOIN annotate_task AS task ON task.dataset_id = member.dataset_id
                      WHERE task.id = annotate_assignment.task_id AND member.user_id = annotate_assignment.annotator_id)
"""
# Links of before were shown as well as sent, so they are for whoever has them.
FOR_ANYBODY = "UPDATE annotate_invitation SET email = '' WHERE accepted_at IS NULL"


class Migration(migrations.Migration):
    dependencies = [("annotate", "0028_files_and_text")]

    operations = [
        Together(
            [
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
                AddFields(
                    "dataset",
                    [
                        (
                            "per_task",
                            models.PositiveSmallIntegerField(
                                db_default=2, default=2, help_text="How many annotators a task of the overlap needs."
                            ),
                        )
                    ],
                ),
                AddFields("user", [("moves_on", models.BooleanField(db_default=True, default=True))]),
            ]
        ),
        migrations.RunSQL([MARK_UNDERCOUNTED, NOTE_WHO_LEFT, FOR_ANYBODY]),
    ]
