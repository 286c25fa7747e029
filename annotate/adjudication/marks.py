"""What annotators say of units themselves, listed for adjudicators, and what becomes of it."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotate.adjudication.decide import DecisionError, check_why, decide
from annotate.cases.addresses import last_decision
from annotate.models import Dataset, GoldLabel, UnitMark, User, Value
from annotate.models.corpus import visible

State = UnitMark.State


def marks_of(dataset: Dataset) -> QuerySet[UnitMark]:
    """Open ones of responses that count and all settled ones, the oldest first; none that its annotator took back."""
    counts = visible("segment__response__") | ~Q(state=State.OPEN)
    kept = UnitMark.objects.filter(counts, assignment__task__dataset=dataset)
    return kept.exclude(state=State.WITHDRAWN).order_by("created_at", "pk")


@transaction.atomic
def dismiss(mark: UnitMark, who: User, reason: str) -> None:
    """The unit stays as it is. Raises DecisionError without a reason, and where it was settled before."""
    settle(_locked(mark), State.DISMISSED, who, check_why(reason))


@transaction.atomic
def set_no_claim(mark: UnitMark, who: User, reason: str) -> GoldLabel:
    """Make “irrelevant” the gold of the unit, by a decision as any other. Raises DecisionError as `decide` does."""
    mark = _locked(mark)
    address = mark.segment_id, mark.fact_id
    last = last_decision(address)
    irrelevance = "unrelated" if mark.fact_id is not None else ""
    gold = decide(address, who, Value.IRRELEVANT, irrelevance=irrelevance, why=reason, seen=last.pk if last else None)
    same = UnitMark.objects.filter(segment=mark.segment_id, fact=mark.fact_id, kind=UnitMark.Kind.NO_CLAIM)
    settle(mark, State.MENDED, who, reason.strip())
    for other in same.filter(state=State.OPEN):
        settle(other, State.MENDED, who, reason.strip())
    return gold


def _locked(mark: UnitMark) -> UnitMark:
    """Raises DecisionError where it waits for nobody any more."""
    locked = UnitMark.objects.select_for_update(of=("self",)).select_related("segment__response").get(pk=mark.pk)
    if locked.state != State.OPEN:
        raise DecisionError("somebody has settled this mark in the meantime")
    return locked


def settle(mark: UnitMark, state: State, who: User, reason: str) -> None:
    """The end of a mark: what became of it, by whom and why."""
    mark.state, mark.settled_by, mark.settled_at, mark.reason = state, who, timezone.now(), reason
    mark.save(update_fields=["state", "settled_by", "settled_at", "reason"])
