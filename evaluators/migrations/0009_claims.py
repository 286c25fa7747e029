"""Claims that methods extract by themselves, and the units that they are aligned to."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0022_sandboxes"),
        ("evaluators", "0008_batches"),
        ("llm", "0003_defaults_for_older_code"),
    ]

    operations = [
        migrations.CreateModel(
            name="ExtractedClaim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField()),
                ("text", models.TextField()),
                (
                    "value",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("supported", "Supported"),
                            ("not_supported", "Not supported"),
                            ("irrelevant", "Irrelevant"),
                        ],
                        max_length=20,
                        null=True,
                    ),
                ),
                ("score", models.FloatField(blank=True, null=True)),
                ("rationale", models.TextField(blank=True, db_default="", default="")),
                ("segment", models.PositiveIntegerField(blank=True, null=True)),
                ("calls", models.ManyToManyField(blank=True, related_name="extracted_claims", to="llm.call")),
                (
                    "response",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="extracted_claims",
                        to="annotate.response",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="extracted_claims",
                        to="evaluators.run",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ClaimAlignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "fact",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="annotate.atomicfact",
                    ),
                ),
                (
                    "segment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotate.segment"
                    ),
                ),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="alignments",
                        to="evaluators.extractedclaim",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="extractedclaim",
            constraint=models.UniqueConstraint(fields=("run", "response", "position"), name="extracted_claim_once"),
        ),
        migrations.AddConstraint(
            model_name="extractedclaim",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("value__isnull", True),
                    ("value__in", ["supported", "not_supported", "irrelevant"]),
                    _connector="OR",
                ),
                name="extracted_claim_value_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractedclaim",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("score__isnull", True), models.Q(("score__gte", 0), ("score__lte", 1)), _connector="OR"
                ),
                name="extracted_claim_score_is_probability",
            ),
        ),
        migrations.AddConstraint(
            model_name="claimalignment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("fact__isnull", True)),
                fields=("claim", "segment"),
                name="claim_aligned_to_segment_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="claimalignment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("fact__isnull", False)), fields=("claim", "fact"), name="claim_aligned_to_fact_once"
            ),
        ),
    ]
