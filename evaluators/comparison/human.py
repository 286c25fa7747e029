"""Where people stand on the leaderboard: the F1 of one annotator against the other (definitions.md §5)."""

from django.core.cache import cache
from django.db.models import Count, Max

from annotate.agreement.report import build_agreement
from annotate.models import Dataset, Label
from evaluators.comparison.board import Choice, Document, slice_of

SECONDS_KEPT = 24 * 3600
UNIT_LEVELS = {"felm": "segment", "factscore": "fact"}


def human_f1(dataset: Dataset, choice: Choice) -> float | None:
    """Pooled over pairs of annotators; None at levels other than that of the units, and where nobody labelled twice.

    It is the positive agreement on error: 2a/(2a+b+c), whichever of the two is called gold.
    """
    if choice.level != UNIT_LEVELS[dataset.scheme]:
        return None
    for result in _agreement_of(dataset)["results"]:
        if result["values"] == "binary" and slice_of(result) == choice.slice:
            found: float | None = result["positive"]
            return found
    return None


def _agreement_of(dataset: Dataset) -> Document:
    """Kept until there is another label: labels are only ever added."""
    labels = Label.objects.of(dataset).real().aggregate(count=Count("pk"), newest=Max("pk"))
    key = f"agreement-{dataset.pk}-{labels['count']}-{labels['newest']}"
    kept: Document | None = cache.get(key)
    if kept is None:
        kept = build_agreement(dataset)
        cache.set(key, kept, SECONDS_KEPT)
    return kept
