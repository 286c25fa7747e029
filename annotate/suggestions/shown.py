"""Which suggestions an assignment shows, and which were seen.

How an assignment shows them is settled when it is first opened, so that a later change of the setting reaches no work
that somebody has begun.
"""

from collections.abc import Mapping
from hashlib import sha256

from annotate.judgements.entries import Entry
from annotate.judgements.judgement import UnitJudgement
from annotate.models import Assignment, Dataset, Suggesting, SuggestionShown, Task
from annotate.suggestions.source import Suggestion, source


def settle(assignment: Assignment, dataset: Dataset) -> None:
    """Let work that is opened for the first time show suggestions as the dataset says; the caller saves it.

    Never on known answers: a suggestion would help there.
    """
    if dataset.suggesting == Suggesting.OFF or assignment.task.kind != Task.Kind.WORK:
        return
    withheld = is_withheld(assignment.task_id, dataset)
    assignment.suggestion = SuggestionShown.WITHHELD if withheld else SuggestionShown(dataset.suggesting)
    assignment.suggestion_run = dataset.suggestion_run


def is_withheld(task: int, dataset: Dataset) -> bool:
    """By a hash of the task's number: the same for all its annotators, whenever they open it."""
    place = int.from_bytes(sha256(f"suggestions {task}".encode()).digest()[:8], "big") / 2**64
    return place < dataset.suggestion_withheld


def has_suggestions(assignment: Assignment) -> bool:
    """Whether there are any, shown or not; a task that has become one with known answers has none any more."""
    return assignment.suggestion != "" and assignment.task.kind == Task.Kind.WORK


def shown_to(assignment: Assignment) -> dict[str, Suggestion]:
    """The suggestions on the assignment's page, by the keys of units; one query at most."""
    if not has_suggestions(assignment):
        return {}
    if assignment.suggestion == SuggestionShown.BEFORE:
        return suggestions_for(assignment)
    seen = assignment.suggestions_seen
    return {key: Suggestion(each["value"], each["reason"]) for key, each in seen.items() if each}


def suggestions_for(assignment: Assignment) -> dict[str, Suggestion]:
    """All that the run says of the assignment's units, shown or not."""
    assert assignment.suggestion_run is not None  # noqa: S101 - settled together with how they are shown
    return source().of_task(assignment.suggestion_run, assignment.task)


def seen_with(assignment: Assignment, draft: Mapping[str, Entry]) -> dict[str, dict[str, str]]:
    """The suggestions that have been shown once this draft is saved: of each unit with a label, by its key, an empty
    one where the run says nothing.

    The first label that a unit was saved with stays beside its suggestion, whatever the annotator makes of it.
    """
    seen: dict[str, dict[str, str]] = assignment.suggestions_seen
    if assignment.suggestion != SuggestionShown.AFTER or not has_suggestions(assignment):
        return seen
    judged = {key: each.value for key, each in draft.items() if isinstance(each, UnitJudgement) and each.value}
    if not judged.keys() - seen.keys():
        return seen
    says = suggestions_for(assignment)
    new = {key: _beside(value, says.get(key)) for key, value in judged.items() if key not in seen}
    return {**seen, **new}


def _beside(own: str, suggestion: Suggestion | None) -> dict[str, str]:
    return {"own": own, "value": suggestion.value, "reason": suggestion.reason} if suggestion else {}
