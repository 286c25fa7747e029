"""How many atomic facts each segment of gold has, by who wrote them."""

from typing import Any

import numpy as np
from django.db.models import Count, Q

from annotate.facts.judged import model_proposed
from annotate.gold.read import integers
from annotate.models import Dataset, FactSet, Segment
from annotate.models.gold import counted
from stats.sizes import FactCounts


def read_fact_counts(dataset: Dataset, revision: int | None = None) -> FactCounts:
    """One value a segment, in the order of read_gold; revision: that of its version."""
    rows = list(
        segments_of_gold(dataset, revision)
        .annotate(
            human=Count("facts", filter=Q(facts__fact_set__origin=FactSet.Origin.HUMAN, facts__fact_set__draft=False)),
            model=Count("facts", filter=Q(facts__fact_set__origin=FactSet.Origin.MODEL)),
            proposed=model_proposed(),
        )
        .values_list("human", "model", "proposed")
    )
    human, model = integers(row[0] for row in rows), integers(row[1] for row in rows)
    return FactCounts(human, model, (human > 0) & np.array([row[2] for row in rows], dtype=np.bool_))


def segments_of_gold(dataset: Dataset, revision: int | None) -> Any:
    """In the order of read_gold's segments."""
    found = Segment.objects.filter(counted("response__", revision), response__dataset=dataset)
    return found.order_by("response__position", "position")
