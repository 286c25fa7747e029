"""The model's answers that were given for each item of a run, also where no judgement came of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotate.corpus.inserting import insert_rows
from evaluators.models import ExtractedClaim, Prediction, Run, RunItem, SentenceEdit
from llm.models import Call

# The tables that name answers, and how each names its response. A run of an earlier version noted none with its items:
# its answers are those that its outcomes were read from.
NAMING = (
    (RunItem, "response"),
    (Prediction, "segment__response"),
    (ExtractedClaim, "response"),
    (SentenceEdit, "segment__response"),
)


def link_calls(given: Mapping[int, Iterable[int]]) -> None:
    """given: by the key of an item the keys of its answers. Called in a transaction that holds the items' rows."""
    links = ((item, call) for item, calls in given.items() for call in calls)
    # An item that is judged again is given the same answers from the cache.
    insert_rows(RunItem.calls.through, ("runitem", "call"), links, pass_over=True)


@transaction.atomic
def note_calls(item: int, calls: Sequence[int]) -> None:
    """Note the answers that were given for an item without a result. What was deleted meanwhile is passed over."""
    held = RunItem.objects.filter(pk=item).select_for_update()
    if calls and held.values_list("pk").first():
        link_calls({item: Call.objects.filter(pk__in=calls).values_list("pk", flat=True)})


def answers_given(
    runs: Collection[Run], *columns: str, responses: Collection[int] | None = None
) -> QuerySet[Any, tuple[Any, ...]]:
    """The columns of all answers that the runs were given, whatever came of them; each row once, as unions are.

    columns: "run", or paths from "response" and "calls" ("calls__cost_usd"). responses: only those given for these.
    """
    first, *others = (_read(model, path, runs, columns, responses) for model, path in NAMING)
    return first.union(*others)


def _read(
    model: type[Any], path: str, runs: Collection[Run], columns: Sequence[str], responses: Collection[int] | None
) -> QuerySet[Any, tuple[Any, ...]]:
    rows = model.objects.filter(run__in=runs, calls__isnull=False)
    if responses is not None:
        rows = rows.filter(**{f"{path}__in": responses})
    found = (f"{path}{each.removeprefix('response')}" if each.startswith("response") else each for each in columns)
    read: QuerySet[Any, tuple[Any, ...]] = rows.order_by().values_list(*found)
    return read
