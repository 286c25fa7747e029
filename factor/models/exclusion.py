"""Examples that figures leave out, and why."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class ExclusionQuerySet(models.QuerySet["Exclusion"]):
    def in_force(self) -> "ExclusionQuerySet":
        return self.filter(lifted_at__isnull=True)


class Exclusion(models.Model):
    """Figures leave the example out, and why; in force until somebody lifts it. Scores of it are kept."""

    example = models.ForeignKey("factor.Example", on_delete=models.CASCADE, related_name="exclusions")
    reason = models.CharField(max_length=500)
    excluded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="exclusions")
    created_at = models.DateTimeField(auto_now_add=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="lifted_exclusions"
    )
    lifted_at = models.DateTimeField(null=True, blank=True)

    objects = ExclusionQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["example"], condition=Q(lifted_at__isnull=True), name="exclusion_once_in_force"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="exclusion_has_reason"),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lifted_by__isnull=True)
                | Q(lifted_at__isnull=False, lifted_by__isnull=False),
                name="exclusion_lifted_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.example}: {self.reason}"
