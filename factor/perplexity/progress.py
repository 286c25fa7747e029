"""The progress of passes, and their results so far."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from factor.models import Perplexity, PerplexityItem
from factor.perplexity.dates import Dates, held_against
from jobs.models import JobItem
from jobs.progress import JobProgress, counts_of
from stats.perplexity import DocumentSum, PerplexityFigures, figures

# Passes whose intervals are cached: a list has many finished ones.
PASSES_KEPT = 64
State = JobItem.State


@dataclass(frozen=True)
class PerplexitySummary:
    """Counts of documents, and their figures. `dates`: of the sample, against the model's cut-off; None where that is
    not known."""

    total: int
    done: int
    failed: int
    figures: PerplexityFigures
    dates: Dates | None


@dataclass(frozen=True)
class PerplexityProgress(JobProgress):
    """Counts of documents; `figures` and `dates` as in PerplexitySummary."""

    figures: PerplexityFigures
    dates: Dates | None


@lru_cache(maxsize=PASSES_KEPT)
def _kept(documents: tuple[DocumentSum, ...]) -> PerplexityFigures:
    return figures(documents)


def progress_of(perplexity: Perplexity) -> PerplexityProgress:
    summary = summary_of(perplexity)
    return PerplexityProgress(**counts_of(perplexity), figures=summary.figures, dates=summary.dates)


def summary_of(perplexity: Perplexity) -> PerplexitySummary:
    return summaries_of([perplexity])[perplexity.pk]


def summaries_of(perplexities: Iterable[Perplexity]) -> dict[int, PerplexitySummary]:
    """By primary key; one query, however many there are. The passes come with their models."""
    passes = {each.pk: each for each in perplexities}
    sums: dict[int, list[DocumentSum]] = {pk: [] for pk in passes}
    dates: dict[int, list[date | None]] = {pk: [] for pk in passes}
    states: dict[int, list[str]] = {pk: [] for pk in passes}
    columns = ("perplexity", "state", "total", "count", "characters", "document__published")
    for pk, state, total, count, characters, published in (
        PerplexityItem.objects.filter(perplexity__in=passes).order_by("pk").values_list(*columns)
    ):
        states[pk].append(state)
        dates[pk].append(published)
        if state == State.DONE and total is not None:
            sums[pk].append(DocumentSum(total, count, characters))
    return {
        pk: PerplexitySummary(
            total=len(states[pk]),
            done=states[pk].count(State.DONE),
            failed=states[pk].count(State.FAILED),
            figures=_kept(tuple(sums[pk])),
            dates=held_against(each.model.cutoff, dates[pk]) if each.model.cutoff else None,
        )
        for pk, each in passes.items()
    }
