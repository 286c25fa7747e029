"""An adjudicator settles what a second look contradicts: gold is changed by a decision, or it stands."""

from django.db import transaction
from django.utils import timezone

from annotate.adjudication.addresses import last_decision
from annotate.adjudication.decide import DecisionError, decide
from annotate.labels.judgement import Reference
from annotate.models import Adjudication, Look, LookItem, User
from annotate.second_look.cases import Case


class SettleError(ValueError):
    """It cannot be settled like that; the message says why. Nothing was changed."""


@transaction.atomic
def take(case: Case, look: Look, why: str, who: User, seen: int | None) -> None:
    """Make what was said in the look gold, by a decision of the person. `seen`: as in `decide`. Raises SettleError."""
    _check(case, why)
    try:
        gold = decide(
            case.item.address,
            who,
            value=look.value,
            error_type=look.error_type,
            reason=look.reason,
            references=[Reference(url) for url in look.links],
            irrelevance=look.irrelevance,
            why=why,
            seen=seen,
        )
    except DecisionError as error:
        raise SettleError(f"Not settled: {error}.") from error
    _settle(case.item, who, why, gold.adjudication)


@transaction.atomic
def uphold(case: Case, why: str, who: User) -> None:
    """Gold in force is right. Where it was decided anew since the unit was sent, that decision is what changed it.

    Raises SettleError.
    """
    _check(case, why)
    _settle(case.item, who, why, case.now.adjudication if case.is_revised and case.now else None)


def last_decided(case: Case) -> int | None:
    """The primary key of the last decision at the unit's address, for `seen`."""
    decision = last_decision(case.item.address)
    return None if decision is None else decision.pk


def _check(case: Case, why: str) -> None:
    if not why.strip():
        raise SettleError("Say why: the reason stays with the decision.")
    if not case.is_answered:
        raise SettleError("Not everybody has looked yet.")


def _settle(item: LookItem, who: User, why: str, adjudication: Adjudication | None) -> None:
    unsettled = LookItem.objects.filter(pk=item.pk).unsettled()
    settled = {"settled_at": timezone.now(), "settled_by": who, "why": why.strip(), "adjudication": adjudication}
    if not unsettled.update(**settled):
        raise SettleError("Somebody has settled it meanwhile.")
