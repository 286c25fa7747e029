"""What becomes of a proposal: done, failed for good, or waiting for another attempt."""

from django.utils import timezone

from annotate.models import Proposal

MAX_ATTEMPTS = 3


def finish(proposal: Proposal, owner: str) -> bool:
    """Mark it done, if the owner still holds it; call it in one transaction with what it brought."""
    return bool(
        Proposal.objects.held_by(owner)
        .filter(pk=proposal.pk)
        .update(state=Proposal.State.DONE, error="", settled_at=timezone.now(), lease_owner="", lease_until=None)
    )


def fail(proposal: Proposal, owner: str, error: str, *, final: bool) -> None:
    """Keep the reason. It is tried again unless that is final, or was the last of MAX_ATTEMPTS."""
    attempts = proposal.attempts + 1
    held = Proposal.objects.held_by(owner).filter(pk=proposal.pk)
    if final or attempts >= MAX_ATTEMPTS:
        held.update(
            state=Proposal.State.FAILED,
            attempts=attempts,
            error=error,
            settled_at=timezone.now(),
            lease_owner="",
            lease_until=None,
        )
    else:
        held.update(state=Proposal.State.WAITING, attempts=attempts, error=error, lease_owner="", lease_until=None)


def fail_all(dataset: int, kind: str, model: str, error: str) -> int:
    """Fail all that still wait, for what none of them can escape; how many there were."""
    waiting = Proposal.objects.waiting().filter(response__dataset=dataset, kind=kind, model=model)
    return waiting.update(state=Proposal.State.FAILED, error=error, settled_at=timezone.now())
