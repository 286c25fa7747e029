"""The fourth stage of an item: three of the candidates that passed the filters (factor/choosing)."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from annotate.leased.settle import finish
from annotate.leased.shift import Question, Store
from annotate.models.leased import LeasedQuerySet
from factor.building.steps import leave_out
from factor.choosing.choose import choose
from factor.models import BenchmarkBuildItem, Candidate
from llm.asker import Asker


def prepare_choosing(item: BenchmarkBuildItem) -> Question:
    """The candidates in the order in which they were written, so that the seed draws the same again."""
    kept = list(item.candidates.filter(outcome=Candidate.Outcome.KEPT).order_by("error_type", "position"))
    seed = f"{item.build.seed}/{item.document.key}"

    async def question(ask: Asker) -> Store:
        chosen = [kept[place].pk for place in choose([each.error_type for each in kept], seed)]
        return lambda held: _store(held, chosen)

    return question


@transaction.atomic
def _store(held: LeasedQuerySet[Any], chosen: Sequence[int]) -> None:
    if not chosen:
        leave_out(BenchmarkBuildItem.Reason.TOO_FEW, held)
    elif finish(held, outcome=BenchmarkBuildItem.Outcome.MADE):
        Candidate.objects.filter(pk__in=chosen).update(outcome=Candidate.Outcome.CHOSEN)
