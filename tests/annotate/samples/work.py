"""Samples at hand, and people who rate them."""

from annotate.models import Dataset, Sample, SampleItem, SampleRating, User
from annotate.samples.draw import draw_sample
from annotate.samples.views import items_for
from ratings.rate import rate
from tests.factories import make_person, make_response

GOOD = SampleRating(safe=True, valid=True)


def sample_of(dataset: Dataset, size: int, raters: int = 3, kind: str = "safety") -> Sample:
    """Drawn by Dora, by seed 7."""
    return draw_sample(dataset, kind, size, raters, 7, make_person("dora"))


def responses(dataset: Dataset, number: int) -> None:
    for _ in range(number):
        make_response(dataset)


def next_item(sample: Sample, rater: User, role: str) -> SampleItem | None:
    return items_for(sample, role).next_for(rater)


def rate_all(sample: Sample, rater: User, *words: SampleRating, role: str = "researcher") -> None:
    """The rater's words on their items in order, the last one again for the rest."""
    said = list(words)
    while (item := next_item(sample, rater, role)) is not None:
        rate(item, rater, said.pop(0) if len(said) > 1 else said[0])
