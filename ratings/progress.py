"""Progress of a sample: the ratings that are in, and each rater's part of them."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeVar

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db.models import Count, Q, QuerySet

from ratings.models import RatingSample

AnySample = TypeVar("AnySample", bound=RatingSample)


@dataclass(frozen=True)
class RaterProgress:
    """The number of items that a person has rated, and the number that they may still rate."""

    rater: Any
    name: str
    rated: int
    left: int


@dataclass(frozen=True)
class RatingProgress:
    """`rated` of `wanted` ratings are in; `raters` are in the order of their names."""

    rated: int
    wanted: int
    raters: list[RaterProgress]


def progress_of(
    sample: RatingSample, name_of: Callable[[AbstractUser], str], may_rate: Collection[int] = ()
) -> RatingProgress:
    """Progress of all who have rated, and of people who may rate (primary keys). One query for each of the latter."""
    rated = sample.ratings_by_rater()
    people = get_user_model()._default_manager.filter(pk__in={*may_rate, *rated})
    raters = [
        RaterProgress(
            person,
            name_of(person),
            rated.get(person.pk, 0),
            sample.items.left_for(person).count() if person.pk in may_rate else 0,
        )
        for person in people
    ]
    raters.sort(key=lambda each: each.name)
    return RatingProgress(sum(rated.values()), sample.wanted(), raters)


def with_counts(samples: "QuerySet[AnySample]", person: AbstractUser) -> "QuerySet[AnySample]":
    """The samples with the numbers of items (`item_count`), of all ratings (`rated`) and of the person's (`own`)."""
    own = Q(items__ratings__rater=person)
    counted: Any = samples.annotate(
        item_count=Count("items", distinct=True),
        rated=Count("items__ratings", distinct=True),
        own=Count("items__ratings", filter=own, distinct=True),
    )
    return counted  # type: ignore[no-any-return] # the annotations are not part of the type
