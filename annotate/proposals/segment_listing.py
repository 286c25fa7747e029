"""The responses of a dataset by how they were cut."""

from django.db.models import Count, Exists, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from annotate.models import Dataset, Proposal, Segment, Segmentation
from annotate.models.corpus import ResponseQuerySet

ORIGINS = {
    Segmentation.Origin.IMPORT.value: "As imported",
    Segmentation.Origin.MODEL.value: "Split by a model",
    Segmentation.Origin.HUMAN.value: "Split by people",
}


def responses_with_origin(dataset: Dataset) -> ResponseQuerySet:
    """Responses with a text, each with `cut_by` (of ORIGINS), the number of its segments, and `proposal_state` and
    `proposal_error` of the last time a model was asked (None where none was)."""
    last_cut = Segmentation.objects.filter(response=OuterRef("pk")).order_by("-pk")
    last = Proposal.objects.filter(response=OuterRef("pk"), kind=Proposal.Kind.SEGMENTS).order_by("-pk")
    segments = Segment.objects.filter(response=OuterRef("pk")).order_by().values("response")
    return (
        dataset.responses.visible()
        .exclude(text="")
        .annotate(
            cut_by=Coalesce(Subquery(last_cut.values("origin")[:1]), Value(Segmentation.Origin.IMPORT.value)),
            number=Subquery(segments.annotate(number=Count("pk")).values("number")),
            proposal_state=Subquery(last.values("state")[:1]),
            proposal_error=Subquery(last.values("error")[:1]),
        )
        .select_related("prompt")
        .order_by("position")
    )


def count_origins(dataset: Dataset) -> dict[str, int]:
    """The number of responses by the origin of their last cut."""
    responses = dataset.responses.visible().exclude(text="")
    later = Segmentation.objects.filter(response=OuterRef("response"), pk__gt=OuterRef("pk"))
    last = Segmentation.objects.filter(~Q(Exists(later)), response__in=responses).order_by()
    counted = dict(last.values_list("origin").annotate(Count("pk")))
    cut = {origin: counted.get(origin, 0) for origin in ORIGINS}
    untouched = responses.count() - sum(cut.values())
    return {**cut, Segmentation.Origin.IMPORT.value: cut[Segmentation.Origin.IMPORT.value] + untouched}
