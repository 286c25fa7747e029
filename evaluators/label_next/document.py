"""The plan, its rounds and their estimates as a document (docs/commands.md, `label_next`)."""

from typing import TypedDict

from evaluators.comparison.study import ComparisonStudy
from evaluators.label_next.estimate import RoundEstimate, estimate_rounds, later_draws
from evaluators.label_next.plan import planned_pool
from evaluators.models import LabelPlan


class PlanDocument(TypedDict):
    id: int
    evaluator: str
    figure: str
    seed: int
    floor: float


class RoundDocument(TypedDict):
    round: int
    scale: float
    expected: float
    prompts: int
    labels: int
    awaited: int
    value: float | None
    interval: list[float] | None
    withheld: str
    weight: float | None
    random_labels: float | None
    saved: float | None


class LaterDocument(TypedDict):
    more: int
    labels: float
    width: float


class LabelNextDocument(TypedDict):
    dataset: str
    evaluator: str
    figure: str
    plan: PlanDocument
    prompts: int
    known: int
    outside: int
    newcomers: int
    rounds: list[RoundDocument]
    next: list[LaterDocument]


def document_of(plan: LabelPlan, study: ComparisonStudy, name: str, figure: str) -> LabelNextDocument:
    """PlanError: nothing can be estimated for the evaluator of that name."""
    planned = planned_pool(plan, study, name)
    rounds = estimate_rounds(planned, figure)
    return {
        "dataset": plan.dataset.name,
        "evaluator": name,
        "figure": figure,
        "plan": {
            "id": plan.pk,
            "evaluator": plan.evaluator.name,
            "figure": plan.figure,
            "seed": plan.seed,
            "floor": plan.floor,
        },
        "prompts": len(planned.score),
        "known": int(planned.known.sum()),
        "outside": planned.outside(),
        "newcomers": planned.newcomers,
        "rounds": [_of_round(each) for each in rounds],
        "next": [
            {"more": each.more, "labels": each.labels, "width": each.width}
            for each in later_draws(planned, figure, rounds)
        ],
    }


def _of_round(each: RoundEstimate) -> RoundDocument:
    found = each.estimate
    return {
        "round": each.round.number,
        "scale": each.round.scale,
        "expected": each.round.expected,
        "prompts": each.prompts,
        "labels": each.labels,
        "awaited": each.awaited,
        "value": found.value if found else None,
        "interval": found.interval.ends() if found and found.interval else None,
        "withheld": found.withheld if found else "",
        "weight": found.weight if found else None,
        "random_labels": each.random_labels,
        "saved": each.saved,
    }
