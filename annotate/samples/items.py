"""The items of a sample that people of a role may rate."""

from django.db.models import Q

from annotate.models import LookItem, Role, Sample, SampleItem
from ratings.models import RatingItemQuerySet


def items_for(sample: Sample, role: str) -> RatingItemQuerySet[SampleItem]:
    """The items that people of this role may rate.

    An annotator sees only responses that are settled or in no task: a reference may come from gold, and nothing shall
    colour their judgement of what they still label, nor of what waits for a second look.
    """
    items = SampleItem.objects.filter(sample=sample)
    if role != Role.ANNOTATOR:
        return items
    response = "reference__response" if sample.kind == Sample.Kind.RELIABILITY else "response"
    open_now = Q(**{f"{response}__task__isnull": False, f"{response}__task__closed_at__isnull": True})
    of_gold = Q(reference__gold__segment__response__task__isnull=False) & Q(
        reference__gold__segment__response__task__closed_at__isnull=True
    )
    looked_at = LookItem.objects.of(sample.dataset).lacking().values("segment")
    return items.exclude(open_now).exclude(of_gold).exclude(reference__gold__segment__in=looked_at)
