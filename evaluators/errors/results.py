"""The results of a tagged sample: the agreement of the two taggers, and the share of each cause."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluators.comparison.study import table_of
from evaluators.models import ErrorAnalysis, ErrorCause, Mistake, MistakeSettlement, MistakeTag
from ratings.agreement import AgreementFigure, agreement_of
from stats.arrays import Ints
from stats.bootstrap import Resampling
from stats.gold_table import GoldTable
from stats.proportions import ClusteredShare, shares_of

COEFFICIENTS = ("percent", "kappa", "alpha")
ONE_CAUSE = "both tagged everything with one and the same cause: there is nothing to tell apart"
UNSETTLED = -1


@dataclass(frozen=True)
class TaggedMistake:
    """A mistake with the tags of both, in order of place."""

    mistake: Mistake
    tags: tuple[MistakeTag, MistakeTag]

    @property
    def settlement(self) -> MistakeSettlement | None:
        return getattr(self.mistake, "settlement", None)

    @property
    def differs(self) -> bool:
        return self.tags[0].cause_id != self.tags[1].cause_id

    @property
    def cause(self) -> ErrorCause | None:
        """The cause that both see, or that of the settlement; None while there is none."""
        if not self.differs:
            return self.tags[0].cause
        return None if self.settlement is None else self.settlement.cause


@dataclass(frozen=True)
class CauseShare:
    """The share of a cause in the settled mistakes: of all, of missed errors, of false alarms."""

    name: str
    every: ClusteredShare
    missed: ClusteredShare
    alarms: ClusteredShare


@dataclass(frozen=True)
class AnalysisResults:
    """The results of a sample that both have handed in."""

    tagged: tuple[TaggedMistake, ...]
    agreement: tuple[AgreementFigure, ...]
    shares: tuple[CauseShare, ...]

    @property
    def differing(self) -> tuple[TaggedMistake, ...]:
        """The mistakes that the two tagged differently, the unsettled ones first."""
        return tuple(sorted((each for each in self.tagged if each.differs), key=lambda each: each.cause is not None))

    @property
    def unsettled(self) -> int:
        return sum(each.cause is None for each in self.tagged)


def results_of(analysis: ErrorAnalysis, causes: Sequence[ErrorCause]) -> AnalysisResults:
    """Prompts are resampled, the dataset's own draws (docs/statistics.md, Intervals and tests)."""
    tagged = tagged_of(analysis)
    table = table_of(analysis.run.dataset, analysis.version)
    prompts, resampling = _prompts(table, tagged), Resampling(table.strata)
    number = {cause.pk: place for place, cause in enumerate(causes)}
    tags = np.array([[number[tag.cause_id] for tag in each.tags] for each in tagged], dtype=np.int64)
    settled = np.array([UNSETTLED if each.cause is None else number[each.cause.pk] for each in tagged], dtype=np.int64)
    agreement = agreement_of(tags, len(causes), prompts, COEFFICIENTS, ONE_CAUSE, resampling)
    shares = _shares(tagged, settled, causes, prompts, resampling)
    return AnalysisResults(tagged, tuple(agreement.values()), shares)


def tagged_of(analysis: ErrorAnalysis) -> tuple[TaggedMistake, ...]:
    """The mistakes in the order of the draw; four queries."""
    mistakes = (
        analysis.items.for_page()
        .select_related("settlement__cause", "settlement__settled_by")
        .prefetch_related("ratings__cause", "ratings__rater")
        .order_by("position")
    )
    place = dict(analysis.taggers.values_list("who", "place"))
    tagged = []
    for mistake in mistakes:
        first, second = sorted(mistake.ratings.all(), key=lambda tag: place[tag.rater_id])
        tagged.append(TaggedMistake(mistake, (first, second)))
    return tuple(tagged)


def _prompts(table: GoldTable, tagged: Sequence[TaggedMistake]) -> Ints:
    """The row of each mistake's prompt among the resampled prompts."""
    row = dict(zip(table.responses.key.tolist(), table.responses.prompt.tolist(), strict=True))
    return np.array([row[each.mistake.segment.response_id] for each in tagged], dtype=np.int64)


def _shares(
    tagged: Sequence[TaggedMistake], settled: Ints, causes: Sequence[ErrorCause], prompts: Ints, resampling: Resampling
) -> tuple[CauseShare, ...]:
    missed = np.array([each.mistake.is_missed for each in tagged], dtype=np.bool_)
    every, of_missed, of_alarms = (
        shares_of(np.where(counted, settled, UNSETTLED), len(causes), prompts, resampling)
        for counted in (np.ones_like(missed), missed, ~missed)
    )
    parts = zip(causes, every, of_missed, of_alarms, strict=True)
    return tuple(CauseShare(cause.name, *shares) for cause, *shares in parts)
