"""Which units may be sent to a second look: not those that were looked at already, and not past who could look."""

from collections import Counter

from annotate.cases.addresses import Address
from annotate.models import Assignment, Dataset, GoldLabel, LookItem, Role, ViewReceipt


def looked_at(dataset: Dataset) -> set[Address]:
    """The addresses that were sent since their gold in force is what it is: nothing new would be learnt of them."""
    gold: dict[Address, int] = {
        (segment, fact): revision
        for segment, fact, revision in GoldLabel.objects.current()
        .filter(segment__in=LookItem.objects.of(dataset).values("segment"))
        .values_list("segment_id", "fact_id", "revision")
    }
    sent = LookItem.objects.of(dataset).values_list("segment_id", "fact_id", "sample__revision")
    return {(segment, fact) for segment, fact, at in sent if gold.get((segment, fact), at + 1) <= at}


def lookers_by_response(dataset: Dataset) -> dict[int, int]:
    """How many annotators have never had the task of each visible response, nor seen its labels, by its primary key."""
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
