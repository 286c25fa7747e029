"""Endpoints are reached on the open internet, or where LLM_ALLOW allows, and nowhere else: over real HTTP."""

import asyncio
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from core.addresses import AllowedNetworks, read_network
from llm.client import ModelClient
from llm.endpoint_form import EndpointForm
from llm.errors import EndpointAddressError, ModelError
from llm.models import Endpoint
from llm.probing import probe
from llm.requests import Request
from llm.retries import RetryPolicy
from tests.fake_openai import FakeOpenAI

METADATA = "http://169.254.169.254/latest"
ONCE = RetryPolicy(attempts=1)
MANY = RetryPolicy(attempts=5, first_wait=60)


@pytest.fixture
def nothing_allowed(settings):
    settings.LLM_ALLOW = AllowedNetworks([])


def ask(base_url: str, retries: RetryPolicy = MANY) -> str:
    async def call() -> str:
        async with ModelClient(base_url, "key", 1, retries) as client:
            completion = await client.complete(Request(base_url, "m", [{"role": "user", "content": "?"}], {}))
            return completion.text

    return asyncio.run(call())


def by_name(server: FakeOpenAI) -> str:
    return f"http://localhost:{urlsplit(server.base_url).port}/v1"


@pytest.mark.usefixtures("nothing_allowed")
def test_an_address_of_this_machine_is_not_called(server):
    with pytest.raises(EndpointAddressError, match=r"127\.0\.0\.1, which is not an address of.*LLM_ALLOW"):
        ask(server.base_url)

    assert server.stats()["total"] == 0


@pytest.mark.usefixtures("nothing_allowed")
def test_a_name_that_leads_there_is_not_called_and_not_tried_again(server):
    with pytest.raises(EndpointAddressError, match="localhost leads to"):
        ask(by_name(server))

    assert server.stats()["total"] == 0


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "[::ffff:127.0.0.1]", "[::1]"])
@pytest.mark.usefixtures("nothing_allowed")
def test_other_ways_to_write_this_machine_are_seen_through(server, host):
    with pytest.raises(EndpointAddressError):
        ask(f"http://{host}:{urlsplit(server.base_url).port}/v1")

    assert server.stats()["total"] == 0


def test_what_is_allowed_is_called_by_that_port_alone(server, settings):
    port = urlsplit(server.base_url).port
    settings.LLM_ALLOW = AllowedNetworks([read_network(f"127.0.0.1:{port}")])
    server.control(answer="Yes.")
    assert ask(server.base_url) == "Yes."

    settings.LLM_ALLOW = AllowedNetworks([read_network(f"127.0.0.1:{port + 1}")])
    with pytest.raises(EndpointAddressError):
        ask(server.base_url)


def test_the_connection_goes_to_the_address_that_was_checked(server, monkeypatch):
    """A name that leads to an allowed address once, and to the machine's metadata ever after."""
    answers: Iterator[str] = iter(["127.0.0.1"])
    seen = []

    async def resolve(self, host, port=0, family=0):
        address = next(answers, "169.254.169.254")
        seen.append(address)
        return [{"hostname": host, "host": address, "port": port, "family": 2, "proto": 0, "flags": 0}]

    monkeypatch.setattr("aiohttp.ThreadedResolver.resolve", resolve)
    url = f"http://rebind.example:{urlsplit(server.base_url).port}/v1"
    assert ask(url) == "ALL_CORRECT"
    assert seen == ["127.0.0.1"]

    with pytest.raises(EndpointAddressError, match=r"169\.254\.169\.254"):
        ask(url)


def test_a_redirect_is_not_followed(server):
    server.control(fail_first=9, fail_status=307, location=METADATA)
    with pytest.raises(ModelError, match="answered 307"):
        ask(server.base_url, ONCE)
    assert server.stats()["total"] == 1


def test_no_proxy_of_the_environment_is_used(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert ask(server.base_url, ONCE) == "ALL_CORRECT"


@pytest.mark.usefixtures("nothing_allowed")
def test_a_probe_of_a_closed_address_says_so_and_shows_nothing_of_it(server, endpoint):
    for base_url in (server.base_url, by_name(server)):
        Endpoint.objects.filter(pk=endpoint.pk).update(base_url=base_url)
        endpoint.refresh_from_db()
        found = probe(endpoint, "m")
        assert found.nothing_known
        assert "not an address of the open internet" in found.error
    assert server.stats()["total"] == 0


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["http://localhost:8000/v1", METADATA, "http://[fd00::1]/v1", "http://0x7f.1/v1"])
@pytest.mark.usefixtures("nothing_allowed")
def test_a_closed_address_is_not_saved(address):
    form = EndpointForm({"name": "inside", "base_url": address, "key_variable": "OPENAI_API_KEY"})
    assert not form.is_valid()
    assert "not an address of the open internet" in form.errors["base_url"][0]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["http://127.0.0.1:8000/v1", "https://nowhere.invalid/v1", "https://8.8.8.8/v1"])
def test_an_open_or_allowed_one_is_and_one_without_an_address_yet(address):
    form = EndpointForm({"name": "outside", "base_url": address, "key_variable": "OPENAI_API_KEY"})
    assert form.is_valid(), form.errors
