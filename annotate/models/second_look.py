"""Units that are read once more by people who have not judged them, and their judgements."""

from django.db import models
from django.db.models import Exists, OuterRef, Q

from annotate.models.corpus import visible
from annotate.models.dataset import Dataset
from annotate.models.gold import Adjudication
from annotate.models.people import User
from annotate.models.review import ViewReceipt
from annotate.models.units import AtomicFact, Segment
from annotate.models.values import Irrelevance, Value
from annotate.models.work import Assignment
from ratings.models import Rating, RatingItem, RatingItemQuerySet, RatingSample, Settlement


class SecondLook(RatingSample):
    """Units of a dataset that are read once more, each by so many annotators.

    `revision` is the dataset's `gold_revision` when they were sent. The reason of their choice is stored elsewhere
    (evaluators/models/audit.py): neither lookers nor adjudicators learn it.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="second_looks")
    revision = models.PositiveIntegerField()

    class Meta(RatingSample.Meta):
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"second look {self.pk} of {self.dataset}"


class SecondLookItemQuerySet(RatingItemQuerySet["SecondLookItem"]):
    def of(self, dataset: Dataset) -> "SecondLookItemQuerySet":
        return self.filter(sample__dataset=dataset)

    def visible(self) -> "SecondLookItemQuerySet":
        """Those whose response counts."""
        return self.filter(visible("segment__response__"))

    def unjudged_by(self, person: User) -> "SecondLookItemQuerySet":
        """The items whose response the person has not judged: they neither had its task nor saw its labels in
        another role, and never see its gold."""
        own = Assignment.objects.filter(task=OuterRef("segment__response__task"), annotator=person)
        seen = ViewReceipt.objects.filter(
            task=OuterRef("segment__response__task"), who=person, what=ViewReceipt.What.LABELS
        )
        return self.filter(~Exists(own), ~Exists(seen))

    def readable_by(self, person: User) -> "SecondLookItemQuerySet":
        """The items that the person may look at, or has looked at."""
        own = SecondLookRating.objects.filter(item=OuterRef("pk"), rater=person)
        unjudged = SecondLookItem.objects.unjudged_by(person).filter(pk=OuterRef("pk"))
        return self.filter(Exists(own) | Exists(unjudged))

    def unsettled(self) -> "SecondLookItemQuerySet":
        return self.filter(settlement__isnull=True)


class SecondLookItem(RatingItem):
    """One unit to be looked at, in random order."""

    ON_PAGE = ("sample__dataset", "segment__response__prompt", "fact")
    FULL = "Others have looked at that one meanwhile; here is the next."
    CLOSED = "This unit is adjudicated: your label does not change."

    sample = models.ForeignKey(SecondLook, on_delete=models.CASCADE, related_name="items")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="look_items")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="look_items")

    objects = SecondLookItemQuerySet.as_manager()

    class Meta(RatingItem.Meta):
        constraints = [
            *RatingItem.Meta.constraints,
            models.UniqueConstraint(
                fields=["sample", "segment"], condition=Q(fact__isnull=True), name="look_item_segment_once"
            ),
            models.UniqueConstraint(
                fields=["sample", "fact"], condition=Q(fact__isnull=False), name="look_item_fact_once"
            ),
        ]

    @property
    def address(self) -> tuple[int, int | None]:
        return (self.segment_id, self.fact_id)

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text

    def is_closed(self) -> bool:
        return SecondLookSettlement.objects.filter(item=self).exists()


class SecondLookRating(Rating):
    """A judgement by a person who has seen neither gold nor another judgement; `note` is its reason, `links` are its
    references."""

    ANSWERS = ("value", "error_type", "irrelevance", "links")

    item = models.ForeignKey(SecondLookItem, on_delete=models.CASCADE, related_name="ratings")
    value = models.CharField(max_length=20, choices=Value.choices)
    error_type = models.CharField(max_length=50, blank=True)
    irrelevance = models.CharField(max_length=20, choices=Irrelevance.choices, blank=True)
    links = models.JSONField(default=list, blank=True)

    class Meta(Rating.Meta):
        constraints = [
            *Rating.Meta.constraints,
            models.CheckConstraint(condition=Q(value__in=Value.values), name="look_value_known"),
        ]

    def check_answers(self, item: SecondLookItem) -> None:
        """No check: a judgement is checked by the rules of judgements before it becomes a look."""


class SecondLookSettlement(Settlement):
    """The outcome of a unit at which a look contradicts gold: `adjudication` changes gold; null: gold is upheld."""

    item = models.OneToOneField(SecondLookItem, on_delete=models.CASCADE, related_name="settlement")
    adjudication = models.ForeignKey(
        Adjudication, null=True, blank=True, on_delete=models.CASCADE, related_name="look_settlements"
    )

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(why=""), name="look_settled_for_a_reason")]
