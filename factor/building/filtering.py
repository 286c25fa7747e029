"""The third stage of an item: its candidates measured, and those dropped that a filter does not let pass
(factor/filtering)."""

from collections.abc import Sequence

from factor.building.resource import BuildResource
from factor.building.steps import step_to
from factor.filtering.decide import Decision, FilterFigures
from factor.models import BenchmarkBuildItem, Candidate
from jobs.kinds import Question, Store
from jobs.leases import Lease


def prepare_filtering(item: BenchmarkBuildItem) -> Question[BuildResource]:
    """Measure every candidate that waits, and decide."""
    waiting = list(item.candidates.waiting().order_by("pk"))
    prefix, sentence = item.prefix, item.sentence

    async def question(resource: BuildResource) -> Store:
        decided = await resource.filters.filter(prefix, sentence, [(each.error_type, each.text) for each in waiting])
        for candidate, (figures, decision) in zip(waiting, decided, strict=True):
            _note(candidate, figures, decision)
        return lambda lease: _store(lease, waiting)

    return question


def _note(candidate: Candidate, figures: FilterFigures, decision: Decision) -> None:
    candidate.contradiction, candidate.fluency = figures.contradiction, figures.fluency
    candidate.outcome = Candidate.Outcome.KEPT if decision.kept else Candidate.Outcome.DROPPED
    candidate.reason, candidate.explanation = decision.reason, decision.explanation


def _store(lease: Lease[BenchmarkBuildItem], candidates: Sequence[Candidate]) -> None:
    if step_to(BenchmarkBuildItem.Stage.CHOOSE, lease):
        changed = ["contradiction", "fluency", "outcome", "reason", "explanation"]
        Candidate.objects.bulk_update(candidates, changed, batch_size=100)
