"""Storing what came of items: once, and only by whoever holds their lease."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from annotate.corpus.inserting import insert_rows
from annotate.models import Value
from evaluators.methods.base import Case, Judgement, Outcome, Skip, Unit
from evaluators.models import Prediction, Run, RunItem
from llm.completion import storable

MOST_ATTEMPTS = 3
LONGEST_REASON = 100


class ContractError(Exception):
    """A method gave what the contract does not allow (evaluators/methods/base.py)."""


@dataclass(frozen=True)
class Result:
    """What came of one item: judgements and counts of skipped units by reason, or an error (`final`: another attempt
    could not help)."""

    item: RunItem
    judgements: tuple[Judgement, ...] = ()
    skipped: dict[str, int] = field(default_factory=dict)
    error: str = ""
    final: bool = False


def read_outcomes(item: RunItem, case: Case, outcomes: Sequence[Outcome]) -> Result:
    """The outcomes of a method as a result, checked: raises ContractError where they break the method's contract, so
    that one bad judgement cannot spoil the group it would be stored in."""
    if Counter(address(outcome.unit) for outcome in outcomes) != Counter(address(unit) for unit in case.units):
        raise ContractError(f"The method gave {len(outcomes)} outcomes for {len(case.units)} units, not one for each.")
    judgements = tuple(outcome for outcome in outcomes if isinstance(outcome, Judgement))
    for judgement in judgements:
        _check(judgement)
    skipped = Counter(outcome.reason for outcome in outcomes if isinstance(outcome, Skip))
    return Result(item, judgements, dict(skipped))


def _check(judgement: Judgement) -> None:
    if judgement.value is not None and judgement.value not in Value.values:
        raise ContractError(f"The method gave the value {judgement.value!r}.")
    if judgement.score is not None and not 0 <= judgement.score <= 1:
        raise ContractError(f"The method gave the score {judgement.score}, which is no probability.")
    if storable(judgement.rationale) != judgement.rationale:
        raise ContractError("The method gave a rationale that no database can store.")
    if len(judgement.fallback) > LONGEST_REASON:
        raise ContractError(f"The method gave a reason of its fallback longer than {LONGEST_REASON} characters.")


def address(unit: Unit) -> tuple[int, int | None]:
    return unit.segment_id, unit.fact_id


def store_results(run: Run, owner: str, results: Sequence[Result]) -> int:
    """Store the results of items that the owner still holds, all in one transaction; how many they were.

    A result whose lease was lost is dropped: whoever has the item now stores its own. The rows stay locked until the
    transaction ends, so a lease cannot change hands between the look and the writing.
    """
    if not results:
        return 0
    with transaction.atomic():
        keys = [result.item.pk for result in results]
        held = set(
            run.items.held_by(owner).filter(pk__in=keys).order_by("pk").select_for_update().values_list("pk", flat=True)
        )
        ours = [result for result in results if result.item.pk in held]
        judged = [result for result in ours if not result.error]
        _add_predictions(run, [judgement for result in judged for judgement in result.judgements])
        _settle(judged)
        for result in ours:
            if result.error:
                _count_failure(result)
        if any(result.judgements for result in judged):
            Run.objects.filter(pk=run.pk).update(last_prediction_at=timezone.now())
    return len(ours)


def _add_predictions(run: Run, judgements: Sequence[Judgement]) -> None:
    insert_rows(
        Prediction,
        ("run", "segment", "fact", "value", "unparsed", "score", "rationale", "fallback"),
        (
            (run.pk, *address(said.unit), said.value, said.value is None, said.score, said.rationale, said.fallback)
            for said in judgements
        ),
    )
    calls = {address(said.unit): said.calls for said in judgements if said.calls}
    if calls:
        new = run.predictions.filter(segment__in={segment for segment, _ in calls})
        insert_rows(
            Prediction.calls.through,
            ("prediction", "call"),
            (
                (prediction, call)
                for prediction, segment, fact in new.values_list("pk", "segment", "fact")
                for call in dict.fromkeys(calls.get((segment, fact), ()))
            ),
        )


def _settle(judged: Sequence[Result]) -> None:
    ended = {"state": RunItem.State.DONE, "error": "", "lease_owner": "", "lease_until": None}
    RunItem.objects.filter(pk__in=[result.item.pk for result in judged]).update(**ended)
    skipping = [result.item for result in judged if result.skipped]
    for result in judged:
        result.item.skipped = result.skipped
    RunItem.objects.bulk_update(skipping, ["skipped"])


def _count_failure(result: Result) -> None:
    """The item waits for another attempt, behind those that have not failed; after the last it has failed."""
    attempts = result.item.attempts + 1
    state = RunItem.State.FAILED if result.final or attempts >= MOST_ATTEMPTS else RunItem.State.PENDING
    RunItem.objects.filter(pk=result.item.pk).update(
        state=state, attempts=attempts, error=result.error, lease_owner="", lease_until=None
    )
