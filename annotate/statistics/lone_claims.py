"""Claims that stand alone: they are no response of a model."""

import numpy as np
from django.db.models import F, QuerySet

from annotate.gold.read import integers
from annotate.models import Dataset, Scheme, Segment
from stats.arrays import Flags, Ints


def lone_claims(dataset: Dataset) -> QuerySet[Segment]:
    """The claims that are all of their response's text, where nobody was asked."""
    if dataset.scheme != Scheme.CLAIMS:
        return Segment.objects.none()
    return Segment.objects.filter(response__dataset=dataset, response__prompt__text="", text=F("response__text"))


def stand_alone(dataset: Dataset, responses: Ints) -> Flags:
    """Which of these responses (primary keys) are a claim alone."""
    found: Flags = np.isin(responses, integers(lone_claims(dataset).values_list("response_id", flat=True)))
    return found
