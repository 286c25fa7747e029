"""Samples at hand, and people who rate them."""

from annotate.models import Dataset, Sample, User
from annotate.samples.draw import draw_sample
from annotate.samples.rate import Word, next_item, rate
from tests.factories import make_person, make_response

GOOD = Word(safe=True, valid=True)


def sample_of(dataset: Dataset, size: int, raters: int = 3, kind: str = "safety") -> Sample:
    """Drawn by Dora, by seed 7."""
    return draw_sample(dataset, kind, size, raters, 7, make_person("dora"))


def responses(dataset: Dataset, number: int) -> None:
    for _ in range(number):
        make_response(dataset)


def rate_all(sample: Sample, rater: User, *words: Word, role: str = "researcher") -> None:
    """The rater's words on their items in order, the last one again for the rest."""
    said = list(words)
    while (item := next_item(sample, rater, role)) is not None:
        rate(item, rater, said.pop(0) if len(said) > 1 else said[0])
