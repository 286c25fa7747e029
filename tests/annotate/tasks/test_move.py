"""Assigning, unassigning and reassigning tasks by hand, and undoing it."""

import pytest
from django.db import IntegrityError
from django.utils import timezone

from annotate.models import Assignment, AssignmentEvent, Dataset, Task, User, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.tasks.create import create_tasks
from annotate.tasks.move import (
    MoveError,
    MoveResult,
    assign_tasks,
    need_annotators,
    reassign_tasks,
    unassign_tasks,
)
from annotate.tasks.places import open_assignment
from annotate.tasks.serving import open_next
from annotate.tasks.undo import last_move, undo_move
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

DRAFT = {"1": {"value": "supported"}}


class Lab:
    """Two tasks that need one annotator each; Ada, Ben and Cleo annotate, Dora adjudicates."""

    def __init__(self) -> None:
        self.dataset: Dataset = make_dataset()
        for _ in range(2):
            make_response(self.dataset)
        create_tasks(self.dataset)
        self.ada, self.ben, self.cleo = (make_person(name, self.dataset) for name in ("ada", "ben", "cleo"))
        self.dora = make_person("dora", self.dataset, "adjudicator")
        self.first, self.second = self.dataset.tasks.all()

    def assign(self, *people: User, tasks: list[Task] | None = None) -> MoveResult:
        return assign_tasks(self.dataset, self.keys(tasks), people, self.dora)

    def unassign(self, *people: User, tasks: list[Task] | None = None) -> MoveResult:
        return unassign_tasks(self.dataset, self.keys(tasks), people, self.dora)

    def reassign(self, source: User, target: User, tasks: list[Task] | None = None) -> MoveResult:
        return reassign_tasks(self.dataset, self.keys(tasks), source, target, self.dora)

    def keys(self, tasks: list[Task] | None) -> list[int]:
        return [task.pk for task in tasks or [self.first]]

    def held(self) -> list[tuple[int, int, str, str]]:
        """Each live assignment: number of the task, place, annotator, state."""
        live = Assignment.objects.of(self.dataset).live().order_by("task__position", "place")
        return [(row.task.position + 1, row.place, row.annotator.username, row.state) for row in live]

    def submit(self, person: User, place: int = 0) -> Assignment:
        return Assignment.objects.create(
            task=self.first, annotator=person, place=place, state="submitted", submitted_at=timezone.now()
        )

    def undo(self) -> MoveResult:
        move = last_move(self.dataset)
        assert move is not None
        return undo_move(move, self.dora)


@pytest.fixture
def lab() -> Lab:
    return Lab()


def test_tasks_are_assigned_to_exactly_these_people_and_need_more_where_they_must(lab):
    result = lab.assign(lab.ada, lab.ben, lab.cleo, tasks=[lab.first, lab.second])
    assert (result.assignments, result.tasks, result.remarks) == (6, {1, 2}, [])
    assert lab.held() == [
        (task, place, name, "reserved") for task in (1, 2) for place, name in enumerate(("ada", "ben", "cleo"))
    ]
    assert [task.wants for task in lab.dataset.tasks.all()] == [3, 3]


def test_one_skipped_task_is_given_to_one_person(lab):
    skipped = open_next(lab.dataset, lab.ada)
    Assignment.objects.filter(pk=skipped.pk).update(state="skipped", skip_reason="Chemistry.", lease_until=None)
    lab.assign(lab.ben)
    assert lab.held() == [(1, 0, "ben", "reserved")]
    assert Task.objects.get(pk=lab.first.pk).wants == 1


def test_who_has_the_task_keeps_it_as_it_is(lab):
    opened = open_next(lab.dataset, lab.ada)
    result = lab.assign(lab.ada, lab.ben)
    assert result.remarks == ["Not done for task 1: ada has it already."]
    assert lab.held() == [(1, 0, "ada", "open"), (1, 1, "ben", "reserved")]
    assert Assignment.objects.get(pk=opened.pk).lease_until == opened.lease_until


def test_who_gave_a_task_up_gets_it_back_with_the_draft(lab):
    Assignment.objects.create(task=lab.first, annotator=lab.ada, place=0, state="lapsed", draft=DRAFT)
    result = lab.assign(lab.ada)
    assert result.remarks == ["Drafts are kept: ada on task 1."]
    row = Assignment.objects.get()
    assert (row.state, row.draft) == ("reserved", DRAFT)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"closed_at": timezone.now()}, "the task is adjudicated and closed"),
        ({"kind": "control"}, "a task with known answers is served by itself"),
        ({"kind": "qualification"}, "a task with known answers is served by itself"),
        ({"rebuttal_at": timezone.now()}, "its rebuttal has begun"),
    ],
)
def test_a_task_that_takes_nobody_any_more_is_not_assigned(lab, change, why):
    Task.objects.filter(pk=lab.first.pk).update(**change)
    assert lab.assign(lab.ada).remarks == [f"Not done for task 1: {why}."]
    assert (lab.held(), last_move(lab.dataset)) == ([], None)


def test_who_has_seen_the_labels_of_others_is_not_assigned(lab):
    note_receipt(lab.first.pk, lab.ada, ViewReceipt.What.LABELS)
    assert lab.assign(lab.ada).remarks == ["Not done for task 1: ada has seen others' labels of it."]
    assert lab.held() == []


@pytest.mark.parametrize("who", ["dora", "oscar", "root", "gone"])
def test_only_active_annotators_of_the_data_set_are_assigned(lab, who):
    User.objects.create_superuser("root", password="root")
    make_person("oscar")
    User.objects.filter(pk=make_person("gone", lab.dataset).pk).update(is_active=False)
    with pytest.raises(MoveError, match=f"{who} is not an active annotator"):
        lab.assign(User.objects.get(username=who))
    assert not AssignmentEvent.objects.exists()


def test_submitted_work_is_never_moved(lab):
    lab.submit(lab.ada)
    for result in (lab.unassign(lab.ada), lab.unassign(), lab.reassign(lab.ada, lab.ben)):
        assert result.remarks == ["Not done for task 1: submitted work is never moved."]
    assert lab.held() == [(1, 0, "ada", "submitted")]


def test_work_that_was_sent_back_is_never_moved(lab):
    row = lab.submit(lab.ada)
    Assignment.objects.filter(pk=row.pk).update(state="open", lease_until=timezone.now())
    assert lab.unassign(lab.ada).remarks == ["Not done for task 1: submitted work is never moved."]
    assert lab.held() == [(1, 0, "ada", "open")]


def test_unassigned_work_keeps_its_draft_and_says_so(lab):
    opened = open_next(lab.dataset, lab.ada)
    Assignment.objects.filter(pk=opened.pk).update(draft=DRAFT)
    result = lab.unassign(tasks=[lab.first, lab.second])
    assert result.remarks == [
        "Drafts are kept: ada on task 1.",
        "Not done for task 2: none of these people has it.",
    ]
    row = Assignment.objects.get()
    assert (row.state, row.lease_until, row.draft, row.title_of_state) == ("lapsed", None, DRAFT, "Unassigned")


def test_a_reassigned_task_changes_hands_in_its_place_and_the_draft_stays_with_its_author(lab):
    opened = open_next(lab.dataset, lab.ada)
    Assignment.objects.filter(pk=opened.pk).update(draft=DRAFT)
    result = lab.reassign(lab.ada, lab.ben)
    assert (result.tasks, result.remarks) == ({1}, ["Drafts are kept: ada on task 1."])
    assert lab.held() == [(1, 0, "ben", "reserved")]
    assert Assignment.objects.get(annotator=lab.ben).draft == {}
    assert Assignment.objects.get(annotator=lab.ada).draft == DRAFT


def test_a_task_is_not_reassigned_to_somebody_who_has_it(lab):
    lab.assign(lab.ada, lab.ben)
    assert lab.reassign(lab.ada, lab.ben).remarks == ["Not done for task 1: ben has it already."]
    assert lab.reassign(lab.cleo, lab.ada).remarks == ["Not done for task 1: cleo does not have it."]


def test_what_happened_is_recorded_with_who_did_it(lab):
    lab.assign(lab.ada)
    lab.reassign(lab.ada, lab.ben)
    lab.unassign(lab.ben)
    events = AssignmentEvent.objects.select_related("annotator", "other", "who")
    assert [
        (event.what, event.annotator.username, event.other and event.other.username, event.who.username)
        for event in events
    ] == [
        ("assigned", "ada", None, "dora"),
        ("unassigned", "ada", "ben", "dora"),
        ("assigned", "ben", "ada", "dora"),
        ("unassigned", "ben", None, "dora"),
    ]


def test_an_assignment_is_undone_and_the_task_needs_as_many_as_before(lab):
    lab.assign(lab.ada, lab.ben)
    lab.undo()
    assert (lab.held(), Assignment.objects.count()) == ([], 0)
    assert Task.objects.get(pk=lab.first.pk).wants == 1
    assert last_move(lab.dataset) is None


def test_what_was_begun_since_is_not_undone(lab):
    lab.assign(lab.ada, lab.ben)
    open_assignment(Assignment.objects.get(annotator=lab.ada))
    assert lab.undo().remarks == ["Not done for task 1: ada has begun it."]
    assert lab.held() == [(1, 0, "ada", "open")]


def test_an_undone_unassignment_gives_the_task_back(lab):
    opened = open_next(lab.dataset, lab.ada)
    lab.unassign(lab.ada)
    lab.undo()
    assert lab.held() == [(1, 0, "ada", "reserved")]
    assert Assignment.objects.get().pk == opened.pk


def test_a_place_that_was_taken_meanwhile_is_not_given_back(lab):
    lab.assign(lab.ada)
    lab.unassign(lab.ada)
    open_next(lab.dataset, lab.ben)
    assert lab.undo().remarks == ["Not done for task 1: somebody else has the place now."]
    assert lab.held() == [(1, 0, "ben", "open")]


def test_an_undone_reassignment_gives_the_task_back_in_its_place(lab):
    lab.assign(lab.ada, lab.cleo)
    lab.reassign(lab.ada, lab.ben)
    lab.undo()
    assert lab.held() == [(1, 0, "ada", "reserved"), (1, 1, "cleo", "reserved")]
    assert not Assignment.objects.filter(annotator=lab.ben).exists()


def test_a_reassignment_that_was_begun_is_not_undone_by_half(lab):
    lab.assign(lab.ada)
    lab.reassign(lab.ada, lab.ben)
    open_assignment(Assignment.objects.get(annotator=lab.ben))
    assert lab.undo().remarks == ["Not done for task 1: ben has begun it."]
    assert lab.held() == [(1, 0, "ben", "open")]


def test_undoing_restores_a_skipped_task_with_its_reason(lab):
    Assignment.objects.create(
        task=lab.first, annotator=lab.ada, place=0, state="skipped", skip_reason="Chemistry.", draft=DRAFT
    )
    lab.assign(lab.ada)
    lab.undo()
    row = Assignment.objects.get()
    assert (row.state, row.skip_reason, row.draft) == ("skipped", "Chemistry.", DRAFT)


def test_an_action_is_undone_once_and_only_the_last_one(lab):
    first = lab.assign(lab.ada).move
    second = lab.assign(lab.ben).move
    for move in (first, second, second):
        if move == second and last_move(lab.dataset):
            undo_move(second, lab.dora)
            continue
        with pytest.raises(MoveError, match="only undo the last action"):
            undo_move(move, lab.dora)
    assert lab.held() == [(1, 0, "ada", "reserved")]


def test_the_number_of_annotators_follows_but_never_falls_below_those_who_have_it(lab):
    lab.assign(lab.ada, lab.ben)
    assert need_annotators(lab.dataset, [lab.first.pk], 1).remarks == [
        "Not done for task 1: more than 1 has it: unassign somebody first."
    ]
    need_annotators(lab.dataset, [lab.first.pk, lab.second.pk], 4)
    assert [task.wants for task in lab.dataset.tasks.all()] == [4, 4]
    with pytest.raises(MoveError, match="between 1 and 99"):
        need_annotators(lab.dataset, [lab.first.pk], 0)


def test_tasks_of_another_data_set_are_left_alone(lab):
    other = make_dataset("other")
    make_response(other)
    create_tasks(other)
    assert lab.assign(lab.ada, tasks=[other.tasks.get()]).tasks == set()
    assert not Assignment.objects.exists()


def test_the_database_allows_no_second_live_assignment_of_a_place(lab):
    lab.assign(lab.ada)
    with pytest.raises(IntegrityError):
        Assignment.objects.create(task=lab.first, annotator=lab.ben, place=0)
