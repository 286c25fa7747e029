"""The figures of a complete sample: shares with intervals, and how far its raters agree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.models import Sample, SampleItem, SampleRating
from annotate.samples.forms import QUESTIONS
from core.csv import csv_line
from stats.agreement import GAP
from stats.arrays import Ints
from stats.nominal import measure_agreement
from stats.proportions import wilson_interval

ONLY_ONE = "one rater an item: nobody to agree with"
ONE_ANSWER = "everybody gave the same answer throughout"
COLUMNS = ("item", "index", "prompt", "reference", "rater", *SampleRating.ANSWERS, "note")


@dataclass(frozen=True)
class Figure:
    """A count of n items, its share (None where n is 0) and Wilson's interval."""

    hits: int
    n: int

    @property
    def share(self) -> float | None:
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.share is None else wilson_interval(self.share, self.n)


@dataclass(frozen=True)
class QuestionFigures:
    """One question of a sample.

    `majority`: more raters say yes than no; `unanimous`: all of them do; `tied`: as many say yes as no, which is no
    majority. `percent` and `alpha` are the raters' agreement, None with `why`, each with its interval or None.
    """

    question: str
    title: str
    majority: Figure
    unanimous: Figure
    tied: int
    percent: float | None
    percent_interval: tuple[float, float] | None
    alpha: float | None
    alpha_interval: tuple[float, float] | None
    why: str


def figures_of(sample: Sample, items: Sequence[SampleItem]) -> list[QuestionFigures]:
    """One a question, over items that have all their ratings."""
    prompts = np.array([item.subject.prompt_id for item in items], dtype=np.int64)
    return [
        figures_of_question(
            question.name,
            [[bool(getattr(rating, question.name)) for rating in item.ratings.all()] for item in items],
            prompts,
            question.title,
        )
        for question in QUESTIONS[Sample.Kind(sample.kind)]
    ]


def figures_of_question(
    question: str, answers: Sequence[Sequence[bool]], prompts: Ints, title: str = ""
) -> QuestionFigures:
    """answers: for each item those of its raters, in no order; prompts: the number of each item's prompt.

    Shares are of items drawn at random, so Wilson's interval fits; agreement is resampled by prompt
    (docs/statistics.md, Intervals and tests).
    """
    pairs = [(sum(each), len(each)) for each in answers]
    n = len(answers)
    return QuestionFigures(
        question,
        title,
        majority=Figure(sum(2 * yes > size for yes, size in pairs), n),
        unanimous=Figure(sum(yes == size for yes, size in pairs), n),
        tied=sum(2 * yes == size for yes, size in pairs),
        **_agreement(answers, prompts),
    )


def _agreement(answers: Sequence[Sequence[bool]], prompts: Ints) -> dict[str, Any]:
    """The columns are places, not people, which neither coefficient looks at: anybody rates an item."""
    width = max((len(each) for each in answers), default=0)
    if width < 2:
        nothing = dict.fromkeys(("percent", "percent_interval", "alpha", "alpha_interval"))
        return {**nothing, "why": ONLY_ONE}
    ratings = np.array([[*map(int, each), *[GAP] * (width - len(each))] for each in answers], dtype=np.int64)
    measured = measure_agreement(ratings, 2, prompts, ("percent", "alpha"))
    figures: dict[str, Any] = {name: each.value for name, each in measured.items()}
    figures |= {f"{name}_interval": each.interval and each.interval.ends() for name, each in measured.items()}
    return {**figures, "why": ONE_ANSWER if figures["alpha"] is None else ""}


def rated_items(sample: Sample) -> list[SampleItem]:
    """Every item with its ratings, in the order in which they were drawn; three queries."""
    return list(sample.items.for_page().order_by("position").prefetch_related("ratings__rater"))


def doubted(sample: Sample, items: Sequence[SampleItem]) -> list[SampleItem]:
    """Those that at least one rater did not find good."""
    names = [question.name for question in QUESTIONS[Sample.Kind(sample.kind)]]
    return [item for item in items if any(not getattr(each, name) for each in item.ratings.all() for name in names)]


def export_lines(items: Sequence[SampleItem]) -> Iterator[str]:
    """CSV: the header, then a line a rating; empty where a question was not asked."""
    yield csv_line(COLUMNS)
    for item in items:
        subject, reference = item.subject, item.reference
        of_item = (item.position + 1, subject.index, subject.prompt.text, "" if reference is None else str(reference))
        for rating in item.ratings.all():
            answers = [rating.reliable, rating.safe, rating.valid]
            numbers = ["" if answer is None else int(answer) for answer in answers]
            yield csv_line((*of_item, rating.rater.get_username(), *numbers, rating.note))
