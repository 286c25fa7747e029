"""A dataset and the guidelines its annotators work by."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotate.models.people import Role
from annotate.models.values import Suggesting, Value, default_error_types
from core.errors import DataError
from jobs.models import GroupedItem, JobItemQuerySet


class Scheme(models.TextChoices):
    """What is judged: segments of a response; atomic facts under its sentences; or claims, each by its own passages."""

    FELM = "felm", "FELM: segments"
    FACTSCORE = "factscore", "FActScore: atomic facts"
    CLAIMS = "claims", "Claims against a source"

    @property
    def segments(self) -> str:
        """What people call the parts of a response."""
        return "claims" if self == Scheme.CLAIMS else "segments"

    @property
    def units(self) -> str:
        """What people call that which is judged."""
        return "facts" if self == Scheme.FACTSCORE else self.segments


class ReviewPolicy(models.TextChoices):
    """The reviews that a task needs before it is closed (FELM §3.6)."""

    BULK = "bulk", "Unanimous units can be accepted in bulk"
    REVIEWER = "reviewer", "A reviewer signs every response"
    SUPER = "super", "A reviewer and then a super reviewer sign every response"


class DatasetQuerySet(models.QuerySet["Dataset"]):
    def ready(self) -> "DatasetQuerySet":
        """Those whose first import is complete (or that were made by hand)."""
        return self.filter(ready=True)

    def active(self) -> "DatasetQuerySet":
        """Those in which work goes on."""
        return self.ready().filter(archived_at__isnull=True)

    def of(self, user, *roles: str) -> "DatasetQuerySet":  # type: ignore[no-untyped-def]
        """Those the person may open, in one of the roles (none named: any)."""
        ready = self.ready()
        if user.only_dataset is not None:
            ready = ready.filter(pk=user.only_dataset)
        if user.is_superuser:
            return ready
        within = {"memberships__role__in": roles} if roles else {}
        return ready.filter(memberships__user=user, **within)


class Dataset(models.Model):
    """Responses labelled under one scheme.

    `gold_revision` counts the changes of gold: every GoldLabel carries the revision that brought it in and the one that
    superseded it, so gold as of any revision can be read back (annotate/gold/). `lists_revision` counts the imports
    that changed reference lists of prompts: figures are computed anew.
    """

    name = models.CharField(max_length=100, unique=True)
    scheme = models.CharField(max_length=20, choices=Scheme.choices)
    description = models.TextField(blank=True)
    error_types = models.JSONField(default=default_error_types)
    overlap = models.FloatField(default=1.0, help_text="Share of tasks that need two annotators.")
    per_task = models.PositiveSmallIntegerField(
        default=2, db_default=2, help_text="How many annotators a task of the overlap needs."
    )
    knowledge_source = models.ForeignKey(
        "knowledge.KnowledgeSource", null=True, blank=True, on_delete=models.PROTECT, related_name="datasets"
    )
    rebuttal = models.BooleanField(
        default=False, help_text="Once all have submitted, each sees the others' evidence and may revise once."
    )
    review = models.CharField(max_length=10, choices=ReviewPolicy.choices, default=ReviewPolicy.SUPER)
    type_required = models.BooleanField(
        default=False, db_default=False, help_text="An error is submitted with its type only (FELM)."
    )
    reason_required = models.BooleanField(
        default=False, db_default=False, help_text="An error is submitted with a reason only."
    )
    no_claim_is_irrelevant = models.BooleanField(
        default=False, db_default=False, help_text="A unit marked “no claim here” needs no label: it is irrelevant."
    )
    hourly_rate = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    qualification_pass = models.FloatField(
        null=True, blank=True, help_text="Share of a qualification's units to judge as gold does before real work."
    )
    control_share = models.FloatField(default=0.0, help_text="Share of hidden gold tasks among those served.")
    gold_revision = models.PositiveIntegerField(default=0)
    lists_revision = models.PositiveIntegerField(default=0, db_default=0)
    ready = models.BooleanField(default=False, help_text="False while the import that makes it has not finished.")
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Since when it is only read.")
    tells_submissions = models.BooleanField(
        default=False, db_default=False, help_text="A program is told of submissions (annotate/labels/signals.py)."
    )
    sandbox = models.BooleanField(
        default=False,
        db_default=False,
        help_text="One person's own, to try things in: without other members, shared endpoints and their money.",
    )
    setup_dismissed = models.BooleanField(
        default=False, db_default=False, help_text="Its overview no longer lists the steps of set-up."
    )

    suggesting = models.CharField(
        max_length=10, choices=Suggesting.choices, default=Suggesting.OFF, db_default=Suggesting.OFF
    )
    suggestion_run = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="The number of the run whose results are the suggestions."
    )
    suggestion_withheld = models.FloatField(
        default=0.2, db_default=0.2, help_text="Share of tasks in which none are shown, to compare with."
    )

    objects = DatasetQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(scheme__in=Scheme.values), name="dataset_scheme_known"),
            models.CheckConstraint(condition=Q(overlap__gte=0) & Q(overlap__lte=1), name="dataset_overlap_is_share"),
            models.CheckConstraint(condition=~Q(name=""), name="dataset_named"),
            models.CheckConstraint(condition=Q(review__in=ReviewPolicy.values), name="dataset_review_known"),
            models.CheckConstraint(
                condition=Q(qualification_pass__isnull=True)
                | Q(qualification_pass__gte=0) & Q(qualification_pass__lte=1),
                name="dataset_pass_mark_is_share",
            ),
            models.CheckConstraint(
                condition=Q(control_share__gte=0) & Q(control_share__lt=1), name="dataset_control_is_share"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def values(self) -> list[tuple[str, str]]:
        """The values that a unit can have, with their words: only of a claim can it be said that its source does not
        tell."""
        claims = self.scheme == Scheme.CLAIMS
        return [(value, words) for value, words in Value.choices if claims or value != Value.NOT_ENOUGH_EVIDENCE]

    @property
    def units(self) -> str:
        return Scheme(self.scheme).units

    @property
    def segment_word(self) -> str:
        """One part of a response."""
        return Scheme(self.scheme).segments.removesuffix("s")

    def adjudicator_names(self) -> list[str]:
        """Whom its annotators can turn to, by user name."""
        members = self.memberships.filter(role=Role.ADJUDICATOR, user__is_active=True).select_related("user")
        return [str(each.user) for each in members.order_by("user__username")]

    def find_gold_revision(self, version: str = "") -> int:
        """The revision of gold that the named version holds; "": the present one. DataError: no such version."""
        if not version:
            return Dataset.objects.values_list("gold_revision", flat=True).get(pk=self.pk)
        revision = self.gold_versions.filter(name=version).values_list("revision", flat=True).first()
        if revision is None:
            raise DataError(f"{self} has no gold version {version!r}.")
        return revision

    def next_gold_revision(self) -> int:
        """Count one change of gold and return its number; the row stays locked until the transaction ends."""
        Dataset.objects.filter(pk=self.pk).update(gold_revision=F("gold_revision") + 1)
        self.refresh_from_db(fields=["gold_revision"])
        return self.gold_revision


class Guideline(models.Model):
    """One version of a dataset's guidelines; a label keeps the version it was made under."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["dataset", "-version"]
        constraints = [models.UniqueConstraint(fields=["dataset", "version"], name="guideline_version_once")]

    def __str__(self) -> str:
        return f"{self.dataset} guidelines, version {self.version}"


class DatasetDeletion(GroupedItem):
    """A dataset that a worker deletes, or one import of a dataset, which is not named then; `name` outlives it."""

    dataset = models.ForeignKey(Dataset, null=True, on_delete=models.SET_NULL, related_name="deletions")
    imported = models.ForeignKey(
        "annotate.Import",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="What is deleted is this import alone.",
    )
    name = models.CharField(max_length=100)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [*GroupedItem.Meta.constraints]

    def __str__(self) -> str:
        return f"deletion of {self.name}"
