"""Results bundles that are sent by the API."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import evaluators.models.results_upload


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0022_sandboxes"),
        ("evaluators", "0011_run_searches"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ResultsUpload",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("leased", "Being worked on"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("lease_owner", models.CharField(blank=True, max_length=64)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("not_before", models.DateTimeField(blank=True, null=True)),
                ("error", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                ("enqueued_at", models.DateTimeField(blank=True, null=True)),
                ("file_name", models.CharField(max_length=255)),
                ("written", models.PositiveIntegerField(default=0)),
                (
                    "file",
                    models.FileField(max_length=500, upload_to=evaluators.models.results_upload.folder_of_its_own),
                ),
                ("suffix", models.CharField(blank=True, max_length=50)),
                ("other_gold", models.BooleanField(default=False)),
                ("report", models.JSONField(blank=True, null=True)),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="results_uploads",
                        to="annotate.dataset",
                    ),
                ),
                (
                    "uploaded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="results_uploads",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "indexes": [models.Index(fields=["state", "enqueued_at"], name="results_upload_waiting")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "leased", "done", "failed"])),
                        name="resultsupload_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("lease_until__isnull", False),
                                ("state", "leased"),
                                models.Q(("lease_owner", ""), _negated=True),
                            ),
                            models.Q(("state", "leased"), _negated=True),
                            _connector="OR",
                        ),
                        name="resultsupload_leased_has_owner",
                    ),
                ],
            },
        ),
    ]
