"""What does not go on by itself."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.adjudication.decide import decide
from annotate.adjudication.sign import sign
from annotate.adjudication.whole import settle_removal
from annotate.administration.members import remove_member
from annotate.models import Assignment, Challenge, Edit, ResponseLabel, Task, User
from annotate.oversight.stuck import stuck_in
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.qualification.work import known_task, work_task
from tests.annotate.second_look.work import look_at, make_units, send_all
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

NOW = timezone.now()


@pytest.fixture
def dataset():
    return make_dataset()


def kinds(dataset) -> dict[str, list[tuple[int | None, str, str]]]:
    """Title: the tasks that wait, each with whom for and its note."""
    return {
        kind.title: [(each.task.pk if each.task else None, each.who, each.note) for each in kind.oldest]
        for kind in stuck_in(dataset, NOW)
    }


def place(task, name, **columns) -> Assignment:
    return Assignment.objects.create(task=task, annotator=make_person(name), place=task.assignments.count(), **columns)


def test_nothing_is_stuck_in_an_empty_dataset(dataset):
    assert kinds(dataset) == {}


def test_a_lease_that_ends_soon_and_can_be_given_back(dataset):
    soon, later = work_task(dataset, wants=1), work_task(dataset, wants=1)
    about = place(soon, "ada", state="open", lease_until=NOW + timedelta(hours=1))
    place(later, "ada", state="open", lease_until=NOW + timedelta(hours=3))
    [kind] = stuck_in(dataset, NOW)
    assert (kind.title, kind.count) == ("Assignments that expire soon", 1)
    assert (kind.oldest[0].place, kind.oldest[0].since) == (about.pk, about.lease_until)


def test_a_lapsed_place_with_something_written(dataset):
    task = work_task(dataset, wants=1)
    place(task, "ada", state="lapsed", lease_until=NOW, draft={"1": {"value": "supported"}}, draft_version=1)
    place(work_task(dataset, wants=1), "ada", state="lapsed", lease_until=NOW)
    assert kinds(dataset)["Expired with a draft"] == [(task.pk, "ada", "")]


def test_a_task_that_nobody_has(dataset):
    free, control = work_task(dataset), known_task(dataset, "control")
    assert kinds(dataset) == {"Waiting for an annotator": [(free.pk, "", "")]}
    assert control.kind == "control"


def test_a_rebuttal_that_somebody_has_not_answered(dataset):
    task = work_task(dataset)
    for name in ("ada", "ben"):
        judge(task, name, {})
    Task.objects.update(rebuttal_at=NOW)
    Assignment.objects.filter(annotator__username="ada").update(rebutted_at=NOW)
    assert kinds(dataset) == {"Waiting for a rebuttal": [(task.pk, "ben", "")]}


def test_what_waits_for_adjudication_the_oldest_first_with_how_much_is_in_dispute(dataset):
    tasks = [work_task(dataset), work_task(dataset)]
    for task, days in zip(tasks, (1, 9), strict=True):
        first, second = task.responses.get().segments.all()
        judge(task, "ada", {first: "supported", second: "supported"})
        judge(task, "ben", {first: "supported", second: "not_supported"})
        task.assignments.update(submitted_at=NOW - timedelta(days=days))
    assert kinds(dataset)["Waiting for adjudication"] == [
        (tasks[1].pk, "", "1 in dispute"),
        (tasks[0].pk, "", "1 in dispute"),
    ]


def test_a_challenge_without_an_answer(dataset):
    task = work_task(dataset, wants=1)
    segment = task.responses.get().segments.first()
    assignment = judge(task, "ada", {segment: "supported"})
    Task.objects.update(closed_at=NOW)
    Challenge.objects.create(assignment=assignment, segment=segment, revision=0, text="The almanac says otherwise.")
    assert kinds(dataset) == {"Challenges without an answer": [(task.pk, "ada", "The almanac says otherwise.")]}


def test_what_is_settled_and_lacks_a_signature_only(dataset):
    dataset.review = "super"
    task = work_task(dataset, wants=1)
    segments = list(task.responses.get().segments.all())
    judge(task, "ada", dict.fromkeys(segments, "supported"))
    for segment in segments:
        add_gold(segment, "supported")
    assert kinds(dataset) == {"Waiting for a signature": [(task.pk, "", "")]}


def test_what_is_settled_in_part_still_waits_for_adjudication(dataset):
    task = work_task(dataset, wants=1)
    first, second = task.responses.get().segments.all()
    judge(task, "ada", {first: "supported", second: "supported"})
    add_gold(first, "supported")
    assert kinds(dataset) == {"Waiting for adjudication": [(task.pk, "", "0 in dispute")]}


def test_facts_of_which_some_are_settled_still_wait_for_adjudication():
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ["Ada sings."])
    facts = add_facts(response, [["Ada sings.", "Ada is a singer."]])
    task = make_task(response, wants=1)
    judge(task, "ada", {facts[0]: "supported", facts[1]: "not_supported"})
    add_gold(facts[0], "supported")
    assert list(kinds(dataset)) == ["Waiting for adjudication"]
    add_gold(facts[1], "not_supported")
    assert list(kinds(dataset)) == ["Waiting for a signature"]


def test_a_signature_that_fell_in_a_closed_task_is_asked_for_again(dataset):
    dataset.review = "reviewer"
    dataset.save()
    dora, task = make_person("dora"), work_task(dataset, wants=1)
    response = task.responses.get()
    segments = list(response.segments.all())
    judge(task, "ada", dict.fromkeys(segments, "supported"))
    sign(response.pk, "reviewer", dora, "Read it.")
    assert kinds(dataset) == {}
    signed = segments[0].adjudications.get()
    decide((segments[0].pk, None), dora, "not_supported", "reasoning", why="The almanac.", seen=signed.pk)
    assert kinds(dataset) == {"Waiting for a new signature": [(task.pk, "", response.index)]}
    sign(response.pk, "reviewer", dora, "Read it again.")
    assert kinds(dataset) == {}


@pytest.fixture
def settled_units(dataset):
    """A task with gold throughout, as its reviewer finds it."""
    dataset.review = "reviewer"
    dataset.save()
    task = work_task(dataset)
    segments = list(task.responses.get().segments.all())
    for name in ("ada", "ben"):
        judge(task, name, dict.fromkeys(segments, "supported"))
    for segment in segments:
        add_gold(segment, "supported")
    return task


def test_a_removal_that_nobody_has_settled_waits_for_adjudication(dataset, settled_units):
    response = settled_units.responses.get()
    ResponseLabel.objects.create(
        assignment=settled_units.assignments.first(), response=response, keep=False, reason="It is a list."
    )
    waiting = [(settled_units.pk, "", "somebody would remove the response")]
    assert kinds(dataset) == {"Waiting for adjudication": waiting}
    settle_removal(response, make_person("dora"), keep=True, why="It can be judged.")
    assert kinds(dataset) == {"Waiting for a signature": [(settled_units.pk, "", "")]}


def test_corrections_wait_for_adjudication_where_they_differ_and_for_the_signature_where_not(dataset, settled_units):
    segment = settled_units.responses.get().segments.first()
    first, second = settled_units.assignments.all()
    Edit.objects.create(assignment=first, segment=segment, text="One is even.")
    assert kinds(dataset) == {
        "Waiting for adjudication": [(settled_units.pk, "", "1 corrected sentence differs")],
    }
    Edit.objects.create(assignment=second, segment=segment, text="One is even.")
    assert list(kinds(dataset)) == ["Waiting for a signature"]


def test_a_draft_that_was_given_back_is_told_from_one_whose_time_ran_out(dataset):
    written = {"state": "lapsed", "draft": {"1": {"value": "supported"}}, "draft_version": 1}
    given_back, ran_out = work_task(dataset, wants=1), work_task(dataset, wants=1)
    place(given_back, "ada", **written)
    place(ran_out, "ada", **written, lease_until=NOW)
    assert kinds(dataset)["Expired with a draft"] == [
        (given_back.pk, "ada", "unassigned by an adjudicator"),
        (ran_out.pk, "ada", ""),
    ]


def test_a_second_look_that_lacks_lookers_and_whether_anybody_is_left_to_look():
    dataset, (unit, other) = make_units(["supported", "supported"], people=("ada", "ben"))
    item, _ = send_all(dataset, [unit, other], wants=2)
    look_at(item, "ada", "supported")
    assert sorted(kinds(dataset)["Waiting for a second look"]) == [(None, "", "0 is odd."), (None, "", "1 is odd.")]
    remove_member(User.objects.get(username="ben").memberships.get())
    waiting = [(None, "", "1 is odd."), (None, "", "no annotator left: 0 is odd.")]
    assert sorted(kinds(dataset)["Waiting for a second look"]) == waiting


def test_who_has_had_the_task_is_not_left_to_look_and_what_all_have_looked_at_waits_for_nobody():
    dataset, (unit,) = make_units(["supported"], people=("ada",))
    task = make_task(unit.response, wants=1)
    judge(task, User.objects.get(username="ada"), {unit: "supported"})
    (item,) = send_all(dataset, [unit])
    title = "Waiting for a second look"
    assert kinds(dataset)[title] == [(task.pk, "", "no annotator left: 0 is odd.")]
    make_person("ben", dataset)
    assert kinds(dataset)[title] == [(task.pk, "", "0 is odd.")]
    look_at(item, "ben", "supported")
    assert title not in kinds(dataset)
