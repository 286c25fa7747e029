"""A browser that opens an address for forms."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Role
from tests.factories import make_dataset, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(client: Client) -> str:
    dataset = make_dataset()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    return reverse("member-add", args=[dataset.pk])


def test_the_page_says_that_nothing_was_changed(client: Client, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This address only receives forms. Nothing was changed" in squeezed(answer.content.decode())


def test_other_methods_get_no_page(client: Client, address: str) -> None:
    answer = client.put(address)
    assert (answer.status_code, answer["Allow"], answer.content) == (405, "POST", b"")


def test_the_api_keeps_its_own_answer(client: Client) -> None:
    assert client.get("/api/v1/jobs/").headers["Content-Type"] == "application/problem+json"
