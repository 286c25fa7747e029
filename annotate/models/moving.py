"""What happens to assignments: who assigned or returned them, messages at them, and limits on a person's work."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.dataset import Dataset
from annotate.models.people import User
from annotate.models.work import Assignment, Task


class TaskMove(models.Model):
    """One action of an adjudicator on the assignments of many tasks; `undone_at` is null while it stands."""

    class Kind(models.TextChoices):
        ASSIGN = "assign", "Assign"
        UNASSIGN = "unassign", "Unassign"
        REASSIGN = "reassign", "Reassign"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="task_moves")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="task_moves")
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["assign", "unassign", "reassign"]), name="task_move_known")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.dataset} by {self.who}"


class AssignmentEvent(models.Model):
    """What happened to an annotator's assignment of a task; it outlives the assignment.

    `who` is null for what a command or the site itself did. `other` is the person that a reassigned task came from or
    went to. `before` holds what the event replaced, so that its move can be undone; null for events without a move.
    """

    class What(models.TextChoices):
        ASSIGNED = "assigned", "Assigned"
        UNASSIGNED = "unassigned", "Unassigned"
        UNDONE = "undone", "Undone"
        SENT_BACK = "sent_back", "Sent back"
        TAKEN_BACK = "taken_back", "Taken back"
        KEPT = "kept", "Submission kept"
        REVISED = "revised", "Submitted again"

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="events")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    what = models.CharField(max_length=10, choices=What.choices)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.RESTRICT, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    note = models.TextField(blank=True)
    move = models.ForeignKey(TaskMove, null=True, blank=True, on_delete=models.CASCADE, related_name="events")
    before = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    what__in=["assigned", "unassigned", "undone", "sent_back", "taken_back", "kept", "revised"]
                ),
                name="assignment_event_known",
            ),
            models.CheckConstraint(
                condition=~Q(what="sent_back") | ~Q(note=""), name="assignment_event_sent_back_says_why"
            ),
        ]
        indexes = [models.Index(fields=["task", "annotator"], name="assignment_event_of")]

    def __str__(self) -> str:
        return f"{self.annotator} on {self.task}: {self.get_what_display().lower()}"


class Message(models.Model):
    """One message between the annotator of an assignment and the adjudicators; other annotators never see it.

    `read_at`: when the other side first opened the conversation; null before.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="messages")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.RESTRICT, related_name="messages")
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="message_not_empty")]
        indexes = [models.Index(fields=["assignment"], condition=Q(read_at__isnull=True), name="message_unread")]

    def __str__(self) -> str:
        return self.text[:80]


class WorkLimit(models.Model):
    """How many tasks of a domain are served to an annotator at most, and until when theirs should be done.

    `domain` "" is every domain. `quota` null: no limit; `deadline` null: none. A quota counts live assignments of
    work; it stops what is served and drawn, never what is assigned by hand.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="work_limits")
    annotator = models.ForeignKey(User, on_delete=models.CASCADE, related_name="work_limits")
    domain = models.CharField(max_length=100, blank=True)
    quota = models.PositiveIntegerField(null=True, blank=True)
    deadline = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["annotator__username", "domain"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "annotator", "domain"], name="work_limit_once"),
            models.CheckConstraint(
                condition=Q(quota__isnull=False) | Q(deadline__isnull=False), name="work_limit_limits"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator}, {self.domain or 'every domain'}"
