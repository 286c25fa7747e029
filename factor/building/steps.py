"""What becomes of an item after a stage: it waits for the next, or is settled."""

from typing import Any

from annotate.leased.settle import finish
from annotate.models.leased import Leased, LeasedQuerySet
from factor.models import BenchmarkBuildItem


def step_to(stage: BenchmarkBuildItem.Stage, held: LeasedQuerySet[Any], **brought: Any) -> bool:
    """Let the item wait for the stage, if the owner still holds it; in one transaction with what the last brought."""
    return bool(held.put(Leased.State.WAITING, stage=stage, attempts=0, error="", **brought))


def leave_out(reason: BenchmarkBuildItem.Reason, held: LeasedQuerySet[Any]) -> bool:
    """Settle the item without an example, if the owner still holds it."""
    return finish(held, outcome=BenchmarkBuildItem.Outcome.LEFT_OUT, reason=reason)
