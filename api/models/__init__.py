"""The tables of the API: tokens, the answers that are repeated to a repeated request, webhooks."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from api.models.webhooks import Event as Event
from api.models.webhooks import Webhook as Webhook
from api.models.webhooks import WebhookDelivery as WebhookDelivery


class Scope(models.TextChoices):
    """What a token may do, within the rights of its person."""

    READ = "read", "Read what you may see"
    LABEL = "label", "Label your tasks"
    EVALUATE = "evaluate", "Run evaluators, send predictions, score benchmarks"
    MANAGE = "manage", "Import, assign, adjudicate, release, and manage people"


class TokenQuerySet(models.QuerySet["Token"]):
    def valid(self) -> "TokenQuerySet":
        """Those that open the API now."""
        return self.filter(revoked_at__isnull=True, expires_at__gt=timezone.now(), user__is_active=True)


class Token(models.Model):
    """A key by which a program acts for a person.

    `secret_hash` is SHA-256 of the token, which is stored nowhere; `hint` is how it begins. `dataset`: the only dataset
    that it opens; None: all of the person's. `last_used_at`: to the minute; None: never.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    hint = models.CharField(max_length=12)
    secret_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    dataset = models.ForeignKey("annotate.Dataset", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_valid(self) -> bool:
        return self.revoked_at is None and self.expires_at > timezone.now()

    @property
    def scope_names(self) -> list[str]:
        """In the order of Scope."""
        return [scope.value for scope in Scope if scope in self.scopes]


class RepeatedAnswer(models.Model):
    """The answer to a POST with an Idempotency-Key: the same request again gets it again, and does nothing.

    `request_hash`: SHA-256 of method, address and body.
    """

    KEPT = timedelta(hours=24)

    token = models.ForeignKey(Token, on_delete=models.CASCADE, related_name="answers")
    key = models.CharField(max_length=255)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(null=True)
    location = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="repeatedanswer_once")]

    def __str__(self) -> str:
        return f"answer to {self.key}"
