"""Draw a sample of a dataset's references or responses."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.models import Dataset, ReferenceLink, Removal, Response, Sample, User
from annotate.models.corpus import ResponseQuerySet
from ratings.draw import add_items, check_draw, draw
from ratings.errors import DrawError

Kind = Sample.Kind


@transaction.atomic
def draw_sample(dataset: Dataset, kind: str, size: int, raters: int, seed: int, created_by: User) -> Sample:
    """Draw `size` references (reliability) or responses (safety and validity), each for as many raters.

    The same seed over the same population draws the same. Raises DrawError.
    """
    if kind not in Kind.values:
        raise DrawError(f"there is no kind {kind!r}")
    keys = list(population(dataset, kind).order_by("pk").values_list("pk", flat=True))
    things, column = ("references", "reference_id") if kind == Kind.RELIABILITY else ("responses", "response_id")
    check_draw(size, len(keys), f"the dataset's {things}", f"it has no {things}", raters)
    sample = Sample.objects.create(
        dataset=dataset,
        kind=kind,
        size=size,
        population=len(keys),
        raters=raters,
        seed=seed,
        created_by=created_by,
    )
    add_items(sample, [{column: key} for key in draw(keys, size, seed)])
    return sample


def population(dataset: Dataset, kind: str) -> QuerySet[Response] | QuerySet[ReferenceLink]:
    """The rows that a sample is drawn from.

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
    """References of labels are left out: they are private until a task is settled; gold takes over valid ones."""
    owners = Q(response__in=responses) | Q(gold__superseded__isnull=True, gold__segment__response__in=responses)
    somewhere = Q(url__gt="") | Q(document__isnull=False)
    return ReferenceLink.objects.filter(owners, somewhere)
