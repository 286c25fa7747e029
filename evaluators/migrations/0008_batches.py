"""Batches of runs, and what a run says while nothing comes."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0022_sandboxes"),
        ("evaluators", "0007_run_names"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="notice",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.CreateModel(
            name="RunBatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("max_tokens", models.PositiveBigIntegerField(blank=True, null=True)),
                ("max_cost_usd", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                ("spent_tokens", models.PositiveBigIntegerField(default=0)),
                ("spent_usd", models.DecimalField(decimal_places=6, default=0, max_digits=14)),
                ("held", models.JSONField(blank=True, default=dict)),
                ("name", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="run_batches",
                        to="annotate.dataset",
                    ),
                ),
                (
                    "known_runs",
                    models.ManyToManyField(blank=True, related_name="known_in", to="evaluators.run"),
                ),
            ],
            options={"ordering": ["-created_at"]},
        ),
        migrations.AddField(
            model_name="run",
            name="batch",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="runs",
                to="evaluators.runbatch",
            ),
        ),
    ]
