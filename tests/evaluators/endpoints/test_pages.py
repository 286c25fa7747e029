"""The pages of endpoints."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, Role, User
from llm.models import Adaptation, Capabilities, Endpoint, Price
from llm.models.endpoint import PRICES
from llm.public_prices import find_public_price
from tests.factories import make_dataset, make_person
from tests.fake_openai import fake_openai
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

FORM = {"name": "Lab", "base_url": "http://lab.example/v1/", "key_variable": "TOUCHSTONE_KEY_LAB"}


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def root(dataset: Dataset) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def rhea(dataset: Dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    return client


def add(client: Client, dataset: Dataset, **changed: str):
    return client.post(reverse("endpoints", args=[dataset.pk]), FORM | changed)


def test_an_endpoint_is_added(root, dataset):
    add(root, dataset, max_in_flight="4", requests_per_minute="", tokens_per_minute="90000")

    lab = Endpoint.objects.get()
    assert (lab.name, lab.base_url, lab.key_variable) == ("Lab", "http://lab.example/v1", "TOUCHSTONE_KEY_LAB")
    assert (lab.max_in_flight, lab.requests_per_minute, lab.tokens_per_minute) == (4, None, 90000)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"base_url": "lab.example"}, "The address must begin with http:// or https://"),
        ({"base_url": "http://me:secret@lab.example/v1"}, "must hold no user name, password"),
        ({"key_variable": "SECRET_KEY"}, "or one that KEY_VARIABLES lists"),
        ({"key_variable": "OTHER_API_KEY"}, "or one that KEY_VARIABLES lists"),
        ({"max_in_flight": "0"}, "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_an_endpoint_is_said_at_the_form(root, dataset, changed, said):
    answer = add(root, dataset, **changed)

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Endpoint.objects.exists()


def test_a_researcher_sees_limits_prices_and_abilities_but_no_form(rhea, dataset, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_KEY_LAB", "sk-very-secret")
    lab = Endpoint.objects.create(
        shared=True, name="Lab", base_url="http://l/v1", key_variable="TOUCHSTONE_KEY_LAB", requests_per_minute=60
    )
    Price.objects.create(endpoint=lab, model="m", prompt_usd=Decimal("0.15"), completion_usd=Decimal("0.6"))
    Capabilities.objects.create(
        endpoint=lab, model="m", logprobs=True, context_length=4096, probed_at="2026-11-20T12:00Z"
    )

    page = squeezed(rhea.get(reverse("endpoints", args=[dataset.pk])).content.decode())

    for shown in ("60 requests a minute", "0.15", "4,096", "2026-11-20T12:00", "TOUCHSTONE_KEY_LAB</code>, set"):
        assert shown in page
    assert "sk-very-secret" not in page
    assert 'method="post" action="/datasets' not in page


def test_a_model_is_probed(root, dataset):
    with fake_openai(context_length=2048) as server:
        lab = Endpoint.objects.create(shared=True, name="Lab", base_url=server.base_url)
        page = root.post(reverse("endpoint-probe", args=[dataset.pk, lab.pk]), {"model": "m"}, follow=True)

    assert "m at Lab was probed. What it can do is shown below." in page.content.decode()
    assert (lab.capabilities.get().chat, lab.capabilities.get().context_length) == (True, 2048)


def test_a_price_is_set_changed_and_removed(root, dataset):
    lab = Endpoint.objects.create(shared=True, name="Lab", base_url="http://l/v1")
    address = reverse("endpoint-price", args=[dataset.pk, lab.pk])

    root.post(address, {"model": "m", "prompt_usd": "1", "completion_usd": "2"})
    root.post(address, {"model": "m", "prompt_usd": "1", "completion_usd": "3"})
    assert lab.prices.get().completion_usd == 3

    root.post(address, {"remove": "m"})
    assert not lab.prices.exists()


def test_a_model_of_another_dialect_is_probed(root, dataset):
    with fake_openai(
        dialects=["max_completion_tokens only", "temperature 1 only", "no log-probabilities, 400"]
    ) as server:
        lab = Endpoint.objects.create(shared=True, name="Lab", base_url=server.base_url)
        root.post(reverse("endpoint-probe", args=[dataset.pk, lab.pk]), {"model": "m"})

    assert (lab.capabilities.get().chat, lab.capabilities.get().logprobs) == (True, False)


def test_what_a_model_refused_is_listed_and_forgotten(root, dataset):
    lab = Endpoint.objects.create(shared=True, name="Lab", base_url="http://l/v1")
    learnt = Adaptation.objects.create(
        endpoint=lab, model="m", parameter="max_tokens", way="renamed", value="max_completion_tokens", said="Not this."
    )
    page = root.get(reverse("endpoint", args=[dataset.pk, lab.pk])).content.decode()
    for shown in ("max_tokens sent as max_completion_tokens", "Not this.", f'value="{learnt.pk}"'):
        assert shown in page

    address = reverse("endpoint-forget", args=[dataset.pk, lab.pk])
    assert root.post(address, {"forget": "x"}).status_code == 404
    root.post(address, {"forget": learnt.pk})

    assert not lab.adaptations.exists()


def test_limits_are_changed(root, dataset):
    lab = Endpoint.objects.create(shared=True, name="Lab", base_url="http://lab.example/v1", requests_per_minute=60)

    root.post(reverse("endpoint", args=[dataset.pk, lab.pk]), FORM | {"requests_per_minute": "120"})

    assert Endpoint.objects.get().requests_per_minute == 120


def test_the_list_takes_as_many_queries_for_many_endpoints_as_for_one(rhea, dataset, django_assert_max_num_queries):
    for number in range(5):
        lab = Endpoint.objects.create(shared=True, name=f"Lab {number}", base_url=f"http://l{number}/v1")
        Capabilities.objects.create(endpoint=lab, model="m", probed_at="2026-11-20T12:00Z")

    rhea.get(reverse("endpoints", args=[dataset.pk]))  # the number in the navigation is counted once a minute
    with django_assert_max_num_queries(12):
        rhea.get(reverse("endpoints", args=[dataset.pk]))


def test_a_part_of_a_price_may_be_left_open_but_not_all_of_them(root, dataset):
    lab = Endpoint.objects.create(shared=True, name="Lab", base_url="http://l/v1")
    address = reverse("endpoint-price", args=[dataset.pk, lab.pk])

    assert root.post(address, {"model": "m"}).status_code == 422
    assert root.post(address, {"model": "m", "cached_usd": "-1"}).status_code == 422
    root.post(address, {"model": "m", "prompt_usd": "0.15", "cached_usd": "0.0028"})

    price = lab.prices.get()
    assert (price.cached_usd, price.completion_usd, price.as_of) == (Decimal("0.0028"), None, None)
    page = squeezed(root.get(reverse("endpoint", args=[dataset.pk, lab.pk])).content.decode())
    for shown in ('<td class="num">0.15</td>', '<td class="num">0.0028</td>', 'title="not known">–', "entered"):
        assert shown in page


def test_public_prices_are_offered_when_an_endpoint_is_added(root, dataset):
    answer = root.post(
        reverse("endpoints", args=[dataset.pk]), FORM | {"base_url": "https://api.openai.com/v1"}, follow=True
    )

    address, _ = answer.redirect_chain[-1]
    assert address == reverse("endpoint", args=[dataset.pk, Endpoint.objects.get().pk]) + "?model=#prices"
    assert '<option value="gpt-4o">' in answer.content.decode()


def test_an_unknown_server_has_none_to_offer(root, dataset):
    answer = add(root, dataset)
    assert answer.url == reverse("endpoints", args=[dataset.pk])


def test_a_public_price_fills_the_form_and_is_kept_with_the_date_of_its_table(root, dataset):
    openai = Endpoint.objects.create(shared=True, name="OpenAI", base_url="https://api.openai.com/v1")
    public = find_public_price(openai.base_url, "gpt-4o")
    page = root.get(reverse("endpoint", args=[dataset.pk, openai.pk]), {"model": "gpt-4o"})

    for shown in ("Public price at OpenAI, from genai-prices", f"{public.as_of:%B} {public.as_of.year}"):
        assert shown in squeezed(page.content.decode())
    filled = page.context["price_form"].initial
    assert filled["completion_usd"] == f"{public.prices['completion_usd'].normalize():f}"  # not 1E+1
    address = reverse("endpoint-price", args=[dataset.pk, openai.pk])
    root.post(address, {**filled, "looked_up": "yes"})

    price = openai.prices.get()
    assert {part: getattr(price, part) for part in PRICES} == public.prices
    assert price.as_of == public.as_of

    root.post(address, {**filled, "completion_usd": "7", "looked_up": "yes"})

    price.refresh_from_db()
    assert (price.completion_usd, price.as_of) == (7, None)


def test_a_model_without_a_public_price_is_said_to_have_none(root, dataset):
    lab = Endpoint.objects.create(shared=True, name="Lab", base_url="http://l/v1")
    page = root.get(reverse("endpoint", args=[dataset.pk, lab.pk]), {"model": "our-own"}).content.decode()
    assert "No public price of our-own is known" in squeezed(page)
