"""The figures of a complete sample: shares with intervals, and the agreement of its raters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.models import Sample, SampleItem, SampleRating
from annotate.people.names import Names
from annotate.samples.forms import QUESTIONS
from core.csv import csv_line
from ratings.agreement import AgreementFigure, agreement_of, no_agreement
from stats.agreement import GAP
from stats.arrays import Ints
from stats.proportions import Proportion

COEFFICIENTS = ("percent", "alpha")
ONLY_ONE = "one rater an item: nobody to agree with"
ONE_ANSWER = "everybody gave the same answer throughout"
COLUMNS = ("item", "index", "prompt", "reference", "rater", *SampleRating.ANSWERS, "note")


@dataclass(frozen=True)
class QuestionFigures:
    """One question of a sample.

    `majority`: items at which more raters say yes than no; `unanimous`: items at which all do, both with Wilson's
    interval. `tied`: items at which as many say yes as no; they have no majority.
    """

    title: str
    majority: Proportion
    unanimous: Proportion
    tied: int
    agreement: dict[str, AgreementFigure]


def figures_of(sample: Sample, items: Sequence[SampleItem]) -> list[QuestionFigures]:
    """One a question, over items that have all their ratings."""
    prompts = np.array([item.subject.prompt_id for item in items], dtype=np.int64)
    return [
        figures_of_question(
            [[bool(getattr(rating, question.name)) for rating in item.ratings.all()] for item in items],
            prompts,
            question.title,
        )
        for question in QUESTIONS[Sample.Kind(sample.kind)]
    ]


def figures_of_question(answers: Sequence[Sequence[bool]], prompts: Ints, title: str = "") -> QuestionFigures:
    """answers: for each item those of its raters, in no order; prompts: the number of each item's prompt.

    Shares are of items drawn at random, so Wilson's interval fits; agreement is resampled by prompt
    (docs/statistics.md, Intervals and tests).
    """
    pairs = [(sum(each), len(each)) for each in answers]
    n = len(answers)
    return QuestionFigures(
        title,
        majority=Proportion(sum(2 * yes > size for yes, size in pairs), n),
        unanimous=Proportion(sum(yes == size for yes, size in pairs), n),
        tied=sum(2 * yes == size for yes, size in pairs),
        agreement=_agreement(answers, prompts),
    )


def _agreement(answers: Sequence[Sequence[bool]], prompts: Ints) -> dict[str, AgreementFigure]:
    """The columns are places, not people: neither coefficient depends on who rates an item."""
    width = max((len(each) for each in answers), default=0)
    if width < 2:
        return no_agreement(COEFFICIENTS, ONLY_ONE)
    ratings = np.array([[*map(int, each), *[GAP] * (width - len(each))] for each in answers], dtype=np.int64)
    return agreement_of(ratings, 2, prompts, COEFFICIENTS, ONE_ANSWER)


def rated_items(sample: Sample) -> list[SampleItem]:
    """Every item that has all its ratings, with these, in the order of the draw; three queries. Of a complete sample
    only those lack that were removed before they were rated."""
    return list(sample.items.complete().for_page().order_by("position").prefetch_related("ratings__rater"))


def doubted(sample: Sample, items: Sequence[SampleItem]) -> list[SampleItem]:
    """The items to which at least one rater answers no."""
    names = [question.name for question in QUESTIONS[Sample.Kind(sample.kind)]]
    return [item for item in items if any(not getattr(each, name) for each in item.ratings.all() for name in names)]


def export_lines(items: Sequence[SampleItem], names: Names) -> Iterator[str]:
    """CSV: the header, then a line a rating; a cell is empty where its question was not asked."""
    yield csv_line(COLUMNS)
    for item in items:
        subject, reference = item.subject, item.reference
        of_item = (item.position + 1, subject.index, subject.prompt.text, "" if reference is None else str(reference))
        for rating in item.ratings.all():
            answers = [getattr(rating, name) for name in SampleRating.ANSWERS]
            numbers = ["" if answer is None else int(answer) for answer in answers]
            yield csv_line((*of_item, names.of(rating.rater), *numbers, rating.note))
