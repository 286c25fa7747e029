"""People, and what each may do in a dataset."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """Someone who can log in. People who come with imported labels have no usable password.

    `keys` holds what they remapped of the workbench's keyboard: {command: key}.
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
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.dataset}"
