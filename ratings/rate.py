"""The writing of a rating: an item never has more than it wants, under any race."""

from typing import Any, TypeVar

from django.contrib.auth.models import AbstractUser
from django.db import transaction

from ratings.errors import FullError, RatingError
from ratings.models import Rating, RatingItem

AnyRating = TypeVar("AnyRating", bound=Rating)


@transaction.atomic
def rate(item: RatingItem, rater: AbstractUser, answers: AnyRating) -> AnyRating:
    """Write the person's rating of the item, or change it while the item is not closed.

    answers: a rating that is not saved; its item and rater are not read. Raises RatingError where the answers are not
    whole or the item is closed, FullError where the item has all its ratings.
    """
    answers.check_answers(item)
    item = lock(item)
    own: Any = item.ratings.filter(rater=rater).first()
    if own is None and item.ratings.count() >= item.sample.raters:
        raise FullError(item.FULL)
    if own is not None and item.is_closed():
        raise RatingError(item.CLOSED)
    rating: AnyRating = own or type(answers)(item=item, rater=rater)
    for name, answer in answers.answers().items():
        setattr(rating, name, answer)
    rating.save()
    return rating


def lock(item: RatingItem) -> Any:
    """The item as it is now. The row of its sample is locked: of two last raters the second waits, and is refused."""
    items: Any = type(item)
    samples = items._meta.get_field("sample").related_model._default_manager
    samples.select_for_update().get(pk=item.sample_id)
    return items._default_manager.select_related("sample").get(pk=item.pk)
