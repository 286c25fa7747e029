"""The runs of a dataset as a list: counted and priced for a whole page at once."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce, NullIf

from annotate.models import Dataset
from evaluators.models import Evaluator, Run, RunItem, RunTag
from evaluators.runs.item_calls import answers_given
from jobs.models import JobQuerySet

ORDERS = {
    "evaluator": "evaluator__name",
    "state": "state",
    "progress": "share",
    "who": "created_by__username",
    "when": "created_at",
    "seconds": "duration",
}
# The entry of an imported run's manifest that says where its predictions come from.
ORIGIN = "origin"
NEWEST_FIRST, OLDEST_FIRST = "-when", "when"


@dataclass(frozen=True)
class Spent:
    """Tokens and price of a run's answers, the price with its searches of the web. cost_usd: None where the price of
    any is unknown; tokens: 0 where an imported run does not tell them."""

    tokens: int = 0
    cost_usd: float | None = 0.0


def list_runs(
    dataset: Dataset,
    state: str = "",
    name: str = "",
    order: str = NEWEST_FIRST,
    *,
    edits: bool = False,
    tag: str = "",
    archived: bool | None = None,
) -> JobQuerySet[Run]:
    """The dataset's runs of evaluators (`edits`: of editors), each with `total` items, those `done` and `failed`, its
    `share` settled and its `duration`.

    `state`, a part of the evaluator's `name` and a `tag` narrow the list. `archived`: only the archived ones, or only
    the others; None: both. `order` is a key of ORDERS, after a minus descending;
    what has no value comes last either way.
    """
    runs: JobQuerySet[Run] = (
        Run.objects.filter(dataset=dataset, edits=edits, evaluator__name__icontains=name)
        .select_related("evaluator", "created_by")
        .prefetch_related("tags")
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
    if tag:
        runs = runs.filter(pk__in=RunTag.objects.filter(name=tag).values("run"))
    if archived is not None:
        runs = runs.filter(archived_at__isnull=not archived)
    column = F(ORDERS.get(order.removeprefix("-"), "created_at"))
    descending = order.startswith("-")
    return runs.order_by(column.desc(nulls_last=True) if descending else column.asc(nulls_last=True), "-pk")


def spent_by(runs: Collection[Run]) -> dict[int, Spent]:
    """Tokens and price by the run's key. Every answer that a run was given counts once, also for a response that
    failed or was skipped, and so does a search of the web."""
    columns = ("run", "calls", "calls__prompt_tokens", "calls__completion_tokens", "calls__cost_usd")
    tokens: dict[int, int] = defaultdict(int)
    costs: dict[int, float | None] = defaultdict(float)
    for run, _, prompt_tokens, completion_tokens, cost in answers_given(runs, *columns):
        tokens[run] += (prompt_tokens or 0) + (completion_tokens or 0)
        so_far = costs[run]
        costs[run] = None if cost is None or so_far is None else so_far + float(cost)
    for run, cost in Run.searches.through._default_manager.filter(run__in=runs).values_list(
        "run", "websearch__cost_usd"
    ):
        so_far = costs[run]
        costs[run] = None if cost is None or so_far is None else so_far + float(cost)
    return {run.pk: spent_elsewhere(run) or Spent(tokens[run.pk], costs[run.pk]) for run in runs}


def spent_elsewhere(run: Run) -> Spent | None:
    """Tokens and price of an imported run where it ran (its bundle, its log, or as whoever imported it says), or as an
    outside evaluator has named them. None for a run of this database."""
    if run.evaluator.method == Evaluator.OUTSIDE:
        unpriced = run.manifest.get("outside", {}).get("unpriced", 0)
        return Spent(run.spent_tokens, None if unpriced else float(run.spent_usd))
    origin = run.manifest.get("bundle") or run.manifest.get("inspect")
    if run.evaluator.method == Evaluator.IMPORTED:
        said = run.manifest.get(ORIGIN, {}).get("cost_usd")
        tokens, cost = (origin["tokens"], origin["cost_usd"]) if origin else (0, None)
        return Spent(tokens, cost if said is None else said)
    return None if origin is None else Spent(origin["tokens"], origin["cost_usd"])
