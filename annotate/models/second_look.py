"""Units that are read once more by somebody who has not judged them, and what they say."""

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q

from annotate.models.dataset import Dataset
from annotate.models.gold import Adjudication
from annotate.models.people import User
from annotate.models.review import ViewReceipt
from annotate.models.units import AtomicFact, Segment
from annotate.models.values import Irrelevance, Value
from annotate.models.work import Assignment


class SecondLook(models.Model):
    """So many units sent to be read once more, each by `wants` annotators.

    `revision` is the dataset's `gold_revision` when they were sent. Why they were chosen is known where they were
    chosen, and nowhere here: whoever looks is not told, and neither is who settles what they say.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="second_looks")
    wants = models.PositiveSmallIntegerField(default=1, help_text="How many annotators look at each unit.")
    revision = models.PositiveIntegerField()
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.CheckConstraint(condition=Q(wants__gte=1), name="second_look_wants_someone")]

    def __str__(self) -> str:
        return f"second look {self.pk} of {self.dataset}"


class LookItemQuerySet(models.QuerySet["LookItem"]):
    def of(self, dataset: Dataset) -> "LookItemQuerySet":
        return self.filter(second_look__dataset=dataset)

    def lacking(self) -> "LookItemQuerySet":
        """Those that want more lookers than they have."""
        return self.annotate(looked=Count("looks")).filter(looked__lt=F("second_look__wants"))

    def answered(self) -> "LookItemQuerySet":
        return self.annotate(looked=Count("looks")).filter(looked__gte=F("second_look__wants"))

    def for_looker(self, person: User) -> "LookItemQuerySet":
        """Those of whose response the person has never had the task, nor seen its labels in another role: they have
        not judged it and never see its gold.

        What the person has looked at already is not among them.
        """
        own = Assignment.objects.filter(task=OuterRef("segment__response__task"), annotator=person)
        seen = ViewReceipt.objects.filter(
            task=OuterRef("segment__response__task"), who=person, what=ViewReceipt.What.LABELS
        )
        said = Look.objects.filter(item=OuterRef("pk"), who=person)
        return self.filter(~Exists(own), ~Exists(seen), ~Exists(said))

    def unsettled(self) -> "LookItemQuerySet":
        return self.filter(settled_at__isnull=True)


class LookItem(models.Model):
    """One unit to be looked at, in an order that tells nothing.

    Once everybody wanted has looked, and what they say contradicts gold, an adjudicator settles it: gold is changed by
    `adjudication`, or it stands (`adjudication` null); `why` says so.
    """

    second_look = models.ForeignKey(SecondLook, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="look_items")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="look_items")
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="looks_settled"
    )
    why = models.TextField(blank=True)
    adjudication = models.ForeignKey(
        Adjudication, null=True, blank=True, on_delete=models.CASCADE, related_name="look_items"
    )

    objects = LookItemQuerySet.as_manager()

    class Meta:
        ordering = ["second_look", "position"]
        constraints = [
            models.UniqueConstraint(fields=["second_look", "position"], name="look_item_position_once"),
            models.UniqueConstraint(
                fields=["second_look", "segment"], condition=Q(fact__isnull=True), name="look_item_segment_once"
            ),
            models.UniqueConstraint(
                fields=["second_look", "fact"], condition=Q(fact__isnull=False), name="look_item_fact_once"
            ),
            models.CheckConstraint(
                condition=Q(settled_at__isnull=True, settled_by__isnull=True, adjudication__isnull=True)
                | Q(settled_at__isnull=False, settled_by__isnull=False) & ~Q(why=""),
                name="look_item_settled_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.second_look}: {self.position + 1}"

    @property
    def address(self) -> tuple[int, int | None]:
        return (self.segment_id, self.fact_id)

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text


class Look(models.Model):
    """What a person says of a unit, having seen neither gold nor what anybody else says; `links`: where it says so."""

    item = models.ForeignKey(LookItem, on_delete=models.CASCADE, related_name="looks")
    who = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="looks")
    value = models.CharField(max_length=20, choices=Value.choices)
    error_type = models.CharField(max_length=50, blank=True)
    irrelevance = models.CharField(max_length=20, choices=Irrelevance.choices, blank=True)
    reason = models.TextField(blank=True)
    links = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "who"], name="look_once"),
            models.CheckConstraint(condition=Q(value__in=Value.values), name="look_value_known"),
        ]

    def __str__(self) -> str:
        return f"{self.value} by {self.who}"
