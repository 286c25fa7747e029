"""Stopping work that was begun, and going on with it."""

from django.db import transaction

from annotate.models.undertaking import Undertaking
from jobs.limits import NO_LIMITS, Limits


def stop(work: Undertaking) -> None:
    """Take up no other item; calls under way end, and what they bring is kept."""
    type(work).objects.filter(pk=work.pk).stop()


def go_on(work: Undertaking, limits: Limits = NO_LIMITS) -> None:
    """Work on what is left, and once more on what failed, under the limits given or else its own.

    Raises StartError where what it has spent leaves no room under them.
    """
    limits = work.raised(limits)
    work.check_limits(limits, work.CALLED)
    budget = {"max_tokens": limits.tokens, "max_cost_usd": limits.cost_usd}
    with transaction.atomic():
        if type(work).objects.filter(pk=work.pk).take_up(**budget):
            work.items.all().retry()
