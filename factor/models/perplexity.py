"""How well a language model predicts a corpus, whatever is true in it (FACTOR §4.1, §5.3)."""

import math
from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.models import Q

from annotate.models import Allowance
from factor.models.model_pass import ModelPass
from factor.models.scoring import ScoredModel
from jobs.models import JobItem, JobItemQuerySet
from knowledge.models import Document, KnowledgeSource


class Perplexity(ModelPass):
    """A model's pass over a sample of a knowledge source's documents.

    `seed` drew `documents` of them (fewer where there are no more): the same of one revision of the source for every
    model. Each is cut into windows of at most `context_length` tokens.
    """

    TITLE = "pass"

    model = models.ForeignKey(ScoredModel, on_delete=models.PROTECT, related_name="perplexities")
    source = models.ForeignKey(KnowledgeSource, on_delete=models.PROTECT, related_name="perplexities")
    revision = models.PositiveIntegerField()
    documents = models.PositiveIntegerField(default=300)
    seed = models.BigIntegerField(default=0)

    class Meta(ModelPass.Meta):
        verbose_name_plural = "perplexities"
        constraints = [
            *ModelPass.Meta.constraints,
            models.CheckConstraint(condition=Q(context_length__gte=8, documents__gte=1), name="perplexity_has_room"),
        ]

    def __str__(self) -> str:
        return f"{self.model} over {self.source}"

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        """None of them where it calls no model at an endpoint."""
        if self.model.endpoint_id is None:
            return ()
        return (Allowance.objects.holding_for(self.model.dataset_id, self.created_by_id),)


class PerplexityItem(JobItem):
    """One document of the sample: `total` is the sum of the log-probabilities of `count` tokens, which stand for
    `characters` of its text in `windows`. None and 0 until it is done. The document's first token is never counted."""

    perplexity = models.ForeignKey(Perplexity, on_delete=models.CASCADE, related_name="items")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="perplexity_items")
    total = models.FloatField(null=True, blank=True)
    count = models.PositiveIntegerField(default=0)
    characters = models.PositiveIntegerField(default=0)
    windows = models.PositiveIntegerField(default=0)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["perplexity", "document"]
        constraints = [
            *JobItem.Meta.constraints,
            models.UniqueConstraint(fields=["perplexity", "document"], name="perplexity_item_once"),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(total__isnull=False, count__gte=1),
                name="perplexity_item_done_has_tokens",
            ),
        ]
        indexes = [models.Index(fields=["perplexity", "state", "attempts"], name="perplexity_queue")]

    def __str__(self) -> str:
        return f"{self.perplexity}: {self.document}"

    @property
    def perplexity_by_token(self) -> float | None:
        """Of this document alone (docs/statistics.md, FACTOR); None before it is scored."""
        return None if self.total is None else math.exp(-self.total / self.count)
