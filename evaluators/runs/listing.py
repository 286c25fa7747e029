"""The runs of a dataset as a list: counted and priced for a whole page at once."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce, NullIf

from annotate.models import Dataset
from evaluators.models import Evaluator, Prediction, Run, RunItem
from jobs.models import JobQuerySet

ORDERS = {
    "evaluator": "evaluator__name",
    "state": "state",
    "progress": "share",
    "who": "created_by__username",
    "when": "created_at",
    "seconds": "duration",
}
NEWEST_FIRST = "-when"


@dataclass(frozen=True)
class Spent:
    """Tokens and price of a run's answers. cost_usd: None where the price of any is unknown."""

    tokens: int = 0
    cost_usd: float | None = 0.0


def list_runs(dataset: Dataset, state: str = "", name: str = "", order: str = NEWEST_FIRST) -> JobQuerySet[Run]:
    """The dataset's runs, each with `total` items, those `done` and `failed`, its `share` settled and its `duration`.

    `state` and a part of the evaluator's `name` narrow the list. `order` is a key of ORDERS, after a minus descending;
    what has no value comes last either way.
    """
    runs = (
        Run.objects.filter(dataset=dataset, evaluator__name__icontains=name)
        .select_related("evaluator", "created_by")
        .annotate(
            total=Count("items"),
            done=Count("items", filter=Q(items__state=RunItem.State.DONE)),
            failed=Count("items", filter=Q(items__state=RunItem.State.FAILED)),
            duration=F("last_prediction_at") - F("started_at"),
        )
        .annotate(settled=F("done") + F("failed"))
        .annotate(share=Coalesce(F("settled") * 1.0 / NullIf(F("total"), 0), 1.0))
    )
    if state in Run.State.values:
        runs = runs.filter(state=state)
    column = F(ORDERS.get(order.removeprefix("-"), "created_at"))
    descending = order.startswith("-")
    return runs.order_by(column.desc(nulls_last=True) if descending else column.asc(nulls_last=True), "-pk")


def spent_by(runs: Collection[Run]) -> dict[int, Spent]:
    """Tokens and price by the run's key. An answer that several predictions were read from counts once a run."""
    answers = (
        Prediction.calls.through._default_manager.filter(prediction__run__in=runs)
        .values_list("prediction__run", "call", "call__prompt_tokens", "call__completion_tokens", "call__cost_usd")
        .distinct()
    )
    tokens: dict[int, int] = defaultdict(int)
    costs: dict[int, float | None] = defaultdict(float)
    for run, _, prompt_tokens, completion_tokens, cost in answers:
        tokens[run] += (prompt_tokens or 0) + (completion_tokens or 0)
        so_far = costs[run]
        costs[run] = None if cost is None or so_far is None else so_far + float(cost)
    return {run.pk: _spent_elsewhere(run) or Spent(tokens[run.pk], costs[run.pk]) for run in runs}


def _spent_elsewhere(run: Run) -> Spent | None:
    """Tokens and price of an imported run where it ran (its bundle, its log), or as an outside evaluator has named
    them. None for a run of this database."""
    if run.evaluator.method == Evaluator.OUTSIDE:
        unpriced = run.manifest.get("outside", {}).get("unpriced", 0)
        return Spent(run.spent_tokens, None if unpriced else float(run.spent_usd))
    origin = run.manifest.get("bundle") or run.manifest.get("inspect")
    return None if origin is None else Spent(origin["tokens"], origin["cost_usd"])
