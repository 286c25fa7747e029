"""The tables of webhooks: where events of a dataset are sent to, and each sending."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from jobs.models import GroupedItem, JobItemQuerySet


class Event(models.TextChoices):
    """What a webhook can be told."""

    SUBMITTED = "assignment.submitted", "Work is submitted"
    SETTLED = "task.settled", "Tasks are settled"
    GOLD_FROZEN = "gold.frozen", "Gold is frozen"
    RUN_ENDED = "run.ended", "A run ends"
    JOB_FAILED = "job.failed", "A job fails"


class Webhook(models.Model):
    """An address that is told of a dataset's events.

    `events`: values of Event. `nonce`: what its secret is made of, together with the key of the site
    (api/webhooks/sign.py).
    """

    dataset = models.ForeignKey("annotate.Dataset", on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=2000)
    events = models.JSONField(default=list)
    nonce = models.CharField(max_length=64)
    is_on = models.BooleanField(default=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(address="") & ~Q(nonce=""), name="webhook_has_address_and_nonce")
        ]

    def __str__(self) -> str:
        return self.address

    @property
    def event_names(self) -> list[str]:
        """In the order of Event."""
        return [event.value for event in Event if event in self.events]

    @property
    def event_labels(self) -> list[str]:
        return [event.label for event in Event if event in self.events]


class WebhookDelivery(GroupedItem):
    """One message to one webhook.

    `message_id`: the same at every attempt. `body`: JSON, as it is signed and sent. `status`: of the last answer; None
    where there was none.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message_id = models.UUIDField(default=uuid4, unique=True)
    event = models.CharField(max_length=20, choices=Event.choices)
    body = models.TextField()
    status = models.PositiveSmallIntegerField(null=True)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [*GroupedItem.Meta.constraints]
        indexes = [models.Index(fields=["state", "attempts"], name="webhookdelivery_state")]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"
