"""The adjudicator's page of tasks and places."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Assignment, Dataset
from annotate.tasks.assign import assign
from annotate.tasks.serving import open_next
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
    assert "2 tasks; 3 places are held (seed 3)" in answer.content.decode()
    assert Assignment.objects.count() == 3


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"annotators": ["ada"], "overlap": "1", "seed": "7"}, "at least two"),
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
    assert "No task like that" in dora.get(page(dataset, "?state=submitted")).content.decode()


@pytest.mark.parametrize("sort", ["position", "submitted", "lease", "nonsense"])
def test_the_table_sorts(dataset, dora, sort):
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    assert dora.get(page(dataset, f"?sort={sort}&page=99")).status_code == 200


def test_the_table_asks_the_database_a_few_times_however_much_it_shows(dataset, dora, django_assert_max_num_queries):
    for _ in range(30):
        make_response(dataset)
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    with django_assert_max_num_queries(20):
        assert dora.get(page(dataset)).status_code == 200


def test_a_stuck_place_is_given_back(dataset, dora):
    assign(dataset, ["ada"], overlap=0, seed=7)
    stuck = Assignment.objects.first()
    answer = dora.post(reverse("give-back", args=[stuck.pk]), follow=True)
    assert "is free again" in answer.content.decode()
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


@pytest.mark.parametrize("ticked", [[], ["9" * 30], ["9" * 5000], ["-1", "one"]])
def test_another_kind_without_a_task_is_refused_and_a_choice_asked_for(dataset, dora, ticked):
    answer = dora.post(reverse("task-kinds", args=[dataset.pk]), {"task": ticked, "kind": "control"}, follow=True)
    (message,) = answer.context["messages"]
    assert (message.level_tag, str(message)) == (
        "error",
        "Nothing was changed: tick the tasks that are to be of another kind.",
    )
