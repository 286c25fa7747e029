"""The abstract tables of ratings: a sample, its items, their ratings, their settlements.

A kind of rating declares its tables from these. The names of the keys are the same in every kind: an item has its
`sample` (related name "items"), a rating and a settlement have their `item` (related names "ratings", "settlement").
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q

from ratings.errors import RatingError

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractUser

NOTE_LIMIT = 2_000

Row = TypeVar("Row", bound=models.Model, covariant=True)


class RatingItemQuerySet(models.QuerySet[Row]):
    """The model names the path to the number of raters (RATERS) and the relations that its page reads (ON_PAGE)."""

    def lacking(self) -> Self:
        """The items that want more ratings than they have."""
        return self.annotate(rated=Count("ratings")).filter(rated__lt=F(self._of_model("RATERS")))

    def complete(self) -> Self:
        """The items that have all ratings they want."""
        return self.annotate(rated=Count("ratings")).filter(rated__gte=F(self._of_model("RATERS")))

    def left_for(self, rater: "AbstractUser") -> Self:
        """The items that lack a rating and that the person has not rated."""
        own = ratings_of(self.model).filter(item=OuterRef("pk"), rater=rater)
        return self.lacking().filter(~Exists(own))

    def for_page(self) -> Self:
        """The items with the relations that their page reads."""
        return self.select_related(*self._of_model("ON_PAGE"))

    def next_for(self, rater: "AbstractUser") -> Row | None:
        """The first item in the order of the draw that is left for the person; None: no item is left."""
        return self.left_for(rater).for_page().order_by("position").first()

    def _of_model(self, name: str) -> Any:
        return getattr(self.model, name)


class RatingSample(models.Model):
    """`size` things drawn from `population` by a seed; each item is rated by `raters` people."""

    size = models.PositiveIntegerField()
    population = models.PositiveIntegerField()
    raters = models.PositiveSmallIntegerField(default=1)
    seed = models.BigIntegerField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    items: Any

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(size__gte=1, size__lte=F("population"), raters__gte=1), name="%(class)s_drawn"
            )
        ]

    def is_complete(self) -> bool:
        """Every item has all its ratings."""
        return not self.items.lacking().exists()

    def next_item(self, rater: "AbstractUser") -> Any:
        """The item that the person rates next; None: no item is left."""
        return self.items.next_for(rater)

    def last_rated(self, rater: "AbstractUser") -> Any:
        """The item that the person rated last, to be changed; None: there is none, or the sample is complete."""
        own = self.ratings().filter(rater=rater).order_by("-created_at", "-pk").first()
        return None if own is None or self.is_complete() else self.items.for_page().get(pk=own.item_id)

    def ratings(self) -> "models.QuerySet[Any]":
        """The ratings of all its items."""
        return ratings_of(self.items.model).filter(item__sample=self)

    def ratings_by_rater(self) -> Mapping[int, int]:
        """The number of ratings of each person, by primary key."""
        return dict(
            self.ratings().order_by().values("rater").annotate(number=Count("pk")).values_list("rater", "number")
        )

    def wanted(self) -> int:
        """The number of ratings that all items want together."""
        return int(self.items.count()) * self.raters


class RatingItem(models.Model):
    """One thing to rate; `position` is its place in the order of the draw."""

    RATERS: ClassVar[str] = "sample__raters"
    ON_PAGE: ClassVar[tuple[str, ...]] = ("sample",)
    FULL: ClassVar[str] = "Others have rated that one meanwhile; here is the next."
    CLOSED: ClassVar[str] = "All ratings are complete: your rating does not change."

    position = models.PositiveIntegerField()

    sample: Any
    sample_id: int
    ratings: Any

    class Meta:
        abstract = True
        ordering = ["sample", "position"]
        constraints = [models.UniqueConstraint(fields=["sample", "position"], name="%(class)s_position_once")]

    def __str__(self) -> str:
        return f"{self.sample}: {self.position + 1}"

    def is_closed(self) -> bool:
        """Its ratings do not change any more."""
        return bool(self.sample.is_complete())


class Rating(models.Model):
    """One person's answers to an item, in the fields that ANSWERS names, and a note."""

    ANSWERS: ClassVar[tuple[str, ...]]

    rater = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    item: Any
    item_id: int

    class Meta:
        abstract = True
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["item", "rater"], name="%(class)s_once")]

    def __str__(self) -> str:
        return f"{self.rater} on {self.item}"

    def check_answers(self, item: Any) -> None:
        """Raises RatingError for answers that are incomplete, or that do not fit the item."""
        if len(self.note) > NOTE_LIMIT or "\x00" in self.note:
            raise RatingError(f"The note may be {NOTE_LIMIT:,} characters long, without a null character.")

    def answers(self) -> dict[str, Any]:
        """Answers and note by the names of their fields."""
        return {name: getattr(self, name) for name in (*self.ANSWERS, "note")}


class Settlement(models.Model):
    """The settlement of an item on which its raters differ: by whom and why. A kind adds its `item` and the outcome."""

    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    settled_at = models.DateTimeField(auto_now=True)
    why = models.TextField(blank=True)

    item: Any

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.settled_by} settled {self.item}"


def ratings_of(item: Any) -> "models.QuerySet[Any]":
    """All ratings of a kind of item, by its class."""
    ratings: models.QuerySet[Any] = item._meta.get_field("ratings").related_model._default_manager.all()
    return ratings
