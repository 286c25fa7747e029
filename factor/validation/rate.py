"""Rating one by one: what a rater gets next, and how their word is written down."""

from django.db import transaction
from django.db.models import Exists, OuterRef

from annotate.models import User
from annotate.one_by_one import FullError, WordError
from factor.models import CompletionRating, Validation, ValidationItem
from factor.models.validation import ValidationItemQuerySet
from factor.validation.word import Word


def items_left(validation: Validation, rater: User) -> ValidationItemQuerySet:
    """Those that lack a rating and that the rater has not rated."""
    own = CompletionRating.objects.filter(item=OuterRef("pk"), rater=rater)
    return ValidationItem.objects.filter(~Exists(own), validation=validation).lacking()


def next_item(validation: Validation, rater: User) -> ValidationItem | None:
    """The first of those left for the rater; None where there is none."""
    return items_left(validation, rater).shown().order_by("position").first()


def last_rated(validation: Validation, rater: User) -> ValidationItem | None:
    """The one that the rater rated last, to be changed; None where there is none or the sample is complete."""
    if is_complete(validation):
        return None
    own = CompletionRating.objects.filter(item__validation=validation, rater=rater).order_by("-created_at", "-pk")
    rating = own.first()
    return None if rating is None else ValidationItem.objects.shown().get(pk=rating.item_id)


@transaction.atomic
def rate(item: ValidationItem, rater: User, word: Word) -> CompletionRating:
    """Write down the rater's word, or change it while the sample is not complete.

    Raises WordError for a word that is not whole, for a completion that has all its raters, and for a sample that is
    complete: its results have been shown.
    """
    word.check()
    validation = Validation.objects.select_for_update().get(pk=item.validation_id)
    own = CompletionRating.objects.filter(item=item, rater=rater).first()
    if own is None and item.ratings.count() >= validation.raters:
        raise FullError("Others have rated that one meanwhile; here is the next.")
    if own is not None and is_complete(validation):
        raise WordError("All ratings are in, and the results have been shown: yours stays as it is.")
    rating = own or CompletionRating(item=item, rater=rater)
    for name, answer in word.answers().items():
        setattr(rating, name, answer)
    rating.save()
    return rating


def is_complete(validation: Validation) -> bool:
    """Every completion of the sample has all its ratings."""
    return not ValidationItem.objects.filter(validation=validation).lacking().exists()
