"""Search engines on the page of endpoints, by command and in the form of a run."""

import json
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotate.grants.endpoints import endpoints_of, engines_of
from annotate.models import Role, User
from evaluators.methods import METHODS
from evaluators.runs.forms import RunForm
from llm.models import Endpoint
from tests.factories import make_dataset, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

FORM = {
    "name": "serper",
    "base_url": "https://search.example/search",
    "key_variable": "TOUCHSTONE_KEY_SEARCH",
    "search_engine": "serper",
    "search_usd": "0.001",
}


@pytest.fixture
def dataset():
    return make_dataset()


@pytest.fixture
def root(dataset):
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


def add(client, dataset, **changed):
    return client.post(reverse("endpoints", args=[dataset.pk]), FORM | changed)


def test_an_engine_is_added_by_page_and_is_no_endpoint_of_models(root, dataset):
    add(root, dataset)

    engine = Endpoint.objects.get()
    assert (engine.search_engine, engine.search_usd) == ("serper", Decimal("0.001"))
    assert (list(engines_of(dataset)), list(endpoints_of(dataset))) == ([engine], [])
    page = squeezed(root.get(reverse("endpoints", args=[dataset.pk])).content.decode())
    assert "Search engine, Serper&#x27;s protocol: <code>https://search.example/search</code>" in page
    assert "A search costs $0.001." in page
    assert "Probe</button>" not in page


def test_an_engine_without_keys_is_sent_none(root, dataset):
    add(root, dataset, search_engine="searxng")

    page = squeezed(root.get(reverse("endpoints", args=[dataset.pk])).content.decode())
    assert "No key is sent" in page
    assert "Key: <code>" not in page


def test_a_member_without_the_right_adds_none(dataset):
    client = Client()
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    assert add(client, dataset).status_code == 403
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"key_variable": "OPENAI_API_KEY"}, "OPENAI_API_KEY is sent to models"),
        ({"key_variable": "SECRET_KEY"}, "or one that KEY_VARIABLES lists"),
        ({"search_engine": "bing"}, "Select a valid choice"),
        ({"search_usd": "-1"}, "greater than or equal to 0"),
        ({"name": "corpus"}, "choose another name"),
        ({"name": "run:12"}, "Runs call the searches of another run so: choose another name."),
        ({"search_engine": ""}, "Language models have prices of their own"),
        ({"base_url": "http://169.254.169.254/search"}, "not an address of the open internet"),
    ],
)
def test_what_cannot_be_an_engine_is_said_at_the_form(root, dataset, changed, said):
    answer = add(root, dataset, **changed)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Endpoint.objects.exists()


def test_the_form_of_a_run_offers_the_engines_of_the_dataset(root, dataset):
    add(root, dataset)
    Endpoint.objects.create(name="theirs", base_url="https://theirs.example/", search_engine="brave")

    field = RunForm(dataset, METHODS["safe"]).fields["parameter-search"]
    assert [value for value, _ in field.widget.choices] == ["", "serper"]
    page = squeezed(root.get(reverse("run-new", args=[dataset.pk]) + "?method=safe").content.decode())
    assert '<option value="serper" selected>serper</option>' in page


def run_command(*words):
    out = StringIO()
    call_command("search_engines", *words, "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def test_an_engine_is_added_listed_and_changed_by_command(dataset, monkeypatch):
    new = ("--protocol", "brave", "--address", "https://b.example/search/", "--key-variable", "TOUCHSTONE_KEY_BRAVE")
    assert run_command("brave", *new, "--dataset", "lab") == [
        {
            "engine": "brave",
            "protocol": "brave",
            "address": "https://b.example/search",
            "key_variable": "TOUCHSTONE_KEY_BRAVE",
            "has_key": False,
            "search_usd": None,
            "requests_per_minute": None,
            "max_in_flight": None,
            "searches": 0,
        }
    ]
    monkeypatch.setenv("TOUCHSTONE_KEY_BRAVE", "secret")
    [changed] = run_command("brave", "--price", "0.005", "--requests-per-minute", "60")
    assert (changed["search_usd"], changed["requests_per_minute"], changed["has_key"]) == (0.005, 60, True)
    assert engines_of(dataset).get().name == "brave"


def test_an_engine_without_a_key_needs_no_variable(dataset):
    [made] = run_command("own", "--protocol", "searxng", "--address", "https://searx.example/search", "--shared")
    assert (made["has_key"], engines_of(dataset).count()) == (True, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--price", "1"), "Name the search engine"),
        (("x", "--price", "1"), "There is no search engine 'x' yet: a new one needs --protocol and --address"),
        (("models", "--price", "1"), "'models' is an endpoint of models"),
        (("x", "--protocol", "brave", "--address", "https://b.example/"), "key_variable: This field is required"),
        (("x", "--protocol", "searxng", "--address", "searx"), "base_url: The address must begin with http"),
        (("x", "--protocol", "searxng", "--address", "https://s.example/", "--dataset", "no"), "no dataset 'no'"),
    ],
)
def test_what_cannot_be_set_by_command_is_said(dataset, words, said):
    Endpoint.objects.create(name="models", base_url="https://models.example/v1")
    with pytest.raises(CommandError, match=said):
        run_command(*words)
    assert Endpoint.objects.count() == 1
