"""Where people stand on the leaderboard: the F1 of one annotator against the other.

See docs/statistics.md, Agreement between annotators.
"""

import hashlib

import numpy as np
from django.core.cache import cache
from django.db.models import Count, Max

from annotate.models import Dataset, Label
from evaluators.comparison.annotators import describe_annotators, read_annotators
from evaluators.comparison.leaderboard import ALL, Choice
from evaluators.comparison.levels import gold_levels
from evaluators.comparison.study import SECONDS_KEPT, gold_state, table_of
from stats.bootstrap import Resampling

References = dict[tuple[str, str], float | None]


def human_f1(dataset: Dataset, choice: Choice) -> float | None:
    """Of the choice's level and slice, pooled over pairs of annotators; None where nobody labelled twice, or nobody
    called anything an error.

    It is the positive agreement on error: 2a/(2a+b+c), whichever of the two is called gold.
    """
    return _references_of(dataset).get((choice.level, choice.slice))


def labels_state(dataset: Dataset) -> str:
    """A name for what annotators have said so far: labels are only ever added."""
    return repr(Label.objects.of(dataset).real().aggregate(Count("pk"), Max("pk")))


def _references_of(dataset: Dataset) -> References:
    made_of = gold_state(dataset, None) + labels_state(dataset)
    key = f"human-{hashlib.sha256(made_of.encode()).hexdigest()}"
    kept: References | None = cache.get(key)
    if kept is None:
        kept = _compute(dataset)
        cache.set(key, kept, SECONDS_KEPT)
    return kept


def _compute(dataset: Dataset) -> References:
    table = table_of(dataset, None)
    annotators, resampling = read_annotators(dataset, table), Resampling(table.strata)
    found: References = {}
    for level in gold_levels(table):
        for names, group in (((ALL,), np.zeros_like(level.slice)), (level.slices, level.slice)):
            described = describe_annotators(table, annotators, level.name, group, len(names), level.cluster, resampling)
            found |= {(level.name, name): each["f1"] for name, each in zip(names, described, strict=True)}
    return found
