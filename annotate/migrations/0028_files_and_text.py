"""Rows that an import skipped, responses that are removed, and documents of a dump on the server."""

import django.db.models.deletion
from django.db import migrations, models

from core.add_fields import AddFields
from core.together import Together


def hold_everything(apps, schema_editor):
    apps.get_model("annotate", "Release").objects.update(known=True)


class Migration(migrations.Migration):
    dependencies = [("annotate", "0027_all_tables")]

    operations = [
        Together(
            [
                migrations.CreateModel(
                    name="SkippedRow",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("kind", models.CharField(max_length=200)),
                        ("cause", models.TextField()),
                        ("content", models.TextField()),
                        (
                            "imported",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="skipped_rows",
                                to="annotate.import",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("imported", "number"), name="skipped_row_once")
                        ],
                    },
                ),
                AddFields("import", [("skipped", models.PositiveIntegerField(db_default=0, default=0))]),
                AddFields(
                    "upload",
                    [
                        (
                            "to_check",
                            models.BooleanField(
                                db_default=False, default=False, help_text="A worker is to look it through."
                            ),
                        ),
                        (
                            "imported",
                            models.ForeignKey(
                                blank=True,
                                help_text="What it made.",
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="uploads",
                                to="annotate.import",
                            ),
                        )
                    ],
                ),
                AddFields(
                    "documentupload",
                    [
                        ("dump", models.CharField(blank=True, db_default="", default="", max_length=200)),
                        ("topics_only", models.BooleanField(db_default=False, default=False)),
                    ],
                ),
                AddFields(
                    "datasetdeletion",
                    [
                        (
                            "imported",
                            models.ForeignKey(
                                blank=True,
                                help_text="What is deleted is this import alone.",
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="annotate.import",
                            ),
                        )
                    ],
                ),
                AddFields("removal", [("selected", models.BooleanField(db_default=False, default=False))]),
                AddFields(
                    "response",
                    [
                        ("removed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "details",
                            models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict),
                        )
                    ],
                ),
                migrations.RemoveIndex("response", "response_of_import"),
                migrations.AddIndex(
                    "response",
                    models.Index(fields=["dataset", "imported", "removed_at"], name="response_of_import"),
                ),
                migrations.AddIndex(
                    "response",
                    models.Index(
                        condition=models.Q(("removed_at__isnull", False)), fields=["dataset"], name="response_removed"
                    ),
                ),
                AddFields(
                    "release",
                    [
                        (
                            "known",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                help_text="Whether it holds what qualification and controls ask.",
                            ),
                        )
                    ],
                ),
                migrations.RemoveConstraint("release", "release_once"),
                migrations.AddConstraint(
                    "release",
                    models.UniqueConstraint(fields=("version", "licence", "names", "known"), name="release_once"),
                ),
            ]
        ),
        # Those that are there were made with everything.
        migrations.RunPython(hold_everything, migrations.RunPython.noop),
    ]
