"""Proposals of a model: the atomic facts of a response, or its segments."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.corpus import Response
from annotate.models.grants import Allowance
from annotate.models.prompt_set import LONGEST_NAMED, PROJECT_SET
from jobs.models import GroupedItem, JobItemQuerySet


class Proposal(GroupedItem):
    """One response that a model is asked about. The last row of a response and kind tells how it went.

    endpoint: None where it is the default one. prompts: the prompt set whose templates are sent.
    """

    class Kind(models.TextChoices):
        FACTS = "facts", "Atomic facts"
        SEGMENTS = "segments", "Segments"

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="proposals")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    model = models.CharField(max_length=200)
    endpoint = models.ForeignKey(
        "llm.Endpoint", null=True, blank=True, on_delete=models.PROTECT, related_name="proposals"
    )
    prompts = models.CharField(max_length=LONGEST_NAMED, default=PROJECT_SET, db_default=PROJECT_SET)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            *GroupedItem.Meta.constraints,
            models.UniqueConstraint(
                fields=["response", "kind"],
                condition=Q(state__in=["waiting", "leased"]),
                name="proposal_one_under_way",
            ),
            models.CheckConstraint(condition=Q(kind__in=["facts", "segments"]), name="proposal_kind_known"),
            models.CheckConstraint(condition=~Q(model=""), name="proposal_names_a_model"),
        ]
        indexes = [models.Index(fields=["state", "kind", "attempts"], name="proposal_queue")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.response}"

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        return (Allowance.objects.holding_for(self.response.dataset_id, self.created_by_id),)
