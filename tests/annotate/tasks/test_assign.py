"""Reserving places: how many, for whom, repeatable by seed."""

from collections import Counter

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.models import Assignment, Dataset, Membership, Task, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.tasks.annotators import AnnotatorError
from annotate.tasks.assign import AssignError, assign
from annotate.tasks.create import create_tasks
from tests.annotate.qualification.work import known_task
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def lab(responses: int = 10) -> Dataset:
    dataset = make_dataset()
    for _ in range(responses):
        make_response(dataset)
    for name in ("ada", "ben", "cleo"):
        make_person(name)
    return dataset


def places(dataset: Dataset) -> list[tuple[int, int, str]]:
    held = Assignment.objects.of(dataset).order_by("task__position", "place")
    return list(held.values_list("task__position", "place", "annotator__username"))


def test_felm_gets_one_task_a_response():
    dataset = lab(3)
    assert create_tasks(dataset) == 3
    assert [task.responses.get().position for task in dataset.tasks.all()] == [0, 1, 2]
    assert create_tasks(dataset) == 0


def test_factscore_gets_one_task_a_prompt():
    dataset = make_dataset(scheme="factscore")
    gpt = make_response(dataset, subject="gpt", prompt="Tell me about Ada.")
    llama = make_response(dataset, subject="llama", prompt=gpt.prompt)
    for response in (gpt, llama):
        add_facts(response, [["One is odd."], ["Two is odd."]])
    assert create_tasks(dataset) == 1
    assert list(dataset.tasks.get().responses.all()) == [gpt, llama]


def test_what_holds_nothing_to_judge_gets_no_task():
    dataset = make_dataset(scheme="factscore")
    abstained = make_response(dataset, subject="gpt", prompt="Tell me about Ben.")
    abstained.abstained = True
    abstained.save()
    make_response(dataset, subject="gpt", prompt="Tell me about Cleo.")  # segments, but no facts
    assert create_tasks(dataset) == 0


def test_overlap_is_an_exact_share_of_the_tasks():
    dataset = lab(10)
    result = assign(dataset, ["ada", "ben", "cleo"], overlap=0.3, seed=7)
    # round(0.3 * 10) = 3 tasks want two annotators, 7 want one: 13 places.
    assert (result.tasks, result.assignments, result.seed) == (10, 13, 7)
    assert Counter(dataset.tasks.values_list("wants", flat=True)) == {1: 7, 2: 3}


def test_tasks_of_the_overlap_can_want_up_to_five():
    dataset = lab(10)
    for name in ("dan", "eve"):
        make_person(name)
    assign(dataset, ["ada", "ben", "cleo"], overlap=0.5, seed=7, per_task=3)
    assert Counter(dataset.tasks.values_list("wants", flat=True)) == {1: 5, 3: 5}
    three = list(dataset.tasks.filter(wants=3))
    assert {task.assignments.count() for task in three} == {3}
    dataset.refresh_from_db()
    assert (dataset.overlap, dataset.per_task) == (0.5, 3)
    # Later five: the tasks that had three are the first to get more, and none comes to want fewer.
    assign(dataset, ["ada", "ben", "cleo", "dan", "eve"], overlap=0.6, seed=8, per_task=5)
    assert Counter(dataset.tasks.values_list("wants", flat=True)) == {1: 4, 5: 6}
    assert {task.pk for task in three} <= set(dataset.tasks.filter(wants=5).values_list("pk", flat=True))
    assign(dataset, ["ada", "ben"], overlap=0.6, seed=8, per_task=2)
    assert Counter(dataset.tasks.values_list("wants", flat=True)) == {1: 4, 5: 6}


@pytest.mark.parametrize("per_task", [1, 6])
def test_a_number_of_annotators_that_cannot_be_is_refused(per_task):
    dataset = lab(2)
    with pytest.raises(AssignError, match="2 to 5"):
        assign(dataset, ["ada", "ben"], overlap=1, seed=7, per_task=per_task)


def test_places_are_balanced_between_annotators():
    dataset = lab(10)
    assign(dataset, ["ada", "ben", "cleo"], overlap=0.3, seed=7)
    load = Counter(name for _, _, name in places(dataset))
    assert sorted(load.values()) == [4, 4, 5]


def test_the_same_seed_gives_the_same_places():
    first, second = lab(10), make_dataset("twin")
    for _ in range(10):
        make_response(second)
    assign(first, ["ada", "ben", "cleo"], overlap=0.5, seed=3)
    assign(second, ["cleo", "ada", "ben"], overlap=0.5, seed=3)
    assert places(first) == places(second)


def test_another_seed_draws_other_places():
    first, second = lab(10), make_dataset("twin")
    for _ in range(10):
        make_response(second)
    assign(first, ["ada", "ben", "cleo"], overlap=0.5, seed=3)
    assign(second, ["ada", "ben", "cleo"], overlap=0.5, seed=4)
    assert places(first) != places(second)


def test_it_can_be_limited_to_some_prompts():
    dataset = lab(4)
    chosen = [response.prompt_id for response in dataset.responses.all()][1:3]
    result = assign(dataset, ["ada", "ben"], 0.5, 7, prompts=chosen)
    assert (result.tasks, result.assignments) == (2, 3)
    assert [task.responses.get().prompt_id for task in dataset.tasks.all()] == chosen
    dataset.refresh_from_db()
    assert dataset.overlap == 1
    assert assign(dataset, ["ada"], 0, 7, prompts=[]).tasks == 0


def test_a_repetition_changes_nothing():
    dataset = lab(5)
    once = assign(dataset, ["ada", "ben"], overlap=0.4, seed=7)
    before = places(dataset)
    assert assign(dataset, ["ada", "ben"], overlap=0.4, seed=7) == once
    assert places(dataset) == before


def test_new_responses_extend_what_was_assigned():
    dataset = lab(5)
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    before = places(dataset)
    make_response(dataset)
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    assert places(dataset)[:10] == before
    assert len(places(dataset)) == 12


def test_a_larger_overlap_later_adds_second_places():
    dataset = lab(4)
    assign(dataset, ["ada", "ben"], overlap=0, seed=7)
    assert assign(dataset, ["ada", "ben"], overlap=1, seed=7).assignments == 8


def test_a_closed_task_gets_no_places():
    dataset = lab(2)
    create_tasks(dataset)
    Task.objects.filter(position=0).update(closed_at=dataset.created_at)
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    assert {position for position, _, _ in places(dataset)} == {1}


def test_members_are_made_of_the_annotators():
    dataset = lab(1)
    assign(dataset, ["ada"], overlap=0, seed=7)
    assert Membership.objects.get(dataset=dataset).user.username == "ada"


@pytest.mark.parametrize(
    ("names", "overlap", "message"),
    [
        (["ada", "nobody"], 1, "no user 'nobody'"),
        (["ada", "ada"], 1, "named twice"),
        (["ada"], 0.5, "need 2 annotators"),
        ([], 0, "at least one"),
        (["ada", "ben"], 1.5, "between 0 and 1"),
        (["ada", "ben"], float("nan"), "between 0 and 1"),
        (["ada", "dora"], 1, "dora is adjudicator"),
        (["ada", "rhea"], 1, "rhea is researcher"),
    ],
)
def test_what_cannot_be_assigned_is_said_and_changes_nothing(names, overlap, message):
    dataset = lab(2)
    make_person("dora", dataset, "adjudicator")
    make_person("rhea", dataset, "researcher")
    with pytest.raises((AssignError, AnnotatorError), match=message):
        assign(dataset, names, overlap=overlap, seed=7)
    assert not dataset.tasks.exists()
    assert Membership.objects.filter(dataset=dataset).count() == 2


def test_the_command_prints_one_json_document(capsys):
    lab(2)
    call_command("assign", "lab", "--annotators", "ada,ben", "--json")
    assert capsys.readouterr().out.strip() == '{"tasks": 2, "assignments": 4, "seed": 7}'


def test_the_command_names_a_missing_dataset():
    with pytest.raises(CommandError, match="no dataset 'nowhere'"):
        call_command("assign", "nowhere", "--annotators", "ada")


def test_who_has_seen_the_labels_of_others_gets_no_place_there():
    dataset = lab(1)
    create_tasks(dataset)
    task = dataset.tasks.get()
    note_receipt(task.pk, make_person("ada"), ViewReceipt.What.LABELS)
    assign(dataset, ["ada", "ben"], overlap=0, seed=1)
    assert places(dataset) == [(task.position, 0, "ben")]


def test_the_places_counted_are_those_of_the_tasks_counted():
    dataset = lab(2)
    known = known_task(dataset, "control")
    Assignment.objects.create(task=known, annotator=make_person("ben"), place=0)
    result = assign(dataset, ["ada", "ben"], overlap=0, seed=7)
    assert (result.tasks, result.assignments) == (2, 2)
