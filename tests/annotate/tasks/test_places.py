"""Opening, leasing, lapsing and giving back places."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from annotate.models import Assignment, Dataset, Task
from annotate.tasks.assign import assign
from annotate.tasks.create import create_tasks
from annotate.tasks.places import give_back, lapse_expired, open_assignment
from annotate.tasks.serving import open_next
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

NOW = timezone.now()
LEASE = timedelta(hours=settings.TASK_LEASE_HOURS)
LATER = NOW + LEASE + timedelta(minutes=1)


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    for _ in range(2):
        make_response(dataset)
    create_tasks(dataset)
    return dataset


@pytest.fixture
def ada(dataset):
    return make_person("ada", dataset)


@pytest.fixture
def ben(dataset):
    return make_person("ben", dataset)


def test_opening_starts_a_lease(dataset, ada):
    opened = open_next(dataset, ada, NOW)
    assert (opened.state, opened.lease_until, opened.opened_at) == ("open", NOW + LEASE, NOW)


def test_what_is_open_comes_before_anything_new(dataset, ada):
    first = open_next(dataset, ada, NOW)
    assert open_next(dataset, ada, NOW) == first


def test_a_reserved_place_comes_before_a_free_one(dataset, ada):
    second = Task.objects.get(position=1)
    reserved = Assignment.objects.create(task=second, annotator=ada, place=0)
    assert open_next(dataset, ada, NOW) == reserved


def test_a_task_is_never_given_to_more_than_it_wants(dataset, ada, ben):
    taken = [open_next(dataset, person, NOW) for person in (ada, ben, make_person("cleo", dataset))]
    assert [each and each.task.position for each in taken] == [0, 1, None]


def test_a_place_whose_lease_ran_out_goes_to_somebody_else(dataset, ada, ben):
    lost = open_next(dataset, ada, NOW)
    taken = open_next(dataset, ben, LATER)
    lost.refresh_from_db()
    assert (lost.state, taken.task, taken.place) == ("lapsed", lost.task, lost.place)


def test_nobody_gets_a_task_twice(dataset, ada):
    lost = open_next(dataset, ada, NOW)
    lapse_expired(dataset, LATER)
    second = open_next(dataset, ada, LATER)
    assert second.task != lost.task
    give_back(second)
    assert open_next(dataset, ada, LATER) is None


def test_an_expired_lease_is_renewed_while_nobody_took_the_place(dataset, ada):
    opened = open_next(dataset, ada, NOW)
    lapse_expired(dataset, LATER)
    renewed = open_assignment(opened, LATER)
    assert (renewed.state, renewed.lease_until, renewed.opened_at) == ("open", LATER + LEASE, NOW)


def test_a_lapsed_place_that_somebody_took_stays_lost(dataset, ada, ben):
    lost = open_next(dataset, ada, NOW)
    open_next(dataset, ben, LATER)
    assert open_assignment(lost, LATER).state == "lapsed"


def test_a_place_given_back_does_not_come_back(dataset, ada, ben):
    opened = open_next(dataset, ada, NOW)
    assert give_back(opened)
    assert open_assignment(opened, NOW).state == "lapsed"
    assert open_next(dataset, ben, NOW).task == opened.task


def test_submitted_work_cannot_be_given_back(dataset, ada):
    opened = open_next(dataset, ada, NOW)
    Assignment.objects.filter(pk=opened.pk).update(state="submitted", submitted_at=NOW)
    assert not give_back(opened)


def test_a_closed_task_is_never_handed_out(dataset, ada):
    Assignment.objects.create(task=Task.objects.get(position=1), annotator=ada, place=0)
    dataset.tasks.update(closed_at=NOW)
    assert open_next(dataset, ada, NOW) is None


def test_assigning_again_fills_a_place_given_back(dataset, ada, ben):
    assign(dataset, ["ada", "ben"], overlap=0, seed=7)
    stuck = Assignment.objects.of(dataset).get(annotator=ada)
    give_back(stuck)
    assign(dataset, ["ada", "ben"], overlap=0, seed=7)
    assert Assignment.objects.live().get(task=stuck.task).annotator == ben
