"""Turning tasks into qualifications and controls, and back."""

import pytest

from annotate.models import Assignment, Label, Task
from annotate.qualification.choose import KindError, set_kind
from annotate.tasks.assign import assign
from annotate.tasks.serving import open_next
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.qualification.work import answer, known_task, work_task
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_dataset()


def settled_task(dataset):
    """Judged by Ada and Ben, with gold, closed."""
    task = work_task(dataset)
    segments = list(task.responses.get().segments.all())
    for name in ("ada", "ben"):
        judge(task, make_person(name), dict.fromkeys(segments, "supported"))
    for segment in segments:
        add_gold(segment, "supported")
    task.closed_at = task.assignments.first().submitted_at
    task.save()
    return task


def test_a_task_without_gold_throughout_is_refused_and_nothing_changes(dataset):
    known, half = work_task(dataset), work_task(dataset)
    for segment in known.responses.get().segments.all():
        add_gold(segment, "supported")
    add_gold(half.responses.get().segments.first(), "supported")
    with pytest.raises(KindError, match="task 2 has units without gold"):
        set_kind(dataset, [known.pk, half.pk], "control")
    assert set(dataset.tasks.values_list("kind", flat=True)) == {"work"}


def test_a_task_that_somebody_is_at_is_refused(dataset):
    task = work_task(dataset)
    for segment in task.responses.get().segments.all():
        add_gold(segment, "supported")
    open_next(dataset, make_person("ada", dataset))
    with pytest.raises(KindError, match="ada has begun task 1"):
        set_kind(dataset, [task.pk], "qualification")


def test_reserved_places_are_let_go_so_that_everybody_may_be_served(dataset):
    response = make_response(dataset)
    for segment in response.segments.all():
        add_gold(segment, "supported")
    task = make_task(response)
    ada = make_person("ada", dataset)
    Assignment.objects.create(task=task, annotator=ada, place=0)
    dataset.qualification_pass = 0.5
    set_kind(dataset, [task.pk], "qualification")
    assert open_next(dataset, ada).task == task


def test_what_was_submitted_before_remains_work(dataset):
    task = settled_task(dataset)
    set_kind(dataset, [task.pk], "control")
    answer(Assignment.objects.create(task=task, annotator=make_person("cleo"), place=2))
    real = Label.objects.of(dataset).real()
    assert set(real.values_list("assignment__annotator__username", flat=True)) == {"ada", "ben"}
    known = Label.objects.of(dataset).of_known("control")
    assert set(known.values_list("assignment__annotator__username", flat=True)) == {"cleo"}


def test_back_to_work_it_wants_no_fewer_than_have_it_and_is_settled_again(dataset):
    task = settled_task(dataset)
    set_kind(dataset, [task.pk], "control")
    assert Task.objects.get(pk=task.pk).closed_at is None
    set_kind(dataset, [task.pk], "work")
    task.refresh_from_db()
    assert (task.kind, task.wants, task.known_since, task.closed_at is None) == ("work", 2, None, False)


def test_an_unknown_kind_is_refused(dataset):
    with pytest.raises(KindError, match="no kind 'secret'"):
        set_kind(dataset, [], "secret")


def test_assigning_leaves_known_tasks_alone(dataset):
    known = known_task(dataset, "control")
    work = work_task(dataset)
    make_person("ada", dataset)
    result = assign(dataset, ["ada"], overlap=0, seed=7)
    assert result.tasks == 1
    assert (known.assignments.count(), work.assignments.count()) == (0, 1)
