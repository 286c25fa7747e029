"""What belongs to a dataset, or is granted to it: other datasets neither see nor use it."""

from django.conf import settings
from django.db import models

from annotate.models.dataset import Dataset


class SourceOwner(models.Model):
    """The dataset that a knowledge source belongs to: it alone reads it and adds to it. A shared source has none."""

    source = models.OneToOneField("knowledge.KnowledgeSource", on_delete=models.CASCADE, related_name="owner")
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="owned_sources")

    def __str__(self) -> str:
        return f"{self.source} of {self.dataset}"


class EndpointGrant(models.Model):
    """A dataset may use an endpoint. A shared endpoint needs no grant."""

    endpoint = models.ForeignKey("llm.Endpoint", on_delete=models.CASCADE, related_name="grants")
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="endpoint_grants")
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    granted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["dataset__name"]
        constraints = [models.UniqueConstraint(fields=["endpoint", "dataset"], name="endpoint_grant_once")]

    def __str__(self) -> str:
        return f"{self.endpoint} for {self.dataset}"
