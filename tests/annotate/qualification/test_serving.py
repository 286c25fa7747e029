"""What annotators are served: first the qualification, then work with controls hidden among it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.models import Assignment, Qualification, Task, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.qualification.grant import GrantError, grant
from annotate.qualification.status import qualification_status_of
from annotate.tasks import serving
from annotate.tasks.places import give_back, open_assignment
from annotate.tasks.serving import is_anything_free, open_next
from tests.annotate.qualification.work import answer, known_task, work_task
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    dataset = make_dataset()
    dataset.qualification_pass = 0.75
    dataset.save()
    return dataset


@pytest.fixture
def ada(dataset):
    return make_person("ada", dataset)


def test_without_a_pass_mark_qualification_tasks_are_not_served(dataset, ada):
    dataset.qualification_pass = None
    known_task(dataset, "qualification")
    work = work_task(dataset)
    assert open_next(dataset, ada).task == work


def test_a_pass_mark_without_any_qualification_task_holds_nobody_up(dataset, ada):
    work = work_task(dataset)
    assert open_next(dataset, ada).task == work


def test_all_qualification_tasks_come_before_work(dataset, ada):
    work = work_task(dataset)
    known_task(dataset, "qualification")
    known_task(dataset, "qualification")
    served = []
    for _ in range(3):
        served.append(open_next(dataset, ada))
        if served[-1].task.kind == Task.Kind.QUALIFICATION:
            answer(served[-1])
    assert [each.task.kind for each in served] == ["qualification", "qualification", "work"]
    assert served[-1].task == work


def test_who_reaches_the_pass_mark_is_admitted_for_good(dataset, ada):
    first, second = known_task(dataset, "qualification"), known_task(dataset, "qualification")
    work_task(dataset)
    for task, values in ((first, ("supported", "not_supported")), (second, ("supported", "supported"))):
        served = open_next(dataset, ada)
        assert served.task == task
        answer(served, values)
    # Three of four units as gold has them: exactly the mark of 0.75.
    assert open_next(dataset, ada).task.kind == Task.Kind.WORK
    passed = Qualification.objects.get(dataset=dataset, annotator=ada)
    assert (passed.right, passed.units, passed.granted_by) == (3, 4, None)


def test_an_error_counts_as_found_whatever_kind_of_error(dataset, ada):
    known_task(dataset, "qualification")
    answer(open_next(dataset, ada), ("supported", "irrelevant"))
    assert qualification_status_of(dataset, ada).share == 1.0


def test_who_misses_the_mark_gets_no_work(dataset, ada):
    known_task(dataset, "qualification")
    work_task(dataset)
    answer(open_next(dataset, ada), ("supported", "supported"))
    assert open_next(dataset, ada) is None
    standing = qualification_status_of(dataset, ada)
    assert (standing.finished, standing.reached, standing.right, standing.units) == (True, False, 1, 2)


def test_reserved_work_stays_shut_until_then(dataset, ada):
    known_task(dataset, "qualification")
    reserved = Assignment.objects.create(task=work_task(dataset), annotator=ada, place=0)
    assert open_assignment(reserved).state == "reserved"
    assert open_next(dataset, ada).task.kind == Task.Kind.QUALIFICATION


def test_an_adjudicator_admits_by_hand_and_says_why(dataset, ada):
    dora = make_person("dora", dataset, "adjudicator")
    known_task(dataset, "qualification")
    work = work_task(dataset)
    answer(open_next(dataset, ada), ("supported", "supported"))
    passed = grant(ada.memberships.get(), dora, "She found the error when we talked it over.")
    assert (passed.granted_by, passed.right, passed.units) == (dora, 1, 2)
    assert open_next(dataset, ada).task == work


@pytest.mark.parametrize(
    ("name", "role", "why", "message"),
    [("ada", "annotator", " ", "enter a reason"), ("rhea", "researcher", "I like her.", "not an annotator")],
)
def test_a_pass_needs_a_reason_and_an_annotator(dataset, name, role, why, message):
    person = make_person(name, dataset, role)
    with pytest.raises(GrantError, match=message):
        grant(person.memberships.get(), make_person("dora", dataset, "adjudicator"), why)
    assert not Qualification.objects.exists()


def test_a_skipped_qualification_is_not_finished(dataset, ada):
    known_task(dataset, "qualification")
    served = open_next(dataset, ada)
    give_back(served)
    assert open_next(dataset, ada) is None
    assert (qualification_status_of(dataset, ada).missed, qualification_status_of(dataset, ada).finished) == (1, False)


def test_who_has_seen_the_labels_of_a_qualification_qualifies_in_the_others(dataset, ada):
    """They were an adjudicator before."""
    seen, other = known_task(dataset, "qualification"), known_task(dataset, "qualification")
    work = work_task(dataset)
    note_receipt(seen.pk, ada, ViewReceipt.What.LABELS)
    served = open_next(dataset, ada)
    assert served.task == other
    answer(served)
    assert qualification_status_of(dataset, ada).finished
    assert open_next(dataset, ada).task == work


def test_who_has_seen_the_labels_of_every_qualification_is_asked_for_none(dataset, ada):
    note_receipt(known_task(dataset, "qualification").pk, ada, ViewReceipt.What.LABELS)
    work = work_task(dataset)
    assert is_anything_free(dataset, ada)
    assert open_next(dataset, ada).task == work


def test_labels_seen_after_a_qualification_take_nothing_from_it(dataset, ada):
    task = known_task(dataset, "qualification")
    answer(open_next(dataset, ada), ("supported", "supported"))
    note_receipt(task.pk, ada, ViewReceipt.What.LABELS)
    assert (qualification_status_of(dataset, ada).submitted, qualification_status_of(dataset, ada).units) == (1, 2)
    assert open_next(dataset, ada) is None


def test_a_qualification_whose_time_ran_out_is_taken_up_again(dataset, ada):
    known_task(dataset, "qualification")
    served = open_next(dataset, ada)
    Assignment.objects.update(state="lapsed", lease_until=timezone.now() - timedelta(hours=1))
    assert open_next(dataset, ada) == served


def test_everybody_finds_room_on_a_known_task(dataset):
    task = known_task(dataset, "qualification")
    served = [open_next(dataset, make_person(name, dataset)) for name in ("ada", "ben", "cleo")]
    assert [(each.task, each.place) for each in served] == [(task, 0), (task, 1), (task, 2)]
    task.refresh_from_db()
    assert task.wants == task.assignments.live().count() == 3


def served_kinds(dataset, annotator, pieces):
    kinds = []
    for _ in range(pieces):
        served = open_next(dataset, annotator)
        kinds.append(served.task.kind)
        answer(served)
    return kinds


def test_controls_are_mixed_in_at_the_share_that_is_set(ada, dataset):
    dataset.qualification_pass, dataset.control_share = None, 0.25
    for _ in range(4):
        known_task(dataset, "control")
    for _ in range(9):
        work_task(dataset)
    kinds = served_kinds(dataset, ada, 12)
    # One in each stretch of four.
    assert [kinds[start : start + 4].count("control") for start in (0, 4, 8)] == [1, 1, 1]


def test_reserved_work_has_controls_among_it_too(ada, dataset):
    dataset.qualification_pass, dataset.control_share = None, 0.5
    known_task(dataset, "control")
    known_task(dataset, "control")
    for _ in range(2):
        Assignment.objects.create(task=work_task(dataset), annotator=ada, place=0)
    assert sorted(served_kinds(dataset, ada, 4)) == ["control", "control", "work", "work"]


def test_a_control_comes_from_the_part_of_the_corpus_where_the_work_is(ada, dataset):
    """So its content is no jump, and the work after it goes on where it was."""
    dataset.qualification_pass, dataset.control_share = None, 0.25
    work, controls = [], []
    for _ in range(3):
        work += [work_task(dataset).position for _ in range(4)]
        controls.append(known_task(dataset, "control").position)
    served = []
    for _ in range(12):
        assignment = open_next(dataset, ada)
        served.append(assignment.task)
        answer(assignment)
    assert [task.position for task in served if task.kind == "work"] == work[:9]
    here = 0
    for task in served:
        if task.kind == "control":
            assert abs(task.position - here) == min(abs(each - here) for each in controls)
            controls.remove(task.position)
        else:
            here = task.position


def test_nobody_is_served_the_same_control_twice(ada, dataset):
    dataset.qualification_pass, dataset.control_share = None, 0.5
    known_task(dataset, "control")
    for _ in range(3):
        work_task(dataset)
    assert served_kinds(dataset, ada, 4).count("control") == 1


def test_a_control_whose_labels_one_has_seen_is_not_served(ada, dataset):
    """They were an adjudicator before."""
    dataset.qualification_pass, dataset.control_share = None, 1.0
    seen, other = known_task(dataset, "control"), known_task(dataset, "control")
    note_receipt(seen.pk, ada, ViewReceipt.What.LABELS)
    note_receipt(other.pk, ada, ViewReceipt.What.TASK)
    assert open_next(dataset, ada).task == other
    answer(Assignment.objects.get())
    assert open_next(dataset, ada) is None


def test_a_closed_control_is_neither_served_nor_grown(ada, dataset):
    dataset.qualification_pass, dataset.control_share = None, 1.0
    control = known_task(dataset, "control")
    open_next(dataset, make_person("ben", dataset))
    Task.objects.filter(pk=control.pk).update(closed_at=timezone.now())
    assert open_next(dataset, ada) is None
    control.refresh_from_db()
    assert control.wants == 1


def test_work_that_becomes_a_control_while_it_is_looked_for_is_not_grown(ada, dataset, monkeypatch):
    dataset.qualification_pass, dataset.control_share = None, 1.0
    control = known_task(dataset, "control")
    open_next(dataset, make_person("ben", dataset))
    dataset.control_share = 0
    # As it was found a moment before, and not when it is looked for again.
    results = iter([iter([[control.pk]]), iter([])])
    monkeypatch.setattr(serving, "free_tasks", lambda *_: next(results))
    assert open_next(dataset, ada) is None
    control.refresh_from_db()
    assert control.wants == 1


def test_no_share_no_control(ada, dataset):
    dataset.qualification_pass = None
    known_task(dataset, "control")
    work_task(dataset)
    assert served_kinds(dataset, ada, 1) == ["work"]
    assert open_next(dataset, ada) is None
