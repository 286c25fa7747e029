"""What a model is asked to prepare: the atomic facts of a response, or its segments."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.corpus import Response


class ProposalQuerySet(models.QuerySet["Proposal"]):
    def waiting(self) -> "ProposalQuerySet":
        return self.filter(state=Proposal.State.WAITING)

    def leased(self) -> "ProposalQuerySet":
        return self.filter(state=Proposal.State.LEASED)

    def held_by(self, owner: str) -> "ProposalQuerySet":
        return self.leased().filter(lease_owner=owner)

    def unsettled(self) -> "ProposalQuerySet":
        """Those that are still to be worked on, whoever holds them."""
        return self.filter(state__in=Proposal.UNSETTLED)

    def free(self) -> int:
        """Put leased ones back among those that wait; how many there were."""
        return self.leased().update(state=Proposal.State.WAITING, lease_owner="", lease_until=None)


class Proposal(models.Model):
    """One response that a model is asked about. A worker leases it, and only the holder of the lease may settle it.

    The last row of a response and kind tells how it went. `attempts` counts failures, not losses of a worker; `error`
    is the last of them.
    """

    class Kind(models.TextChoices):
        FACTS = "facts", "Atomic facts"
        SEGMENTS = "segments", "Segments"

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        LEASED = "leased", "Being asked"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    UNSETTLED = (State.WAITING, State.LEASED)

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="proposals")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    model = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    knocked_at = models.DateTimeField(null=True, blank=True, help_text="When the queue was last told of it.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    objects = ProposalQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["response", "kind"],
                condition=Q(state__in=["waiting", "leased"]),
                name="proposal_one_under_way",
            ),
            models.CheckConstraint(condition=Q(kind__in=["facts", "segments"]), name="proposal_kind_known"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "leased", "done", "failed"]), name="proposal_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="leased", lease_until__isnull=False) & ~Q(lease_owner="") | ~Q(state="leased"),
                name="proposal_leased_has_owner",
            ),
            models.CheckConstraint(condition=~Q(model=""), name="proposal_names_a_model"),
        ]
        indexes = [models.Index(fields=["state", "kind", "attempts"], name="proposal_queue")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.response}"
