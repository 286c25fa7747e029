"""Audits of gold where several good evaluators contradict it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Dataset, GoldVersion, Value
from annotate.models.second_look import SecondLook, SecondLookItem
from evaluators.models.run import Run


class GoldAudit(models.Model):
    """Units sent to a second look, drawn from `candidates` that `least` or more of the runs contradict.

    Controls, which no run contradicts, are mixed among them. `version`: the frozen gold that was in force unchanged,
    null where none was. `chosen`: the runs were picked by hand, not by their being better than a trivial baseline.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="gold_audits")
    second_look = models.OneToOneField(SecondLook, on_delete=models.CASCADE, related_name="+")
    version = models.ForeignKey(GoldVersion, null=True, blank=True, on_delete=models.CASCADE)
    runs = models.ManyToManyField(Run, related_name="gold_audits")
    chosen = models.BooleanField(default=False)
    least = models.PositiveSmallIntegerField()
    candidates = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.CheckConstraint(condition=Q(least__gte=1), name="gold_audit_of_someone")]

    def __str__(self) -> str:
        return f"audit {self.pk} of {self.dataset}"


class AuditItem(models.Model):
    """Why a unit was sent: `against` of the `judged` runs contradicted its gold; none did where it is a control."""

    audit = models.ForeignKey(GoldAudit, on_delete=models.CASCADE, related_name="items")
    item = models.OneToOneField(SecondLookItem, on_delete=models.CASCADE, related_name="+")
    gold = models.CharField(max_length=20, choices=Value.choices)
    against = models.PositiveSmallIntegerField()
    judged = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["audit", "item__position"]
        constraints = [
            models.CheckConstraint(condition=Q(against__lte=models.F("judged")), name="audit_item_against_of_judged"),
        ]

    def __str__(self) -> str:
        return f"{self.audit}: {self.item}"

    @property
    def is_control(self) -> bool:
        return self.against == 0
