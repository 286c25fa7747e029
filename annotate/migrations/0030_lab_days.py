"""Links by which people of crowd platforms come, and these people; language and time zone of a person's pages; suggestions
of a run: a dataset's setting, what an assignment shows, and what the annotator of a label saw; marks on units;
conversations of all annotators of a task."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from core.add_fields import AddFields
from core.together import Together

SHOWN = [("withheld", "Not shown"), ("before", "Shown before"), ("after", "Shown after")]
VALUES = [
    ("supported", "Supported"),
    ("not_supported", "Not supported"),
    ("irrelevant", "Irrelevant"),
    ("not_enough_evidence", "Not enough evidence"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0029_time_worked"),
    ]

    operations = [Together([
        migrations.CreateModel(
            name="RecruitmentLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=150)),
                (
                    "platform",
                    models.CharField(
                        choices=[("prolific", "Prolific"), ("mturk", "MTurk"), ("other", "Another platform")],
                        max_length=10,
                    ),
                ),
                ("id_parameter", models.CharField(blank=True, max_length=50)),
                ("tasks_each", models.PositiveIntegerField()),
                ("most_people", models.PositiveIntegerField()),
                ("closes_on", models.DateField(blank=True, null=True)),
                ("consent", models.TextField(blank=True)),
                ("completion_code", models.CharField(blank=True, max_length=100)),
                ("screened_code", models.CharField(blank=True, max_length=100)),
                ("return_address", models.URLField(blank=True, max_length=500)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="recruitment_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recruitment_links",
                        to="annotate.dataset",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("platform__in", ["prolific", "mturk", "other"])),
                        name="recruitment_platform_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("platform", "other"), _negated=True),
                            models.Q(("id_parameter", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="recruitment_parameter_named",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("platform", "mturk"), models.Q(("completion_code", ""), _negated=True), _connector="OR"
                        ),
                        name="recruitment_completion_code",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("most_people__gte", 1), ("tasks_each__gte", 1)), name="recruitment_numbers"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="OutsidePerson",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("outside_id", models.CharField(blank=True, max_length=100)),
                ("submission_id", models.CharField(blank=True, max_length=100)),
                ("study_id", models.CharField(blank=True, max_length=100)),
                ("device_hash", models.CharField(blank=True, max_length=64)),
                ("began_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True, choices=[("completed", "Completed"), ("screened", "Screened out")], max_length=10
                    ),
                ),
                ("code", models.CharField(blank=True, max_length=20)),
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="outside", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="people",
                        to="annotate.recruitmentlink",
                    ),
                ),
            ],
            options={
                "ordering": ["began_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("outside_id", ""), _negated=True),
                        fields=("link", "outside_id"),
                        name="outside_person_once_a_link",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished_at__isnull", True), ("outcome", "")),
                            models.Q(("finished_at__isnull", False), ("outcome__in", ["completed", "screened"])),
                            _connector="OR",
                        ),
                        name="outside_person_outcome_known",
                    ),
                ],
            },
        ),
        AddFields(
            "user",
            [
                ("language", models.CharField(blank=True, db_default="", default="", max_length=16)),
                ("time_zone", models.CharField(blank=True, db_default="", default="", max_length=64)),
            ],
        ),
                AddFields(
                    "dataset",
                    [
                        (
                            "no_claim_is_irrelevant",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                help_text="A unit marked “no claim here” needs no label: it is irrelevant.",
                            ),
                        ),
                        (
                            "suggesting",
                            models.CharField(
                                choices=[
                                    ("off", "Never"),
                                    ("before", "Before their own label"),
                                    ("after", "After their own label"),
                                ],
                                db_default="off",
                                default="off",
                                max_length=10,
                            ),
                        ),
                        (
                            "suggestion_run",
                            models.PositiveBigIntegerField(
                                blank=True,
                                help_text="The number of the run whose results are the suggestions.",
                                null=True,
                            ),
                        ),
                        (
                            "suggestion_withheld",
                            models.FloatField(
                                db_default=0.2,
                                default=0.2,
                                help_text="Share of tasks in which none are shown, to compare with.",
                            ),
                        ),
                    ],
                ),
                AddFields(
                    "assignment",
                    [
                        (
                            "suggestion",
                            models.CharField(blank=True, choices=SHOWN, db_default="", default="", max_length=10),
                        ),
                        ("suggestion_run", models.PositiveBigIntegerField(blank=True, null=True)),
                        (
                            "suggestions_seen",
                            models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict),
                        ),
                    ],
                ),
                AddFields(
                    "label",
                    [
                        (
                            "suggestion",
                            models.CharField(blank=True, choices=SHOWN, db_default="", default="", max_length=10),
                        ),
                        ("suggestion_run", models.PositiveBigIntegerField(blank=True, null=True)),
                        (
                            "suggested",
                            models.CharField(blank=True, choices=VALUES, db_default="", default="", max_length=20),
                        ),
                        (
                            "first_value",
                            models.CharField(blank=True, choices=VALUES, db_default="", default="", max_length=20),
                        ),
                    ],
                ),
        migrations.CreateModel(
            name="UnitMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(choices=[("cut", "Cut wrongly"), ("no_claim", "No claim here")], max_length=10),
                ),
                ("note", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("mended", "Mended"),
                            ("dismissed", "Dismissed"),
                            ("withdrawn", "Taken back"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                ("reason", models.TextField(blank=True)),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="marks", to="annotate.assignment"
                    ),
                ),
                (
                    "fact",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="marks",
                        to="annotate.atomicfact",
                    ),
                ),
                (
                    "segment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="marks", to="annotate.segment"
                    ),
                ),
                (
                    "settled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="marks_settled",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["cut", "no_claim"])), name="mark_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("settled_by__isnull", True), ("state__in", ["open", "withdrawn"])),
                            models.Q(
                                ("settled_at__isnull", False),
                                ("settled_by__isnull", False),
                                ("state__in", ["mended", "dismissed"]),
                            ),
                            _connector="OR",
                        ),
                        name="mark_settled_by_someone",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "dismissed"), _negated=True),
                            models.Q(("reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="mark_dismissed_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SharedMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="shared_messages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="shared_messages", to="annotate.task"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="shared_message_not_empty"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SharedReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("read_at", models.DateTimeField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared_readings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="shared_readings", to="annotate.task"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("task", "person"), name="shared_reading_once")],
            },
        ),
    ])]
