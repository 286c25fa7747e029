"""The queue of marked units: dismissed with a reason, or settled as irrelevant by a decision."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.attention.read import items_of
from annotate.models import Adjudication, GoldLabel, Role, UnitMark, User
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.labels.work import client_of
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def mark() -> UnitMark:
    """Ada's, on the second of two sentences, which she and Ben labelled."""
    dataset = make_dataset()
    response = make_response(dataset)
    one, two = response.segments.all()
    task = make_task(response)
    ada = judge(task, make_person("ada", dataset), {one: "supported", two: "supported"})
    judge(task, make_person("ben", dataset), {one: "supported", two: "not_supported/reasoning"})
    return UnitMark.objects.create(assignment=ada, segment=two, kind="no_claim", note="Small talk.")


@pytest.fixture
def dora(mark: UnitMark) -> User:
    return make_person("dora", mark.assignment.task.dataset, Role.ADJUDICATOR)


@pytest.fixture
def client(dora: User) -> Client:
    return client_of(dora)


def page_of(client: Client, mark: UnitMark, **asked: str) -> str:
    address = reverse("marks", args=[mark.assignment.task.dataset_id])
    return squeezed(client.get(address, asked).content.decode())


def settle(client: Client, mark: UnitMark, action: str, reason: str) -> int:
    status = client.post(reverse("mark-settle", args=[mark.pk]), {"action": action, "reason": reason}).status_code
    mark.refresh_from_db()
    return status


def test_the_queue_shows_a_mark_without_a_name(client, mark):
    page = page_of(client, mark)
    assert "No claim here" in page
    assert "Small talk." in page
    assert "ada" not in page.split("<main")[1].lower()


def test_the_queue_can_be_narrowed_to_one_kind(client, mark):
    assert "Small talk." not in page_of(client, mark, kind="cut")
    assert "No settled marks" in page_of(client, mark, show="settled")


def test_a_mark_is_dismissed_with_a_reason_only(client, dora, mark):
    assert settle(client, mark, "dismiss", " ") == 422
    assert mark.state == "open"
    assert settle(client, mark, "dismiss", "It claims a sum.") == 302
    assert (mark.state, mark.settled_by, mark.reason) == ("dismissed", dora, "It claims a sum.")
    assert settle(client, mark, "dismiss", "Once more.") == 422


def test_no_claim_is_a_decision_and_labels_stay(client, mark):
    assert settle(client, mark, "no_claim", "Small talk.") == 302
    assert GoldLabel.objects.get().value == "irrelevant"
    assert Adjudication.objects.get().why == "Small talk."
    assert mark.state == "mended"
    assert mark.assignment.labels.count() == 2


def test_an_open_mark_needs_attention_of_adjudicators(dora, mark):
    assert "marks" in {item.kind for item in items_of(dora)}
    assert "marks" not in {item.kind for item in items_of(mark.assignment.annotator)}
