"""What claims are judged by: passages, each stored once a dataset, and which claim has which."""

from django.db import models

from annotate.models.dataset import Dataset
from annotate.models.units import Segment


class SourcePassage(models.Model):
    """A document, or a part of one, that claims are judged by; title and url are "" where the file says none.

    `hash` is that of its content (annotate/corpus/passages.py): claims with the same passage share the row.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="source_passages", db_index=False)
    hash = models.CharField(max_length=64)
    title = models.CharField(max_length=500, blank=True)
    url = models.TextField(blank=True)
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["dataset", "hash"], name="source_passage_once"),
            models.CheckConstraint(condition=~models.Q(text=""), name="source_passage_has_text"),
        ]

    def __str__(self) -> str:
        return self.title or self.text[:80]


class ClaimPassage(models.Model):
    """A passage of a claim, in the file's order from 0."""

    claim = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="passages", db_index=False)
    position = models.PositiveIntegerField()
    passage = models.ForeignKey(SourcePassage, on_delete=models.CASCADE, related_name="claims")

    class Meta:
        ordering = ["claim", "position"]
        constraints = [models.UniqueConstraint(fields=["claim", "position"], name="claim_passage_place")]

    def __str__(self) -> str:
        return f"passage {self.position + 1} of {self.claim}"
