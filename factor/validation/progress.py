"""The progress of a sample: the ratings that are in, and those left for each rater."""

from dataclasses import dataclass

from annotate.models import Role, User
from factor.models import Validation


@dataclass(frozen=True)
class RaterProgress:
    """How many a rater has rated, and how many they may still rate."""

    rater: User
    rated: int
    left: int


@dataclass(frozen=True)
class ValidationProgress:
    """`rated` of `wanted` ratings are in; `shares` are of everybody who has rated or may."""

    rated: int
    wanted: int
    shares: list[RaterProgress]


def progress_of(validation: Validation) -> ValidationProgress:
    """Two queries, and one for each annotator of the dataset."""
    rated = validation.ratings_by_rater()
    members = validation.benchmark.dataset.memberships.filter(role=Role.ANNOTATOR, user__is_active=True)
    annotators = set(members.values_list("user", flat=True))
    people = User.objects.filter(pk__in=annotators | rated.keys()).order_by("username")
    shares = [
        RaterProgress(
            person, rated.get(person.pk, 0), validation.items.left_for(person).count() if person.pk in annotators else 0
        )
        for person in people
    ]
    return ValidationProgress(sum(rated.values()), validation.wanted(), shares)
