"""How people cut facts otherwise than a model, kept as long as no set of facts has changed: 1 s among two million."""

from django.core.cache import cache

from annotate.facts.listing import Boundaries, Sets, read_boundaries
from annotate.models import Dataset

SECONDS_KEPT = 24 * 3600


def boundaries_of(dataset: Dataset, sets: Sets) -> Boundaries:
    """As read_boundaries. Each save of a set raises its version; what a model proposes anew is another set."""
    key = f"boundaries-{dataset.pk}-{sets.number}-{sets.newest}-{sets.saves}-{sets.editing}"
    kept: Boundaries | None = cache.get(key)
    if kept is None:
        kept = read_boundaries(dataset)
        cache.set(key, kept, SECONDS_KEPT)
    return kept
