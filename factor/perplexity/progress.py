"""How far passes are, and what they have brought so far."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from annotate.leased.progress import Progress, is_unheard
from annotate.models.leased import Leased
from factor.models import Perplexity, PerplexityItem
from factor.perplexity.dates import Dates, held_against
from stats.perplexity import DocumentSum, PerplexityFigures, figures

# Passes whose intervals are kept: a list shows those of many that are finished.
PASSES_KEPT = 64
State = Leased.State


@dataclass(frozen=True)
class PerplexityProgress(Progress):
    """Counts of documents. `dates`: of the sample, against the model's cut-off; None where that is not known."""

    figures: PerplexityFigures
    dates: Dates | None


@lru_cache(maxsize=PASSES_KEPT)
def _kept(documents: tuple[DocumentSum, ...]) -> PerplexityFigures:
    return figures(documents)


def progress_of(perplexity: Perplexity) -> PerplexityProgress:
    return progress_of_all([perplexity])[perplexity.pk]


def progress_of_all(perplexities: Iterable[Perplexity]) -> dict[int, PerplexityProgress]:
    """By primary key; one query, however many there are. The passes come with their models."""
    passes = {each.pk: each for each in perplexities}
    sums: dict[int, list[DocumentSum]] = {pk: [] for pk in passes}
    dates: dict[int, list[date | None]] = {pk: [] for pk in passes}
    states: dict[int, list[str]] = {pk: [] for pk in passes}
    moments: dict[int, list[datetime]] = {pk: [] for pk in passes}
    columns = ("perplexity", "state", "settled_at", "total", "count", "characters", "document__published")
    for pk, state, settled, total, count, characters, published in (
        PerplexityItem.objects.filter(perplexity__in=passes).order_by("pk").values_list(*columns)
    ):
        states[pk].append(state)
        dates[pk].append(published)
        moments[pk] += [settled] if settled else []
        if state == State.DONE and total is not None:
            sums[pk].append(DocumentSum(total, count, characters))
    return {
        pk: PerplexityProgress(
            total=len(states[pk]),
            done=states[pk].count(State.DONE),
            failed=states[pk].count(State.FAILED),
            unheard=is_unheard(each, max(moments[pk], default=None)) and State.LEASED not in states[pk],
            figures=_kept(tuple(sums[pk])),
            dates=held_against(each.model.cutoff, dates[pk]) if each.model.cutoff else None,
        )
        for pk, each in passes.items()
    }
