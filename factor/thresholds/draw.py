"""Draw the candidates that are to be labelled."""

from django.db import transaction

from annotate.models import User
from factor.models import BenchmarkBuild, Candidate, ThresholdSample
from factor.models.candidates import CandidateQuerySet
from ratings.draw import add_items, check_draw, draw_by_kind


def population(build: BenchmarkBuild) -> CandidateQuerySet:
    """The candidates that at least one of the filters has measured, kept or not."""
    return Candidate.objects.of(build).measured()


@transaction.atomic
def draw_sample(build: BenchmarkBuild, size: int, seed: int, created_by: User | None) -> ThresholdSample:
    """Draw `size` of the measured candidates, each error type in its share, of another sentence each as long as there
    are such. The same seed over the same candidates draws the same. Raises DrawError."""
    candidates = list(population(build).order_by("pk").values_list("pk", "error_type", "item_id"))
    none = "no candidate has been measured by a filter yet"
    check_draw(size, len(candidates), "the measured candidates", none)
    keys, types, sentences = zip(*candidates, strict=True)
    sample = ThresholdSample.objects.create(
        build=build, size=size, population=len(candidates), seed=seed, created_by=created_by
    )
    add_items(sample, [{"candidate_id": key} for key in draw_by_kind(keys, types, sentences, size, seed)])
    return sample
