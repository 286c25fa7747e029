"""The units that may be sent to a second look, and their sending in an order that does not reveal the reason."""

from collections import Counter
from collections.abc import Sequence

from django.db import transaction

from annotate.cases.addresses import Address
from annotate.models import Assignment, Dataset, GoldLabel, Role, SecondLook, SecondLookItem, User, ViewReceipt
from annotate.second_look.cases import open_cases
from ratings.draw import BATCH, seeded
from ratings.errors import DrawError

MOST_LOOKERS = 5


def under_way(dataset: Dataset) -> set[Address]:
    """The addresses that lack looks, or whose looks contradict gold and are not settled."""
    waiting = SecondLookItem.objects.of(dataset).lacking().values_list("segment_id", "fact_id")
    return {*waiting, *(case.item.address for case in open_cases(dataset))}


@transaction.atomic
def send(
    dataset: Dataset, addresses: Sequence[Address], wants: int, seed: int, revision: int, sent_by: User
) -> list[SecondLookItem]:
    """One item an address, shuffled by the seed; returned in the order of `addresses`.

    revision: the dataset's `gold_revision` at which they were chosen. Raises DrawError where gold has changed since,
    for an address without gold, and for one that is on its way already.
    """
    if not addresses:
        raise DrawError("No units to send.")
    if not 1 <= wants <= MOST_LOOKERS:
        raise DrawError(f"A unit needs 1 to {MOST_LOOKERS} second looks, not {wants}.")
    # A decision locks the row, too: gold is not changed between being read here and being sent.
    dataset = Dataset.objects.select_for_update().get(pk=dataset.pk)
    if dataset.gold_revision != revision:
        raise DrawError("Gold has changed: reload the page.")
    if under_way(dataset) & set(addresses):
        raise DrawError("Some units are already sent: reload the page.")
    gold = set(GoldLabel.objects.of(dataset).current().without_removed().values_list("segment_id", "fact_id"))
    if not gold.issuperset(addresses):
        raise DrawError("Some of these units have no gold.")
    number = len(addresses)
    sample = SecondLook.objects.create(
        dataset=dataset,
        revision=dataset.gold_revision,
        size=number,
        population=number,
        raters=wants,
        seed=seed,
        created_by=sent_by,
    )
    places = seeded(seed).sample(range(number), number)
    items = [
        SecondLookItem(sample=sample, position=place, segment_id=segment, fact_id=fact)
        for place, (segment, fact) in zip(places, addresses, strict=True)
    ]
    return SecondLookItem.objects.bulk_create(items, batch_size=BATCH)


def looked_at(dataset: Dataset) -> set[Address]:
    """The addresses that were sent since their gold in force was decided."""
    gold: dict[Address, int] = {
        (segment, fact): revision
        for segment, fact, revision in GoldLabel.objects.current()
        .filter(segment__in=SecondLookItem.objects.of(dataset).values("segment"))
        .values_list("segment_id", "fact_id", "revision")
    }
    sent = SecondLookItem.objects.of(dataset).values_list("segment_id", "fact_id", "sample__revision")
    return {(segment, fact) for segment, fact, at in sent if gold.get((segment, fact), at + 1) <= at}


def lookers_by_response(dataset: Dataset) -> dict[int, int]:
    """The number of annotators who have neither had the task of a visible response nor seen its labels, by response."""
    annotators = set(dataset.memberships.filter(role=Role.ANNOTATOR).values_list("user_id", flat=True))
    had = Assignment.objects.of(dataset).filter(annotator__in=annotators).order_by()
    seen = ViewReceipt.objects.filter(
        task__dataset=dataset, who__in=annotators, what=ViewReceipt.What.LABELS
    ).order_by()
    # A person who had the task and has seen its labels is one row.
    knowing = had.values_list("task_id", "annotator_id").union(seen.values_list("task_id", "who_id"))
    number = Counter(task for task, _ in knowing)
    responses = dataset.responses.visible().order_by().values_list("pk", "task_id")
    return {response: len(annotators) - number[task] for response, task in responses}
