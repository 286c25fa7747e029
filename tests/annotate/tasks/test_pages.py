"""The adjudicator's page of tasks and places."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.cases.counts import count_changed
from annotate.models import Assignment, Dataset, TaskMove, User
from annotate.tasks.assign import assign
from annotate.tasks.create import create_tasks
from annotate.tasks.serving import open_next
from annotate.tasks.table import PAGE_SIZE
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    for prompt in ("Which numbers are odd?", "Which numbers are prime?"):
        make_response(dataset, prompt=prompt)
    for name in ("ada", "ben"):
        make_person(name, dataset)
    return dataset


@pytest.fixture
def dora(dataset) -> Client:
    client = Client()
    client.force_login(make_person("dora", dataset, "adjudicator"))
    return client


def page(dataset: Dataset, query: str = "") -> str:
    return reverse("assign", args=[dataset.pk]) + query


def test_the_empty_page_offers_the_form(dataset, dora):
    html = dora.get(page(dataset)).content.decode()
    assert "No tasks yet" in html
    assert 'value="ada"' in html


def test_places_are_reserved(dataset, dora):
    answer = dora.post(page(dataset), {"annotators": ["ada", "ben"], "overlap": "0.5", "seed": "3"}, follow=True)
    # Two tasks, one of which wants two: three places.
    assert "2 tasks; 3 assignments (seed 3)" in answer.content.decode()
    assert Assignment.objects.count() == 3


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"annotators": ["ada"], "overlap": "1", "seed": "7"}, "need 2 annotators"),
        ({"annotators": ["dora"], "overlap": "0", "seed": "7"}, "not one of the available choices"),
        ({"annotators": ["ada", "ben"], "overlap": "2", "seed": "7"}, "less than or equal to 1"),
        ({"annotators": ["ada", "ben"], "overlap": "1", "seed": "x"}, "whole number"),
        ({"overlap": "1", "seed": "7"}, "required"),
    ],
)
def test_a_wrong_form_says_why(dataset, dora, form, message):
    answer = dora.post(page(dataset), form)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not dataset.tasks.exists()


def test_the_table_filters_by_state(dataset, dora):
    assign(dataset, ["ada"], overlap=0, seed=7)
    opened = open_next(dataset, Assignment.objects.first().annotator)
    html = dora.get(page(dataset, "?state=open&sort=lease")).content.decode()
    assert opened.task.responses.get().prompt.text in html
    assert Assignment.objects.get(state="reserved").task.responses.get().prompt.text not in html
    assert "No matching tasks" in dora.get(page(dataset, "?state=submitted")).content.decode()


@pytest.mark.parametrize("sort", ["position", "submitted", "lease", "nonsense"])
def test_the_table_sorts(dataset, dora, sort):
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    assert dora.get(page(dataset, f"?sort={sort}&page=99")).status_code == 200


def test_the_table_asks_the_database_a_few_times_however_much_it_shows(dataset, dora, django_assert_max_num_queries):
    for _ in range(30):
        make_response(dataset)
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    count_changed()
    with django_assert_max_num_queries(22):
        assert dora.get(page(dataset)).status_code == 200


def test_a_stuck_place_is_given_back(dataset, dora):
    assign(dataset, ["ada"], overlap=0, seed=7)
    stuck = Assignment.objects.first()
    answer = dora.post(reverse("give-back", args=[stuck.pk]), follow=True)
    assert "is unassigned from" in answer.content.decode()
    stuck.refresh_from_db()
    assert stuck.state == "lapsed"


@pytest.mark.parametrize(("role", "status"), [("annotator", 403), ("researcher", 403), (None, 404)])
def test_only_adjudicators_see_who_holds_which_place(dataset, role, status):
    assign(dataset, ["ada"], overlap=0, seed=7)
    client = Client()
    client.force_login(make_person("rhea", dataset if role else None, role))
    assert client.get(page(dataset)).status_code == status
    assert client.post(reverse("give-back", args=[Assignment.objects.first().pk])).status_code == 404
    assert Assignment.objects.live().count() == 2


def send(dataset: Dataset, dora: Client, **form: object) -> list[str]:
    """The messages of the page after an action on tasks."""
    answer = dora.post(reverse("task-move", args=[dataset.pk]), form, follow=True)
    assert answer.status_code == 200
    return [str(message) for message in answer.context["messages"]]


def held(dataset: Dataset) -> set[tuple[int, str]]:
    live = Assignment.objects.of(dataset).live()
    return set(live.values_list("task__position", "annotator__username"))


def test_ticked_tasks_are_assigned_unassigned_and_reassigned(dataset, dora):
    create_tasks(dataset)
    first, second = (task.pk for task in dataset.tasks.all())
    assert send(dataset, dora, action="assign", task=[first, second], people=["ada"]) == ["2 tasks assigned to ada."]
    assert send(dataset, dora, action="reassign", task=[first], source="ada", target="ben") == [
        "1 task moved from ada to ben."
    ]
    assert held(dataset) == {(0, "ben"), (1, "ada")}
    assert send(dataset, dora, action="unassign", task=[first, second], holder="ada") == [
        "1 assignment removed.",
        "Not done for task 1: none of these people has it.",
    ]
    assert send(dataset, dora, action="unassign", task=[first], holder="") == ["1 assignment removed."]
    assert send(dataset, dora, action="need", task=[first], number="3") == ["1 task now need 3 annotators."]
    assert held(dataset) == set()


def test_all_tasks_of_the_filter_are_chosen_beyond_the_page(dataset, dora):
    for number in range(PAGE_SIZE + 1):
        make_response(dataset, domain="science", prompt=f"Question {number}?")
    create_tasks(dataset)
    assert send(dataset, dora, action="assign", every="1", domain="science", people=["ada"]) == [
        f"{PAGE_SIZE + 1} tasks assigned to ada."
    ]
    assert held(dataset) == {(2 + number, "ada") for number in range(PAGE_SIZE + 1)}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [1, 2, 3]),
        ("?domain=science", [3]),
        ("?q=PRIME", [2]),
        ("?q=odd&domain=science", []),
        ("?person=ada", [1, 2]),
        ("?person=ada&state=open", [1]),
        ("?person=ben&state=open", [2]),
        ("?person=nobody", []),
    ],
)
def test_tasks_are_found_by_domain_state_person_and_text(dataset, dora, query, found):
    make_response(dataset, ["Gold is heavy."], domain="science", prompt="What is heavy?")
    create_tasks(dataset)
    first, second, _ = dataset.tasks.all()
    ada, ben = (User.objects.get(username=name) for name in ("ada", "ben"))
    for task, person, state in ((first, ada, "open"), (second, ada, "lapsed"), (second, ben, "open")):
        until = timezone.now() + timedelta(hours=1)
        Assignment.objects.create(task=task, annotator=person, place=0, state=state, lease_until=until)
    answer = dora.get(page(dataset, query))
    assert [task.position + 1 for task in answer.context["page"]] == found


def test_the_filter_stays_in_the_address_after_an_action(dataset, dora):
    create_tasks(dataset)
    form = {"action": "assign", "task": [dataset.tasks.first().pk], "people": ["ada"], "q": "odd & even", "page": "1"}
    answer = dora.post(reverse("task-move", args=[dataset.pk]), {**form, "state": "free"})
    assert answer.url == page(dataset, "?state=free&q=odd+%26+even&page=1")


def test_the_last_action_is_undone_by_a_button(dataset, dora):
    create_tasks(dataset)
    send(dataset, dora, action="assign", task=[dataset.tasks.first().pk], people=["ada", "ben"])
    move = TaskMove.objects.get()
    undo = reverse("task-move-undo", args=[move.pk])
    assert undo in dora.get(page(dataset)).content.decode()
    answer = dora.post(undo, follow=True)
    assert [str(message) for message in answer.context["messages"]] == ["Assign undone for 1 task."]
    assert held(dataset) == set()
    assert undo not in answer.content.decode()


@pytest.mark.parametrize(
    ("form", "trouble"),
    [
        ({"action": "assign", "people": ["ada"]}, "select at least one task"),
        ({"action": "assign", "task": "first"}, "choose at least one annotator"),
        ({"action": "assign", "task": "first", "people": ["nobody"]}, "there is no user 'nobody'"),
        ({"action": "reassign", "task": "first", "source": "ada", "target": ""}, "choose a person"),
        ({"action": "reassign", "task": "first", "source": "ada", "target": "ada"}, "choose two different people"),
        ({"action": "need", "task": "first", "number": "x"}, "a task needs between 1 and 99 annotators"),
        ({"action": "sing", "task": "first"}, "choose an action"),
    ],
)
def test_an_action_that_cannot_begin_says_why(dataset, dora, form, trouble):
    create_tasks(dataset)
    if "task" in form:
        form = {**form, "task": [dataset.tasks.first().pk]}
    assert send(dataset, dora, **form) == [f"Not changed: {trouble}."]
    assert held(dataset) == set()


def test_one_annotator_is_enough_for_places_that_are_free(dataset, dora):
    """Both tasks need two already, and ada has them."""
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    Assignment.objects.filter(annotator__username="ben").update(state="skipped", skip_reason="Too long.")
    make_person("cleo", dataset)
    dora.post(page(dataset), {"annotators": ["cleo"], "overlap": "1", "seed": "7"})
    assert held(dataset) == {(0, "ada"), (0, "cleo"), (1, "ada"), (1, "cleo")}


@pytest.mark.parametrize("ticked", [[], ["9" * 30], ["9" * 5000], ["-1", "one"]])
def test_another_kind_without_a_task_is_refused_and_a_choice_asked_for(dataset, dora, ticked):
    answer = dora.post(reverse("task-kinds", args=[dataset.pk]), {"task": ticked, "kind": "control"}, follow=True)
    (message,) = answer.context["messages"]
    assert (message.level_tag, str(message)) == (
        "error",
        "Not changed: select at least one task.",
    )
