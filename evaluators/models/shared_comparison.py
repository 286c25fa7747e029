"""Comparisons that stand behind a public link."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Dataset


class SharedComparisonQuerySet(models.QuerySet["SharedComparison"]):
    def live(self) -> "SharedComparisonQuerySet":
        """Those whose link works."""
        return self.filter(revoked_at__isnull=True)

    def listed(self) -> "SharedComparisonQuerySet":
        """Without their documents; `with_texts`: whether there are texts."""
        with_texts = models.ExpressionWrapper(Q(units__isnull=False), models.BooleanField())
        return self.defer("figures", "units").annotate(with_texts=with_texts)


class SharedComparison(models.Model):
    """A comparison as it was when its link was made: nothing that happens later changes it.

    `key` is the secret of the link. `figures` is the document (evaluators/sharing/documents.py); `units` the texts with
    gold and the evaluators' answers, null where none were chosen.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="shared_comparisons")
    title = models.CharField(max_length=200)
    key = models.CharField(max_length=64, unique=True)
    figures = models.JSONField()
    units = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = SharedComparisonQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(title=""), name="shared_comparison_titled"),
            models.CheckConstraint(condition=~Q(key=""), name="shared_comparison_has_key"),
        ]

    def __str__(self) -> str:
        return self.title
