"""Items for annotators: texts of models to label, and false completions to rate."""

from typing import Any

from django.db.models import QuerySet

from annotate.attention.items import Datasets, by_dataset, counts
from annotate.models import Role, User
from factor.models import OpenEndedGeneration, ThresholdItem, ValidationItem


@counts("open-ended", Role.ANNOTATOR, one="text to label.", many="texts to label.", page="open-ended-work")
def texts_to_label(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    texts = OpenEndedGeneration.objects.to_label().filter(pair__study__scoring__benchmark__dataset__in=datasets)
    waiting = OpenEndedGeneration.objects.filter(pk__in=texts.left_for(person).values("pk"))
    return by_dataset(waiting, "pair__study__scoring__benchmark__dataset", "pair__study__created_at")


@counts(
    "completions", Role.ANNOTATOR, one="completion to rate.", many="completions to rate.", page="completions-to-rate"
)
def completions_to_rate(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    items = ValidationItem.objects.filter(sample__benchmark__dataset__in=datasets).left_for(person)
    waiting = ValidationItem.objects.filter(pk__in=items.values("pk"))
    return by_dataset(waiting, "sample__benchmark__dataset", "sample__created_at")


@counts(
    "candidates", Role.ANNOTATOR, one="candidate to label.", many="candidates to label.", page="completions-to-rate"
)
def candidates_to_label(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    items = ThresholdItem.objects.filter(sample__build__benchmark__dataset__in=datasets).left_for(person)
    waiting = ThresholdItem.objects.filter(pk__in=items.values("pk"))
    return by_dataset(waiting, "sample__build__benchmark__dataset", "sample__created_at")
