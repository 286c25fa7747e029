"""Draw a sample: simple random, without replacement, repeatable by its seed."""

import random

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.models import Dataset, ReferenceLink, Removal, Response, Sample, SampleItem, User
from annotate.models.corpus import ResponseQuerySet

Kind = Sample.Kind
MOST_RATERS = 20


class SampleError(ValueError):
    """The sample cannot be drawn; the message says why. Nothing was written."""


@transaction.atomic
def draw_sample(dataset: Dataset, kind: str, size: int, raters: int, seed: int, drawn_by: User) -> Sample:
    """Draw `size` references (reliability) or responses (safety and validity), each for as many raters.

    The same seed over the same population draws the same. Raises SampleError.
    """
    if kind not in Kind.values:
        raise SampleError(f"there is no kind {kind!r}")
    if not 1 <= raters <= MOST_RATERS:
        raise SampleError(f"an item is rated by 1 to {MOST_RATERS} people, not {raters}")
    keys = list(population(dataset, kind).order_by("pk").values_list("pk", flat=True))
    things = "references" if kind == Kind.RELIABILITY else "responses"
    if not 1 <= size <= len(keys):
        raise SampleError(
            f"draw 1 to {len(keys)} of the dataset's {things}, not {size}" if keys else f"it has no {things}"
        )
    sample = Sample.objects.create(dataset=dataset, kind=kind, size=size, raters=raters, seed=seed, drawn_by=drawn_by)
    column = "reference_id" if kind == Kind.RELIABILITY else "response_id"
    drawn = random.Random(seed).sample(keys, size)  # noqa: S311 - repeatable on purpose, no secret
    SampleItem.objects.bulk_create(
        [SampleItem(sample=sample, position=place, **{column: key}) for place, key in enumerate(drawn)], batch_size=500
    )
    return sample


def population(dataset: Dataset, kind: str) -> QuerySet[Response] | QuerySet[ReferenceLink]:
    """What is drawn from.

    Reliability: the references that lead somewhere, of responses and of gold in force. Safety and validity: responses
    with a text. What was removed from the dataset is left out.
    """
    responses = kept_responses(dataset)
    if kind == Kind.SAFETY:
        return responses.exclude(text="")
    return references_of(responses)


def kept_responses(dataset: Dataset) -> ResponseQuerySet:
    removed = Removal.objects.filter(response=OuterRef("pk"), superseded__isnull=True, keep=False)
    return Response.objects.visible().filter(~Exists(removed), dataset=dataset)


def references_of(responses: ResponseQuerySet) -> QuerySet[ReferenceLink]:
    """Of labels none: they are their annotators' own until a task is settled, and gold has what stood."""
    owners = Q(response__in=responses) | Q(gold__superseded__isnull=True, gold__segment__response__in=responses)
    somewhere = Q(url__gt="") | Q(document__isnull=False)
    return ReferenceLink.objects.filter(owners, somewhere)
