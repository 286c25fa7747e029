"""The model's answers that were given for each item of a run, also where no judgement came of them."""

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from annotate.corpus.inserting import insert_rows
from evaluators.models import RunItem
from llm.models import Call


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
