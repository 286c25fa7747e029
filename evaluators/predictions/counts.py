"""The facts of each response, counted by a run's predictions."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotate.models import Value
from evaluators.methods.abstention import ABSTAINED
from evaluators.methods.base import NO_CLAIM
from evaluators.methods.factscore_facts import JUDGED, facts_of
from evaluators.methods.felm import judges_claims
from evaluators.models import Run, RunItem
from evaluators.models.prediction import PredictionQuerySet

# What FELM's methods by claims say of a segment in which they looked for claims and found none, or none to be read.
IN_VAIN = Q(fallback="") & (Q(unparsed=True) | Q(rationale=NO_CLAIM))


@dataclass(frozen=True)
class JudgedCounts:
    """The facts of one response by their outcome; `irrelevant` ones are among the judged. `done`: the run got to an end
    with it."""

    supported: int = 0
    irrelevant: int = 0
    judged: int = 0
    unparsed: int = 0
    skipped: int = 0
    done: bool = False

    @property
    def facts(self) -> int:
        return self.judged + self.unparsed + self.skipped


def count_judged(run: Run) -> dict[int, JudgedCounts]:
    """The counts of each response, by primary key."""
    unparsed = Q(unparsed=True)
    predictions = {
        row["segment__response"]: row
        for row in run.predictions.order_by()
        .values("segment__response")
        .annotate(
            supported=Count("pk", filter=Q(value=Value.SUPPORTED)),
            irrelevant=Count("pk", filter=Q(value=Value.IRRELEVANT)),
            judged=Count("pk", filter=~unparsed),
            unread=Count("pk", filter=unparsed),
        )
    }
    items = {
        response: (state, skipped) for response, state, skipped in run.items.values_list("response", "state", "skipped")
    }
    counted = {}
    for response in predictions.keys() | items.keys():
        row = predictions.get(response, {"supported": 0, "irrelevant": 0, "judged": 0, "unread": 0})
        state, skipped = items.get(response, (RunItem.State.DONE, {}))
        counted[response] = JudgedCounts(
            supported=row["supported"],
            irrelevant=row["irrelevant"],
            judged=row["judged"],
            unparsed=row["unread"],
            skipped=sum(count for reason, count in skipped.items() if reason != ABSTAINED),
            done=state == RunItem.State.DONE,
        )
    return counted


def counts_by_claims(run: Run) -> bool:
    """Whether the run is counted by the claims that it extracted, not by the units that it judged. Generated facts are
    both, and claims only where people judge facts too, so they count as units."""
    return facts_of(run.evaluator.parameters) == JUDGED and run.extracted_claims.exists()


def judged_without_claims(run: Run) -> set[int]:
    """The responses (primary keys) of a run with claims of its own that it got to an end with, but looked for no claims
    in, or kept none of: they say nothing about its claims.

    With generated facts: people judged no facts of them at the time. By FELM's claims: segments were judged in their
    place, or were all longer than the context, or an earlier version judged them.
    """
    parameters, predictions = run.evaluator.parameters, run.predictions.all()
    kept = set(run.extracted_claims.order_by().values_list("response_id", flat=True).distinct())
    if facts_of(parameters) != JUDGED:
        return _responses_of(predictions) - kept
    if not judges_claims(run.evaluator.method, parameters):
        return set()
    in_vain = _responses_of(predictions.filter(IN_VAIN)) - _responses_of(predictions.exclude(IN_VAIN))
    return set(run.items.done().values_list("response_id", flat=True)) - kept - in_vain


def _responses_of(predictions: PredictionQuerySet) -> set[int]:
    return set(predictions.order_by().values_list("segment__response_id", flat=True).distinct())


def count_claims(run: Run) -> dict[int, JudgedCounts] | None:
    """The claims that the run extracted by itself, by response (primary key); None where it is not counted by them."""
    if not counts_by_claims(run):
        return None
    rows = (
        run.extracted_claims.order_by()
        .values("response")
        .annotate(
            supported=Count("pk", filter=Q(value=Value.SUPPORTED)),
            irrelevant=Count("pk", filter=Q(value=Value.IRRELEVANT)),
            judged=Count("pk", filter=Q(value__isnull=False)),
            unread=Count("pk", filter=Q(value__isnull=True)),
        )
    )
    return {
        row["response"]: JudgedCounts(row["supported"], row["irrelevant"], row["judged"], row["unread"], done=True)
        for row in rows
    }
