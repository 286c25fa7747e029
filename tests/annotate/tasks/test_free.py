"""Which tasks an annotator can take: those given up first, then what comes after their last, then any."""

import pytest
from django.utils import timezone

from annotate.models import Assignment, Dataset, Task, User, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.tasks.create import create_tasks
from annotate.tasks.free import free_tasks
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    """Five tasks, beside a dataset of others."""
    for dataset in (make_dataset("others"), own := make_dataset()):
        for _ in range(5):
            make_response(dataset)
        create_tasks(dataset)
    return own


def hold(task: Task, person: User, state: str) -> None:
    now = timezone.now()
    Assignment.objects.create(
        task=task,
        annotator=person,
        place=0,
        state=state,
        lease_until=now if state == "open" else None,
        submitted_at=now if state == "submitted" else None,
        skip_reason="Too long." if state == "skipped" else "",
    )


def test_all_tasks_are_free_for_a_newcomer_in_their_order(dataset):
    ada = make_person("ada", dataset)
    assert next(free_tasks(dataset, ada)) == [task.pk for task in dataset.tasks.order_by("position")]


def test_given_up_comes_before_what_follows_and_that_before_the_rest(dataset):
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    first, second, third, fourth, fifth = dataset.tasks.order_by("position")
    hold(third, ada, "submitted")
    hold(fifth, ben, "skipped")
    assert list(free_tasks(dataset, ada)) == [
        [fifth.pk, fourth.pk],
        [first.pk, second.pk, fourth.pk, fifth.pk],
    ]


def test_it_is_what_the_tables_call_free_and_the_annotator_never_had(dataset):
    ada, ben, cleo = (make_person(name, dataset) for name in ("ada", "ben", "cleo"))
    first, second, third, fourth, fifth = dataset.tasks.order_by("position")
    hold(first, ben, "open")
    hold(second, ada, "lapsed")
    Task.objects.filter(pk=third.pk).update(closed_at=timezone.now())
    Task.objects.filter(pk=fourth.pk).update(kind="control")
    Task.objects.filter(pk=fifth.pk).update(wants=2)
    hold(fifth, cleo, "reserved")
    expected = Task.objects.filter(dataset=dataset).real().unsettled().with_a_free_place().never_had_by(ada)
    assert list(free_tasks(dataset, ada)) == [[fifth.pk], [fifth.pk]]
    assert [task.pk for task in expected] == [fifth.pk]


def test_who_has_seen_the_labels_of_others_is_not_asked(dataset):
    """They were an adjudicator before."""
    ada = make_person("ada", dataset)
    first, *others = dataset.tasks.order_by("position")
    note_receipt(first.pk, ada, ViewReceipt.What.LABELS)
    assert next(free_tasks(dataset, ada)) == [task.pk for task in others]
