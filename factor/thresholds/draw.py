"""Draw the candidates that are to be labelled: at random, each error type in its share, repeatable by the seed."""

import random
from collections import Counter
from collections.abc import Mapping

from django.db import transaction

from annotate.models import User
from factor.models import BenchmarkBuild, Candidate, ThresholdItem, ThresholdSample
from factor.models.candidates import CandidateQuerySet

SIZE = 40  # FACTOR appendix A.2


class DrawError(ValueError):
    """The sample cannot be drawn; the message says why. Nothing was written."""


def population(build: BenchmarkBuild) -> CandidateQuerySet:
    """What at least one of the filters has measured, kept or not."""
    return Candidate.objects.of(build).measured()


@transaction.atomic
def draw_sample(build: BenchmarkBuild, size: int, seed: int, drawn_by: User | None) -> ThresholdSample:
    """Draw `size` of the measured candidates, of another sentence each as long as there are such. In the order of
    their labelling the error types are mixed. The same seed over the same candidates draws the same. Raises DrawError.
    """
    candidates = list(population(build).order_by("pk").values_list("pk", "error_type", "item_id"))
    if not candidates:
        raise DrawError("no candidate has been measured by a filter yet")
    if not 1 <= size <= len(candidates):
        raise DrawError(f"draw 1 to {len(candidates)} of the measured candidates, not {size}")
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret
    chance.shuffle(candidates)
    left = allocate(Counter(error_type for _, error_type, _ in candidates), size)
    drawn: list[int] = []
    taken: set[int] = set()
    for another_sentence in (True, False):
        for key, error_type, item in candidates:
            if left[error_type] and key not in drawn and not (another_sentence and item in taken):
                drawn.append(key)
                taken.add(item)
                left[error_type] -= 1
    chance.shuffle(drawn)
    sample = ThresholdSample.objects.create(build=build, size=size, seed=seed, drawn_by=drawn_by)
    ThresholdItem.objects.bulk_create(
        [ThresholdItem(sample=sample, position=place, candidate_id=key) for place, key in enumerate(drawn)],
        batch_size=500,
    )
    return sample


def allocate(counts: Mapping[str, int], size: int) -> dict[str, int]:
    """How many of each kind, in proportion to how many there are; what rounding leaves goes to the largest remainders,
    of equals the kind first in the alphabet."""
    total = sum(counts.values())
    shares = {kind: divmod(count * size, total) for kind, count in counts.items()}
    given = {kind: whole for kind, (whole, _) in shares.items()}
    by_remainder = sorted(shares, key=lambda kind: (-shares[kind][1], kind))
    for kind in by_remainder[: size - sum(given.values())]:
        given[kind] += 1
    return given
