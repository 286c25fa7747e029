"""People, and what each may do in a dataset."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q


class User(AbstractUser):
    """Someone who can log in. People who come with imported labels have no usable password.

    `keys` holds the keys that they remapped on the workbench: {command: key}.
    """

    keys = models.JSONField(default=dict, blank=True)


class Role(models.TextChoices):
    ANNOTATOR = "annotator", "Annotator"
    ADJUDICATOR = "adjudicator", "Adjudicator"
    RESEARCHER = "researcher", "Researcher"


class Membership(models.Model):
    """One person's one role in one dataset: a second role would let an annotator see what must stay hidden."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    dataset = models.ForeignKey("annotate.Dataset", on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "dataset"], name="membership_one_role"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.dataset}"


class Qualification(models.Model):
    """An annotator may do real work in the dataset: they judged enough as gold does, or somebody says that they may.

    `right` of `units` were judged as gold does; both null where a pass was granted before the annotator was done. It
    stands whatever becomes of the pass mark and of the tasks.
    """

    dataset = models.ForeignKey("annotate.Dataset", on_delete=models.CASCADE, related_name="qualifications")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="qualifications")
    right = models.PositiveIntegerField(null=True, blank=True)
    units = models.PositiveIntegerField(null=True, blank=True)
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="granted"
    )
    why = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["dataset", "annotator"], name="qualification_once"),
            models.CheckConstraint(
                condition=Q(granted_by__isnull=True, right__isnull=False, units__isnull=False)
                | Q(granted_by__isnull=False) & ~Q(why=""),
                name="qualification_earned_or_granted",
            ),
            models.CheckConstraint(
                condition=Q(right__isnull=True, units__isnull=True) | Q(right__lte=F("units")),
                name="qualification_right_of_units",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} may work on {self.dataset}"
