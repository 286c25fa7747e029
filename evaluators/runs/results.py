"""Storing what methods make of items: once, and only by the holder of their lease."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils import timezone

from annotate.corpus.inserting import insert_rows
from annotate.models import Value
from evaluators.methods.base import Case, Judgement, Outcome, Skip, Unit
from evaluators.models import Prediction, Run, RunItem
from jobs.leases import Lease
from llm.completion import storable

LONGEST_REASON = 100


class ContractError(Exception):
    """An outcome that the contract of methods does not allow (evaluators/methods/base.py)."""


@dataclass(frozen=True)
class Result:
    """A method's outcome of one item: judgements, and counts of skipped units by reason. Called with the item's lease
    it is stored."""

    judgements: tuple[Judgement, ...] = ()
    skipped: dict[str, int] = field(default_factory=dict)

    def __call__(self, lease: Lease[RunItem]) -> int:
        return store_results([(lease, self)])


def read_outcomes(case: Case, outcomes: Sequence[Outcome]) -> Result:
    """The outcomes of a method as a result, checked: raises ContractError where they break the method's contract, so
    that one bad judgement cannot spoil the group it would be stored in."""
    if Counter(address(outcome.unit) for outcome in outcomes) != Counter(address(unit) for unit in case.units):
        raise ContractError(f"The method gave {len(outcomes)} outcomes for {len(case.units)} units, not one for each.")
    judgements = tuple(outcome for outcome in outcomes if isinstance(outcome, Judgement))
    for judgement in judgements:
        _check(judgement)
    skipped = Counter(outcome.reason for outcome in outcomes if isinstance(outcome, Skip))
    return Result(judgements, dict(skipped))


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


def store_results(results: Sequence[tuple[Lease[RunItem], Result]]) -> int:
    """Store the results of items of one run whose leases their one owner still holds; how many they were.

    A result whose lease was lost is dropped: the owner that has the item now stores its own. The rows stay locked until
    the transaction ends, so a lease cannot change hands between the look and the writing. Called in a transaction.
    """
    lease = results[0][0]
    rows = RunItem.objects.held_by(lease.owner).filter(pk__in=[lease.item.pk for lease, _ in results])
    held = set(rows.order_by("pk").select_for_update().values_list("pk", flat=True))
    ours = [(lease.item, result) for lease, result in results if lease.item.pk in held]
    run = Run(pk=lease.item.run_id)
    judgements = [judgement for _, result in ours for judgement in result.judgements]
    _add_predictions(run, judgements)
    RunItem.objects.filter(pk__in=held).put(RunItem.State.DONE, error="", settled_at=timezone.now())
    _note_skipped(ours)
    if judgements:
        Run.objects.filter(pk=run.pk).update(last_prediction_at=timezone.now())
    return len(ours)


def _add_predictions(run: Run, judgements: Sequence[Judgement]) -> None:
    insert_rows(
        Prediction,
        ("run", "segment", "fact", "value", "unparsed", "score", "rationale", "fallback"),
        (
            (
                run.pk,
                *address(judgement.unit),
                judgement.value,
                judgement.value is None,
                judgement.score,
                judgement.rationale,
                judgement.fallback,
            )
            for judgement in judgements
        ),
    )
    calls = {address(judgement.unit): judgement.calls for judgement in judgements if judgement.calls}
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


def _note_skipped(ours: Sequence[tuple[RunItem, Result]]) -> None:
    skipping = []
    for item, result in ours:
        if result.skipped:
            item.skipped = result.skipped
            skipping.append(item)
    RunItem.objects.bulk_update(skipping, ["skipped"])
