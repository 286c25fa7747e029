"""How far a sample is: what is in, and what is left for whom."""

from dataclasses import dataclass

from django.db.models import Count

from annotate.models import Role, User
from factor.models import CompletionRating, Validation
from factor.validation.rate import items_left


@dataclass(frozen=True)
class Share:
    """What a rater has rated, and how many they may still rate."""

    rater: User
    rated: int
    left: int


@dataclass(frozen=True)
class Progress:
    """`rated` of `wanted` ratings are in; `shares` are of everybody who has rated or may."""

    rated: int
    wanted: int
    shares: list[Share]


def progress_of(validation: Validation) -> Progress:
    """Two queries, and one for each annotator of the dataset."""
    counts = CompletionRating.objects.filter(item__validation=validation).values("rater").annotate(n=Count("pk"))
    rated = dict(counts.values_list("rater", "n"))
    members = validation.benchmark.dataset.memberships.filter(role=Role.ANNOTATOR, user__is_active=True)
    annotators = set(members.values_list("user", flat=True))
    people = User.objects.filter(pk__in=annotators | set(rated)).order_by("username")
    shares = [
        Share(person, rated.get(person.pk, 0), items_left(validation, person).count() if person.pk in annotators else 0)
        for person in people
    ]
    return Progress(sum(rated.values()), validation.items.count() * validation.raters, shares)
