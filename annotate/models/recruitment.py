"""People from crowd platforms: the links that let them in, and what is known of each."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models.dataset import Dataset
from annotate.models.people import User


class RecruitmentLink(models.Model):
    """A link by which many people of a crowd platform become annotators of a dataset, without a password.

    `token_hash` is SHA-256 of the secret part of the link, which is stored nowhere. Each person does `tasks_each` tasks
    of work; at most `most_people` begin, without those who are screened out. `closes_on` is the last day.
    `completion_code` is "" for MTurk, where each person has a code of their own. `return_address` is where people of
    another platform go when they have finished.
    """

    class Platform(models.TextChoices):
        PROLIFIC = "prolific", "Prolific"
        MTURK = "mturk", "MTurk"
        OTHER = "other", "Another platform"

    # The parameters of an address that hold the id of the person, of their submission, and of the study.
    PARAMETERS = {
        Platform.PROLIFIC: ("PROLIFIC_PID", "SESSION_ID", "STUDY_ID"),
        Platform.MTURK: ("workerId", "assignmentId", "hitId"),
    }

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="recruitment_links")
    name = models.CharField(max_length=150)
    platform = models.CharField(max_length=10, choices=Platform.choices)
    id_parameter = models.CharField(max_length=50, blank=True)
    tasks_each = models.PositiveIntegerField()
    most_people = models.PositiveIntegerField()
    closes_on = models.DateField(null=True, blank=True)
    consent = models.TextField(blank=True)
    completion_code = models.CharField(max_length=100, blank=True)
    screened_code = models.CharField(max_length=100, blank=True)
    return_address = models.URLField(max_length=500, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="recruitment_links")
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(platform__in=["prolific", "mturk", "other"]), name="recruitment_platform_known"
            ),
            models.CheckConstraint(
                condition=~Q(platform="other") | ~Q(id_parameter=""), name="recruitment_parameter_named"
            ),
            models.CheckConstraint(
                condition=Q(platform="mturk") | ~Q(completion_code=""), name="recruitment_completion_code"
            ),
            models.CheckConstraint(condition=Q(tasks_each__gte=1, most_people__gte=1), name="recruitment_numbers"),
        ]

    def __str__(self) -> str:
        return f"recruitment link {self.name} of {self.dataset}"

    @property
    def parameters(self) -> tuple[str, str, str]:
        """Of the ids of the person, of the submission ("" where there is none) and of the study ("")."""
        if self.platform == self.Platform.OTHER:
            return (self.id_parameter, "", "")
        return self.PARAMETERS[self.Platform(self.platform)]

    @property
    def is_open(self) -> bool:
        return self.closed_at is None and (self.closes_on is None or self.closes_on >= timezone.now().date())


class OutsidePerson(models.Model):
    """One person who came by a recruitment link: their account, and what the platform calls them.

    `outside_id` is personal data, for adjudicators alone; "" once it is deleted. `device_hash` is SHA-256 of a secret
    that the browser in which they began keeps; "": the next browser that comes with the id takes its place. `code` is
    their own, for MTurk. `finished_at`: when they were shown the code of `outcome`.
    """

    class Outcome(models.TextChoices):
        COMPLETED = "completed", "Completed"
        SCREENED = "screened", "Screened out"

    link = models.ForeignKey(RecruitmentLink, on_delete=models.CASCADE, related_name="people")
    person = models.OneToOneField(User, on_delete=models.CASCADE, related_name="outside")
    outside_id = models.CharField(max_length=100, blank=True)
    submission_id = models.CharField(max_length=100, blank=True)
    study_id = models.CharField(max_length=100, blank=True)
    device_hash = models.CharField(max_length=64, blank=True)
    began_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True)
    code = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["began_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["link", "outside_id"], condition=~Q(outside_id=""), name="outside_person_once_a_link"
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True, outcome="")
                | Q(finished_at__isnull=False, outcome__in=["completed", "screened"]),
                name="outside_person_outcome_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} by {self.link.name}"
