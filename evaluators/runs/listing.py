"""The runs of a dataset as a list: counted and priced for a whole page at once."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce, NullIf

from annotate.models import Dataset
from evaluators.models import Evaluator, Run, RunItem, RunTag
from evaluators.runs.item_calls import answers_given
from jobs.models import JobQuerySet
from llm.price import Part, in_order, unpriced_of

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
# Of a bundle or a log that says what its run took; earlier versions have the first two.
TOLD = ("tokens", "cost_usd", "known_usd", "unpriced")
NEWEST_FIRST, OLDEST_FIRST = "-when", "when"


@dataclass(frozen=True)
class Spent:
    """Tokens and price of a run's answers, the price with its searches of the web. known_usd: of the parts whose price
    is known; unpriced: the other parts (llm.price.Part). tokens: 0 where an imported run does not tell them."""

    tokens: int = 0
    known_usd: float = 0.0
    unpriced: tuple[str, ...] = ()

    @property
    def cost_usd(self) -> float | None:
        """None where the price of a part is unknown."""
        return None if self.unpriced else self.known_usd

    @classmethod
    def elsewhere(cls, tokens: int, cost_usd: float | None, known_usd: float = 0.0, unpriced: Any = ()) -> "Spent":
        """As another server tells it; None: it does not tell the whole price."""
        return (
            cls(tokens, cost_usd) if cost_usd is not None else cls(tokens, known_usd, tuple(unpriced or (Part.CALLS,)))
        )


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
    of_call = ("prompt_tokens", "completion_tokens", "cost_usd", "known_usd", "unpriced")
    tokens: dict[int, int] = defaultdict(int)
    known: dict[int, float] = defaultdict(float)
    unpriced: dict[int, set[str]] = defaultdict(set)
    columns = ("run", "calls", *(f"calls__{name}" for name in of_call))
    for run, _, prompt_tokens, completion_tokens, cost, known_usd, parts in answers_given(runs, *columns):
        tokens[run] += (prompt_tokens or 0) + (completion_tokens or 0)
        known[run] += float(cost if cost is not None else known_usd or 0)
        if cost is None:
            unpriced[run].update(unpriced_of(parts))
    for run, cost in Run.searches.through._default_manager.filter(run__in=runs).values_list(
        "run", "websearch__cost_usd"
    ):
        known[run] += float(cost or 0)
        if cost is None:
            unpriced[run].add(Part.SEARCHES)
    return {
        run.pk: spent_elsewhere(run) or Spent(tokens[run.pk], known[run.pk], in_order([unpriced[run.pk]]))
        for run in runs
    }


def spent_elsewhere(run: Run) -> Spent | None:
    """Tokens and price of an imported run where it ran (its bundle, its log, or as whoever imported it says), or as an
    outside evaluator has named them. None for a run of this database."""
    if run.evaluator.method == Evaluator.OUTSIDE:
        unpriced = run.manifest.get("outside", {}).get("unpriced", 0)
        return Spent(run.spent_tokens, float(run.spent_usd), (Part.CALLS,) if unpriced else ())
    origin = run.manifest.get("bundle") or run.manifest.get("inspect")
    if run.evaluator.method == Evaluator.IMPORTED:
        said = run.manifest.get(ORIGIN, {}).get("cost_usd")
        if said is not None or origin is None:
            return Spent.elsewhere(origin["tokens"] if origin else 0, said)
    return None if origin is None else Spent.elsewhere(*(origin[name] for name in TOLD if name in origin))
