"""What annotators say of a unit itself, besides its label: that it is cut wrongly, or claims nothing."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.units import AtomicFact, Segment
from annotate.models.work import Assignment


class UnitMark(models.Model):
    """A mark on a segment, or on a fact of it, as its annotator submitted it.

    It is open until an adjudicator acts on it or dismisses it, or its annotator takes it back in a later submission.
    """

    class Kind(models.TextChoices):
        CUT = "cut", "Cut wrongly"
        NO_CLAIM = "no_claim", "No claim here"

    class State(models.TextChoices):
        OPEN = "open", "Open"
        MENDED = "mended", "Mended"
        DISMISSED = "dismissed", "Dismissed"
        WITHDRAWN = "withdrawn", "Taken back"

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="marks")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="marks")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="marks")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="marks_settled"
    )
    settled_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["cut", "no_claim"]), name="mark_kind_known"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "withdrawn"], settled_by__isnull=True)
                | Q(state__in=["mended", "dismissed"], settled_by__isnull=False, settled_at__isnull=False),
                name="mark_settled_by_someone",
            ),
            models.CheckConstraint(condition=~Q(state="dismissed") | ~Q(reason=""), name="mark_dismissed_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.segment}"
