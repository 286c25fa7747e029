"""Who has a sandbox adds endpoints of their own there, which never get a key of the server or of somebody else."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.datasets.create import create_dataset
from annotate.grants.endpoints import endpoints_of
from annotate.models import Dataset, Role, User
from evaluators.endpoints.forms import MOST_ENDPOINTS
from llm.endpoints import default_endpoint, is_variable_of, key_of
from llm.models import Endpoint
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Dataset:
    return make_dataset()


@pytest.fixture
def rhea(lab: Dataset) -> User:
    return make_person("rhea", lab, Role.RESEARCHER)


@pytest.fixture
def sandbox(rhea: User) -> Dataset:
    return create_dataset("trial", "felm", rhea, ready=True, sandbox=True)


@pytest.fixture
def client(client: Client, rhea: User) -> Client:
    client.force_login(rhea)
    return client


def add(client, dataset, person, **changed):
    fields = {
        "name": "mine",
        "base_url": "https://models.example/v1",
        "key_variable": f"TOUCHSTONE_KEY_USER_{person.pk}",
    }
    return client.post(reverse("endpoints", args=[dataset.pk]), fields | changed)


def test_it_belongs_to_who_adds_it_and_the_sandbox_uses_it(client, rhea, lab, sandbox, monkeypatch):
    monkeypatch.setenv(f"TOUCHSTONE_KEY_USER_{rhea.pk}", "sk-mine")
    assert "Add an endpoint" in client.get(reverse("endpoints", args=[sandbox.pk])).text
    assert add(client, sandbox, rhea).status_code == 302
    own = Endpoint.objects.get()
    assert (own.owner, own.shared, key_of(own)) == (rhea, False, "sk-mine")
    assert [endpoints_of(sandbox).count(), endpoints_of(lab).count()] == [1, 0]


def test_in_other_datasets_they_add_none(client, rhea, lab, sandbox):
    assert "Add an endpoint" not in client.get(reverse("endpoints", args=[lab.pk])).text
    assert add(client, lab, rhea).status_code == 403
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize(
    "variable", ["OPENAI_API_KEY", "TOUCHSTONE_KEY_LAB", "TOUCHSTONE_KEY_USER_999", "TOUCHSTONE_KEY_USER_{pk}_FILE"]
)
def test_no_key_of_the_server_or_of_others_is_sent(client, rhea, sandbox, variable):
    answer = add(client, sandbox, rhea, key_variable=variable.format(pk=rhea.pk))
    assert answer.status_code == 422
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("TOUCHSTONE_KEY_USER_1", True),
        ("TOUCHSTONE_KEY_USER_1_LAB", True),
        ("TOUCHSTONE_KEY_USER_12", False),
        ("TOUCHSTONE_KEY_USER_", False),
        ("TOUCHSTONE_KEY_USER_1_FILE", False),
        ("OPENAI_API_KEY", False),
    ],
)
def test_the_variables_of_a_person_are_told_by_the_number_of_their_account(name, own):
    assert is_variable_of(name, 1) is own


@pytest.mark.parametrize("change", [{"key_variable": "OPENAI_API_KEY"}, {"base_url": "https://other.example/v1"}])
def test_an_owner_cannot_lead_a_key_of_the_server_away(client, rhea, sandbox, change):
    """An endpoint that its owner added as an administrator of the site."""
    there = {"name": "old", "base_url": "https://old.example/v1", "key_variable": "TOUCHSTONE_KEY_LAB"}
    old = Endpoint.objects.create(owner=rhea, **there)
    address = reverse("endpoint", args=[sandbox.pk, old.pk])
    assert client.post(address, there | {"max_in_flight": "3"}).status_code == 302
    assert client.post(address, there | change).status_code == 422
    old.refresh_from_db()
    assert (old.base_url, old.key_variable, old.max_in_flight) == (there["base_url"], there["key_variable"], 3)


@pytest.mark.parametrize("named", ["https://lab.example/v1", ""])
def test_the_default_endpoint_is_not_taken_from_the_server(client, rhea, sandbox, monkeypatch, named):
    monkeypatch.setenv("OPENAI_BASE_URL", named)
    answer = add(client, sandbox, rhea, base_url=named or "https://api.openai.com/v1")
    assert "default endpoint" in answer.text
    default = default_endpoint()
    assert (default.owner, default.shared) == (None, True)


def test_there_is_a_limit_of_how_many(client, rhea, sandbox):
    for number in range(MOST_ENDPOINTS):
        Endpoint.objects.create(name=f"e{number}", base_url=f"https://e{number}.example/v1", owner=rhea)
    answer = add(client, sandbox, rhea)
    assert f"You have {MOST_ENDPOINTS} endpoints" in answer.text
    assert Endpoint.objects.count() == MOST_ENDPOINTS
