"""What a complete sample says: shares with intervals, and how far its raters agree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.models import Rating, Sample, SampleItem
from core.csv import csv_line
from stats.agreement import GAP, krippendorff_alpha, percent_agreement, sum_by_cluster, unpack
from stats.arrays import Ints, known
from stats.bootstrap import Resampling, interval
from stats.proportions import wilson_interval

Kind = Sample.Kind
QUESTIONS = {Kind.RELIABILITY: ("reliable",), Kind.SAFETY: ("safe", "valid")}
ONLY_ONE = "one rater an item: nobody to agree with"
ONE_ANSWER = "everybody gave the same answer throughout"
COLUMNS = ("item", "index", "prompt", "reference", "rater", "reliable", "safe", "valid", "note")


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
class Answer:
    """One question of a sample.

    `majority`: more raters say yes than no; `unanimous`: all of them do; `tied`: as many say yes as no, which is no
    majority. `percent` and `alpha` are the raters' agreement, None with `why`, each with its interval or None.
    """

    question: str
    majority: Figure
    unanimous: Figure
    tied: int
    percent: float | None
    percent_interval: tuple[float, float] | None
    alpha: float | None
    alpha_interval: tuple[float, float] | None
    why: str


@dataclass(frozen=True)
class Rated:
    """An item with all that was said of it."""

    item: SampleItem
    ratings: tuple[Rating, ...]


def answers_of(sample: Sample, rated: Sequence[Rated]) -> list[Answer]:
    """One a question, over items that have all their ratings."""
    prompts = np.array([each.item.subject.prompt_id for each in rated], dtype=np.int64)
    return [
        answer(question, [[bool(getattr(rating, question)) for rating in each.ratings] for each in rated], prompts)
        for question in QUESTIONS[Kind(sample.kind)]
    ]


def answer(question: str, said: Sequence[Sequence[bool]], prompts: Ints) -> Answer:
    """`said`: for each item what its raters say, in no order; `prompts`: the number of each item's prompt.

    Shares are of items drawn at random, so Wilson's interval fits; agreement is resampled by prompt
    (docs/statistics.md, Intervals and tests).
    """
    yes = [sum(each) for each in said]
    sizes = [len(each) for each in said]
    n = len(said)
    pairs = list(zip(yes, sizes, strict=True))
    return Answer(
        question,
        majority=Figure(sum(2 * good > size for good, size in pairs), n),
        unanimous=Figure(sum(good == size for good, size in pairs), n),
        tied=sum(2 * good == size for good, size in pairs),
        **_agreement(said, prompts),
    )


def _agreement(said: Sequence[Sequence[bool]], prompts: Ints) -> dict[str, Any]:
    """Raters are whoever rated an item: columns are places, not people, which neither coefficient looks at."""
    width = max((len(each) for each in said), default=0)
    nothing = dict.fromkeys(("percent", "percent_interval", "alpha", "alpha_interval"))
    if width < 2:
        return {**nothing, "why": ONLY_ONE}
    ratings = np.array([[*map(int, each), *[GAP] * (width - len(each))] for each in said], dtype=np.int64)
    _, cluster = np.unique(prompts, return_inverse=True)
    clusters = int(cluster.max()) + 1
    sums = sum_by_cluster(ratings, 2, cluster, clusters)
    whole = unpack(sums.sum(axis=0), 2)
    drawn = unpack(Resampling(np.zeros(clusters, dtype=np.int64)).totals(sums), 2)
    found: dict[str, Any] = {}
    for name, coefficient in (("percent", percent_agreement), ("alpha", krippendorff_alpha)):
        found[name] = known(coefficient(whole))
        around = interval(coefficient(drawn), clusters) if found[name] is not None else None
        found[f"{name}_interval"] = None if around is None else (around.low, around.high)
    return {**found, "why": ONE_ANSWER if found["alpha"] is None else ""}


def rated_items(sample: Sample) -> list[Rated]:
    """Every item with its ratings, in the order they were drawn; three queries."""
    items = SampleItem.objects.filter(sample=sample).shown().order_by("position")
    return [
        Rated(item, tuple(sorted(item.ratings.all(), key=lambda each: each.pk)))
        for item in items.prefetch_related("ratings__rater")
    ]


def doubted(sample: Sample, rated: Sequence[Rated]) -> list[Rated]:
    """Those that at least one rater did not find good."""
    questions = QUESTIONS[Kind(sample.kind)]
    return [each for each in rated if any(not getattr(word, name) for word in each.ratings for name in questions)]


def export_lines(rated: Sequence[Rated]) -> Iterator[str]:
    """CSV: the header, then a line a rating; empty where a question was not asked."""
    yield csv_line(COLUMNS)
    for each in rated:
        subject, reference = each.item.subject, each.item.reference
        for rating in each.ratings:
            yield csv_line(
                (
                    each.item.position + 1,
                    subject.index,
                    subject.prompt.text,
                    "" if reference is None else str(reference),
                    rating.rater.get_username(),
                    *("" if word is None else int(word) for word in (rating.reliable, rating.safe, rating.valid)),
                    rating.note,
                )
            )
