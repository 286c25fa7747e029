"""Settling of second looks that contradict gold: gold is changed by a decision, or upheld."""

import json
from hashlib import sha256

from django.db import transaction

from annotate.adjudication.decide import DecisionError, check_why, decide
from annotate.cases.addresses import last_decision
from annotate.judgements.judgement import CitedReference
from annotate.models import Adjudication, Dataset, SecondLookItem, User
from annotate.second_look.cases import LookCase, LookStatus, cases_of
from core.errors import not_saved
from ratings import settle as settlements
from ratings.errors import SettleError
from ratings.rate import lock

NOT_OPEN = {
    LookStatus.WAITING: "Not everybody has looked yet.",
    LookStatus.CONFIRMED: "No second look differs from gold any more.",
    LookStatus.STANDS: "Somebody has adjudicated this in the meantime.",
    LookStatus.CHANGED: "Somebody has adjudicated this in the meantime.",
}


@transaction.atomic
def take(item: SecondLookItem, look: int, why: str, who: User, seen: str) -> None:
    """Make the judgement of the look (its primary key) gold, by a decision of the person.

    `seen` is the `state_of` the case that the person has read. Raises SettleError where the case is not open or has
    changed since, for a look of another case, for a missing reason, and where gold cannot be decided.
    """
    case = _as_it_was_read(item, seen)
    taken = next((each for each in case.looks if each.pk == look), None)
    if taken is None:
        raise SettleError("Choose whether to keep or change gold.")
    try:
        gold = decide(
            case.item.address,
            who,
            value=taken.value,
            error_type=taken.error_type,
            reason=taken.note,
            references=[CitedReference(url) for url in taken.links],
            irrelevance=taken.irrelevance,
            why=why,
            seen=_last_decided(case),
        )
        _settle(case, who, why, gold.adjudication)
    except DecisionError as error:
        raise SettleError(not_saved(error)) from error


@transaction.atomic
def uphold(item: SecondLookItem, why: str, who: User, seen: str) -> None:
    """Gold in force is right. Where it was decided anew since the unit was sent, that decision settles the case.

    `seen` and SettleError: as in `take`.
    """
    case = _as_it_was_read(item, seen)
    try:
        _settle(case, who, why, case.now.adjudication if case.is_revised and case.now else None)
    except DecisionError as error:
        raise SettleError(not_saved(error)) from error


def state_of(case: LookCase) -> str:
    """A digest of the looks, of gold and of the last decision: it changes with each of them."""
    looks = [(each.pk, each.value, each.error_type, each.irrelevance, each.note, each.links) for each in case.looks]
    read = [looks, case.now.pk if case.now else None, _last_decided(case)]
    return sha256(json.dumps(read).encode()).hexdigest()[:16]


def _last_decided(case: LookCase) -> int | None:
    decision = last_decision(case.item.address)
    return None if decision is None else decision.pk


def _as_it_was_read(item: SecondLookItem, seen: str) -> LookCase:
    """The open case, locked against other decisions and looks. Raises SettleError where it is not as `seen`."""
    Dataset.objects.select_for_update().get(pk=item.sample.dataset_id)  # locked by a decision
    lock(item)  # locked by a look
    (case,) = cases_of(SecondLookItem.objects.filter(pk=item.pk))
    if case.status is not LookStatus.OPEN:
        raise SettleError(NOT_OPEN[case.status])
    if state_of(case) != seen:
        raise SettleError("Gold or a second look has changed: check both and choose again.")
    return case


def _settle(case: LookCase, who: User, why: str, adjudication: Adjudication | None) -> None:
    settlements.settle(case.item, who, check_why(why), adjudication=adjudication)
