"""What a tagged sample says: how far the two agree, and the share of each cause."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.tables import Cell, Table
from evaluators.comparison.study import table_of
from evaluators.models import ErrorAnalysis, ErrorCause, Mistake, MistakeSettlement, MistakeTag
from stats.agreement import COEFFICIENTS
from stats.arrays import Ints
from stats.bootstrap import Interval, Resampling
from stats.gold_table import GoldTable
from stats.nominal import measure_agreement
from stats.proportions import ClusteredShare, shares_of

OF_THE_TAGGERS = ("percent", "kappa", "alpha")
ONE_CAUSE = "both tagged everything with one and the same cause: there is nothing to tell apart"
UNSETTLED = -1


@dataclass(frozen=True)
class Tagged:
    """A mistake with the tags of both, in order of place."""

    mistake: Mistake
    tags: tuple[MistakeTag, MistakeTag]

    @property
    def differs(self) -> bool:
        return self.tags[0].cause_id != self.tags[1].cause_id

    @property
    def cause(self) -> ErrorCause | None:
        """What both see, or what was settled; None while it is not."""
        if not self.differs:
            return self.tags[0].cause
        settlement: MistakeSettlement | None = getattr(self.mistake, "settlement", None)
        return None if settlement is None else settlement.cause


@dataclass(frozen=True)
class Agreed:
    """A coefficient over the sample; None where it is undefined, with `why`.

    See docs/statistics.md, Agreement between annotators.
    """

    name: str
    value: float | None
    interval: Interval | None
    why: str


@dataclass(frozen=True)
class CauseShare:
    """How much of the settled mistakes a cause accounts for: of all, of missed errors, of false alarms."""

    name: str
    every: ClusteredShare
    missed: ClusteredShare
    alarms: ClusteredShare


@dataclass(frozen=True)
class Results:
    tagged: tuple[Tagged, ...]
    agreement: tuple[Agreed, ...]
    shares: tuple[CauseShare, ...]

    @property
    def differing(self) -> tuple[Tagged, ...]:
        """Those that the two tagged differently, what is not settled first."""
        return tuple(sorted((each for each in self.tagged if each.differs), key=lambda each: each.cause is not None))

    @property
    def unsettled(self) -> int:
        return sum(each.cause is None for each in self.tagged)


def results_of(analysis: ErrorAnalysis, causes: Sequence[ErrorCause]) -> Results:
    """Of a sample that both have handed in. Prompts are resampled, the data set's own draws.

    See docs/statistics.md, Intervals and tests.
    """
    tagged = tagged_of(analysis)
    table = table_of(analysis.run.dataset, analysis.version)
    prompts, resampling = _prompts(table, tagged), Resampling(table.strata)
    number = {cause.pk: place for place, cause in enumerate(causes)}
    said = np.array([[number[tag.cause_id] for tag in each.tags] for each in tagged], dtype=np.int64)
    found = np.array([UNSETTLED if each.cause is None else number[each.cause.pk] for each in tagged], dtype=np.int64)
    return Results(
        tagged, _agreement(said, len(causes), prompts, resampling), _shares(tagged, found, causes, prompts, resampling)
    )


def tagged_of(analysis: ErrorAnalysis) -> tuple[Tagged, ...]:
    """In the order in which they were drawn; four queries."""
    rows = (
        analysis.items.for_page()
        .select_related("settlement__cause", "settlement__settled_by")
        .prefetch_related("ratings__cause", "ratings__rater")
        .order_by("position")
    )
    place = dict(analysis.taggers.values_list("who", "place"))
    found = []
    for mistake in rows:
        first, second = sorted(mistake.ratings.all(), key=lambda tag: place[tag.rater_id])
        found.append(Tagged(mistake, (first, second)))
    return tuple(found)


def _prompts(table: GoldTable, tagged: Sequence[Tagged]) -> Ints:
    """The row of each mistake's prompt among those that are resampled."""
    row = dict(zip(table.responses.key.tolist(), table.responses.prompt.tolist(), strict=True))
    return np.array([row[each.mistake.segment.response_id] for each in tagged], dtype=np.int64)


def _agreement(said: Ints, causes: int, prompts: Ints, resampling: Resampling) -> tuple[Agreed, ...]:
    measured = measure_agreement(said, causes, prompts, OF_THE_TAGGERS, resampling)
    return tuple(
        Agreed(COEFFICIENTS[name].title, each.value, each.interval, ONE_CAUSE if each.value is None else "")
        for name, each in measured.items()
    )


def _shares(
    tagged: Sequence[Tagged], found: Ints, causes: Sequence[ErrorCause], prompts: Ints, resampling: Resampling
) -> tuple[CauseShare, ...]:
    missed = np.array([each.mistake.is_missed for each in tagged], dtype=np.bool_)
    every, of_missed, of_alarms = (
        shares_of(np.where(counted, found, UNSETTLED), len(causes), prompts, resampling)
        for counted in (np.ones_like(missed), missed, ~missed)
    )
    parts = zip(causes, every, of_missed, of_alarms, strict=True)
    return tuple(CauseShare(cause.name, *shares) for cause, *shares in parts)


def tables_of(analysis: ErrorAnalysis, results: Results) -> list[Table]:
    """What the page offers to take away: shares, agreement, and every mistake with its tags."""
    return [_shares_table(analysis, results), _agreement_table(results), _mistakes_table(results)]


def _shares_table(analysis: ErrorAnalysis, results: Results) -> Table:
    rows = [
        (
            row.name,
            row.every.count,
            row.every.n,
            row.every.share,
            *_ends(row.every.interval),
            row.missed.count,
            row.alarms.count,
        )
        for row in results.shares
    ]
    columns = ("Cause", "Mistakes", "Of", "Share", "Low", "High", "Missed errors", "False alarms")
    return Table("causes", f"the causes of the mistakes of {analysis.run.evaluator.name}", columns, rows)


def _agreement_table(results: Results) -> Table:
    rows = [(each.name, each.value, *_ends(each.interval)) for each in results.agreement]
    return Table("agreement", "how far the two taggers agree", ("Coefficient", "Value", "Low", "High"), rows)


def _mistakes_table(results: Results) -> Table:
    columns = ("Place", "Response", "Unit", "Gold", "Said", "First tag", "Second tag", "Cause", "Why")
    rows = [
        (
            each.mistake.position + 1,
            each.mistake.segment.response.index,
            each.mistake.text,
            each.mistake.gold,
            each.mistake.predicted,
            *(tag.cause.name for tag in each.tags),
            each.cause.name if each.cause else None,
            each.mistake.settlement.why if hasattr(each.mistake, "settlement") else "",
        )
        for each in results.tagged
    ]
    return Table("mistakes", "every mistake of the sample with its tags", columns, rows)


def _ends(around: Interval | None) -> tuple[Cell, Cell]:
    return (None, None) if around is None else (around.low, around.high)
