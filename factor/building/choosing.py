"""The fourth stage of an item: three of the candidates that passed the filters (factor/choosing)."""

from collections.abc import Sequence

from factor.building.resource import BuildResource
from factor.building.steps import leave_out
from factor.choosing.choose import choose
from factor.models import BenchmarkBuildItem, Candidate
from jobs.kinds import Question, Store
from jobs.leases import Lease


def prepare_choosing(item: BenchmarkBuildItem) -> Question[BuildResource]:
    """The candidates in the order in which they were written, so that the seed draws the same again."""
    candidates = list(item.candidates.filter(outcome=Candidate.Outcome.KEPT).order_by("error_type", "position"))
    seed = f"{item.build.seed}/{item.document.key}"

    async def question(_: BuildResource) -> Store:
        chosen = [candidates[place].pk for place in choose([each.error_type for each in candidates], seed)]
        return lambda lease: _store(lease, chosen)

    return question


def _store(lease: Lease[BenchmarkBuildItem], chosen: Sequence[int]) -> None:
    if not chosen:
        leave_out(BenchmarkBuildItem.Reason.TOO_FEW, lease)
    elif lease.finish(outcome=BenchmarkBuildItem.Outcome.MADE):
        Candidate.objects.filter(pk__in=chosen).update(outcome=Candidate.Outcome.CHOSEN)
