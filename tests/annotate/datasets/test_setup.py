"""The steps of set-up are read from the database, and stay until they are done or dismissed."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.administration.guidelines import save_guidelines
from annotate.datasets.setup import setup_steps
from annotate.models import Dataset, Role
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def done(dataset: Dataset) -> list[str]:
    return [step.title for step in setup_steps(dataset) if step.is_done]


def test_each_step_is_ticked_when_it_is_done() -> None:
    dataset = make_dataset()
    assert done(dataset) == []
    response = make_response(dataset)
    assert done(dataset) == ["Data"]
    save_guidelines(dataset, "Look it up.", since=0)
    assert done(dataset) == ["Data", "Guidelines"]
    ada = make_person("ada", dataset)
    assert "1 of 2" in setup_steps(dataset)[2].about
    make_person("ben", dataset)
    assert done(dataset) == ["Data", "Guidelines", "People"]
    task = make_task(response)
    assert done(dataset) == ["Data", "Guidelines", "People", "Assign"]
    judge(task, ada, {})
    assert setup_steps(dataset) == []


def test_gold_that_came_with_the_data_needs_no_set_up() -> None:
    dataset = make_dataset()
    add_gold(make_response(dataset).segments.all()[0], "supported")
    assert setup_steps(dataset) == []


def test_every_step_leads_to_a_page_that_opens(client: Client) -> None:
    dataset = make_dataset()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    assert [client.get(step.address).status_code for step in setup_steps(dataset)] == [200] * 6


def test_the_list_is_on_the_overview_until_it_is_dismissed(client: Client) -> None:
    dataset = make_dataset()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    page = reverse("dataset", args=[dataset.pk])
    assert "Set up this dataset" in client.get(page).text
    client.post(reverse("setup-dismiss", args=[dataset.pk]))
    assert "Set up this dataset" not in client.get(page).text


def test_only_adjudicators_see_it(client: Client) -> None:
    dataset = make_dataset()
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    assert "Set up this dataset" not in client.get(reverse("dataset", args=[dataset.pk])).text
