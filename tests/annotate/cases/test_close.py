"""When a task is closed whose gold was there before its annotators were done."""

import pytest

from annotate.judgements.judgement import UnitJudgement
from annotate.labels.submit import submit
from annotate.models import Assignment, Dataset, Task
from annotate.rebuttal.answer import let_stand
from annotate.tasks.serving import open_next
from tests.annotate.adjudication.work import make_task
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def submit_next(dataset: Dataset, name: str, value: str = "supported") -> None:
    """The person's next task, every segment with this value."""
    assignment = open_next(dataset, make_person(name, dataset))
    assert assignment is not None
    segments = assignment.task.responses.get().segments.all()
    assignment.draft = {str(segment.pk): UnitJudgement(value).stored() for segment in segments}
    assignment.save()
    submit(assignment)


def gilded(dataset: Dataset) -> Task:
    """A task for two whose gold came with the file."""
    task = make_task(response := make_response(dataset))
    for segment in response.segments.all():
        add_gold(segment, "supported")
    return task


def test_a_task_whose_gold_was_imported_is_closed_by_the_last_who_submits() -> None:
    task = gilded(dataset := make_dataset())
    submit_next(dataset, "ada")
    task.refresh_from_db()
    assert task.closed_at is None
    submit_next(dataset, "ben")
    task.refresh_from_db()
    assert task.closed_at is not None


def test_one_that_is_to_be_signed_waits_for_that() -> None:
    dataset = make_dataset()
    Dataset.objects.update(review="reviewer")
    task = gilded(dataset)
    for name in ("ada", "ben"):
        submit_next(Dataset.objects.get(), name)
    task.refresh_from_db()
    assert task.closed_at is None


def test_one_in_rebuttal_is_closed_by_the_last_answer() -> None:
    dataset = make_dataset()
    Dataset.objects.update(rebuttal=True)
    task = gilded(dataset)
    submit_next(Dataset.objects.get(), "ada")
    submit_next(Dataset.objects.get(), "ben", "not_supported")
    task.refresh_from_db()
    assert task.closed_at is None
    for assignment in Assignment.objects.all():
        let_stand(assignment, assignment.draft_version)
    task.refresh_from_db()
    assert task.closed_at is not None
