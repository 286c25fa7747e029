"""Stopping work that was begun, and going on with it."""

from django.db import transaction

from annotate.leased.limits import NO_LIMITS, Limits, check_room, raised
from annotate.models.undertaking import Undertaking


def stop(work: Undertaking) -> None:
    """Take up no other item; calls under way end, and what they bring is kept."""
    under_way = type(work)._default_manager.filter(pk=work.pk, state=work.UNDER_WAY)
    under_way.update(state=work.State.STOPPED)


def go_on(work: Undertaking, limits: Limits = NO_LIMITS) -> None:
    """Work on what is left, and once more on what failed, under the limits given or else its own.

    Raises StartError where what it has spent leaves no room under them.
    """
    limits = raised(work, limits)
    check_room(work, limits, work.CALLED)
    budget = {"max_tokens": limits.tokens, "max_cost_usd": limits.cost_usd}
    with transaction.atomic():
        at_rest = type(work)._default_manager.filter(pk=work.pk, state__in=work.AT_REST)
        if at_rest.update(state=work.UNDER_WAY, error="", finished_at=None, **budget):
            work.items.all().retry()
