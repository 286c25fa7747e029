"""The sentences of a task on which its annotators differ, and the rebuttal that opens where there are any."""

from collections import defaultdict
from datetime import datetime

from annotate.models import Assignment, Label, ReferenceLink, Task, Value

# A judgement at a fact (None: at the sentence), or a citation: what two annotators have alike or not.
Content = tuple[object, ...]


def differing_segments(task: Task) -> set[int]:
    """The segments (primary keys) where the first submissions differ in a judgement or in the evidence.

    A judgement is a value with its type or kind of irrelevance, evidence is a source with its quote. By sentence also
    where facts are judged, and without a word on which of the two it is, or whose: this is shown to annotators.
    Revisions do not count: they would tell who changed their mind.
    """
    submitted = Assignment.objects.filter(task=task, state=Assignment.State.SUBMITTED)
    annotators = set(submitted.values_list("pk", flat=True))
    labels = Label.objects.filter(assignment__in=annotators).independent()
    contents: defaultdict[int, defaultdict[int, set[Content]]] = defaultdict(lambda: defaultdict(set))
    for segment, annotator, fact, value, error_type, irrelevance in labels.values_list(
        "segment", "assignment", "fact", "value", "error_type", "irrelevance"
    ):
        kind = error_type if value == Value.NOT_SUPPORTED else irrelevance
        contents[segment][annotator].add(("judgement", fact, value, kind))
    links = ReferenceLink.objects.filter(label__in=labels)
    for segment, annotator, url, document, quote in links.values_list(
        "label__segment", "label__assignment", "url", "document", "quote"
    ):
        contents[segment][annotator].add(("evidence", url, document, quote))
    return {
        segment
        for segment, by_annotator in contents.items()
        if len({frozenset(by_annotator[annotator]) for annotator in annotators}) > 1
    }


def open_rebuttal(task: Task, now: datetime) -> bool:
    """Open the rebuttal if the dataset has one and all of two or more annotators have submitted and differ somewhere:
    until then nobody sees anything.

    The task is locked (annotate/tasks/places.py). Returns whether it was opened now.
    """
    if not task.dataset.rebuttal or task.rebuttal_at is not None or task.kind != Task.Kind.WORK or task.wants < 2:
        return False
    if task.assignments.filter(state=Assignment.State.SUBMITTED).count() < task.wants or not differing_segments(task):
        return False
    task.rebuttal_at = now
    task.save(update_fields=["rebuttal_at"])
    return True
