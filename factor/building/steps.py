"""The steps of an item after a stage: it waits for the next stage, or is settled."""

from typing import Any

from factor.models import BenchmarkBuildItem
from jobs.leases import Lease


def step_to(stage: BenchmarkBuildItem.Stage, lease: Lease[BenchmarkBuildItem], **columns: Any) -> bool:
    """Let the item wait for the stage, if the owner still holds it; in one transaction with the last one's results."""
    return lease.advance(stage=stage, **columns)


def leave_out(reason: BenchmarkBuildItem.Reason, lease: Lease[BenchmarkBuildItem]) -> bool:
    """Settle the item without an example, if the owner still holds it."""
    return lease.finish(outcome=BenchmarkBuildItem.Outcome.LEFT_OUT, reason=reason)
