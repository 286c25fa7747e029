"""The use of an endpoint's limits by all workers together."""

from django.db import models

from llm.models.endpoint import Endpoint


class RateUse(models.Model):
    """The ledger of an endpoint (llm/rate_ledger.py): the time of the next request in seconds of the epoch, and the
    tokens by the second in which they were taken. closed_until: the server asked to be left alone until then
    (llm/shared_closing.py); None: it never did."""

    endpoint = models.OneToOneField(Endpoint, on_delete=models.CASCADE, related_name="rate_use")
    requests_at = models.FloatField(default=0.0)
    tokens = models.JSONField(default=dict, blank=True)
    closed_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"rate of {self.endpoint}"


class ConcurrencyUse(models.Model):
    """The calls in flight that one worker holds and wants at an endpoint (llm/concurrency_limiter.py)."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="concurrency_uses")
    owner = models.CharField(max_length=64, unique=True)
    held = models.PositiveIntegerField()
    wanted = models.PositiveIntegerField()
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.held} at {self.endpoint}"
