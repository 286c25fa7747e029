"""What belongs to a dataset, or is granted to it: other datasets neither see nor use it."""

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.dataset import Dataset
from jobs.errors import StartError
from jobs.models import Budgeted


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


class AllowanceQuerySet(models.QuerySet["Allowance"]):
    def holding_for(self, dataset: Dataset | int | None, person: Any) -> "AllowanceQuerySet":
        """Those that hold for what the person began in the dataset: the dataset's, and theirs in it. person None: what
        a command began."""
        return self.filter(Q(person=None) | Q(person=person), dataset=dataset)


class Allowance(Budgeted):
    """The limit of spending for calls to models, in US dollars: of everything in a dataset, or with `person` of what
    that person begins in it.

    `spent_*` count from when the limit was set. The cost of a call is counted here and in the job's own row.
    """

    max_tokens = None  # dollars alone
    max_cost_usd = models.DecimalField(max_digits=12, decimal_places=6)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="allowances")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE)

    objects = AllowanceQuerySet.as_manager()

    class Meta:
        ordering = ["person__username"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "person"], name="allowance_once"),
            models.UniqueConstraint(fields=["dataset"], condition=Q(person=None), name="allowance_of_all_once"),
            models.CheckConstraint(condition=Q(max_cost_usd__gte=0), name="allowance_not_negative"),
            models.CheckConstraint(condition=Q(spent_usd__gte=0), name="allowance_spent_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.person or 'everybody'} in {self.dataset}"

    @property
    def left_usd(self) -> Decimal:
        """Never negative, though calls under way when it was set may have cost more."""
        return max(self.max_cost_usd - self.spent_usd, Decimal(0))

    @property
    def title(self) -> str:
        """Without a name: who reads the sentence need not know who began the work."""
        of = "everybody" if self.person_id is None else "the person who began it"
        return f"The limit of spending in {self.dataset} for {of}, ${self.max_cost_usd:.2f},"

    @property
    def reached(self) -> str:
        return (
            f"{self.title} is reached: the next call could exceed it. After an administrator of the site has raised it "
            "on the page of endpoints, the work can go on."
        )

    def check_left(self) -> None:
        """Raises StartError where nothing is left."""
        if self.spent_usd >= self.max_cost_usd:
            raise StartError(f"{self.title} is spent: a site administrator can raise it.")
