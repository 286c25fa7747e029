"""Signatures on gold, challenges of it, and receipts of the pages viewed."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.corpus import Response
from annotate.models.gold import Adjudication
from annotate.models.units import AtomicFact, Segment
from annotate.models.work import Assignment, Task


class Signature(models.Model):
    """A reviewer, or after them a super reviewer, stands for a response's gold (FELM §3.6).

    It is withdrawn, not deleted, when gold below it changes.
    """

    class Level(models.TextChoices):
        REVIEWER = "reviewer", "Reviewer"
        SUPER = "super", "Super reviewer"

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="signatures")
    level = models.CharField(max_length=10, choices=Level.choices)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="signatures")
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["response", "level"], condition=Q(withdrawn_at__isnull=True), name="signature_one_a_level"
            ),
            models.CheckConstraint(condition=Q(level__in=["reviewer", "super"]), name="signature_level_known"),
        ]

    def __str__(self) -> str:
        return f"{self.who}, {self.get_level_display().lower()}"


class Challenge(models.Model):
    """An annotator doubts gold that differs from their label; it is upheld by other gold, or declined.

    `revision` is the dataset's `gold_revision` at which gold was doubted.
    """

    class State(models.TextChoices):
        OPEN = "open", "Open"
        UPHELD = "upheld", "Upheld: gold changed"
        DECLINED = "declined", "Declined: gold kept"

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="challenges")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="challenges")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="challenges")
    text = models.TextField()
    revision = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    answer = models.TextField(blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="answers"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    adjudication = models.ForeignKey(
        Adjudication, null=True, blank=True, on_delete=models.PROTECT, related_name="challenges"
    )

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "segment"],
                condition=Q(fact__isnull=True, state="open"),
                name="challenge_of_segment_one_open",
            ),
            models.UniqueConstraint(
                fields=["assignment", "fact"],
                condition=Q(fact__isnull=False, state="open"),
                name="challenge_of_fact_one_open",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="challenge_says_why"),
            models.CheckConstraint(
                condition=Q(state="open")
                | Q(state__in=["upheld", "declined"], answered_by__isnull=False, answered_at__isnull=False)
                & ~Q(answer=""),
                name="challenge_answered_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class ViewReceipt(models.Model):
    """The receipt of a task: a person saw something of it, first and last when, and how often."""

    class What(models.TextChoices):
        TASK = "task", "The task to label"
        EVIDENCE = "evidence", "Other annotators' evidence"
        LABELS = "labels", "All labels"
        OUTCOME = "outcome", "Results of their labels"
        PRECEDENTS = "precedents", "Decisions on similar units"

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="receipts")
    who = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="receipts")
    what = models.CharField(max_length=20, choices=What.choices)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    times = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["first_at"]
        constraints = [
            models.UniqueConstraint(fields=["task", "who", "what"], name="receipt_once"),
            models.CheckConstraint(
                condition=Q(what__in=["task", "evidence", "labels", "outcome", "precedents"]), name="receipt_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.who}: {self.get_what_display().lower()}"
