"""Providers of other protocols than OpenAI's, over real HTTP."""

import asyncio
from decimal import Decimal

import pytest

from llm.client import ModelClient
from llm.closing import closed_until
from llm.endpoint_form import EndpointForm
from llm.errors import AccessRefusedError, EndpointAddressError, EndpointUnavailableError
from llm.listing import why_unreachable
from llm.models import Endpoint, Price
from llm.price import cost_of_call
from llm.provider_rules import region_of, why_not_installed
from llm.requests import Request
from tests.fake_anthropic import KEY, FakeAnthropic, fake_anthropic
from tests.llm.conftest import QUICK

pytest.importorskip("any_llm")

TALK = [{"role": "system", "content": "Judge."}, {"role": "user", "content": "Is one odd?"}]


@pytest.fixture
def server():
    with fake_anthropic() as server:
        yield server
    closed_until.clear()


def ask(server: FakeAnthropic, key: str = KEY, address: str = "", **parameters):
    """The completion, and the client that asked."""

    async def talk():
        base_url = address or server.address
        request = Request(base_url, "claude-sonnet-4-5", TALK, {"max_tokens": 50, **parameters})
        async with ModelClient(base_url, key, 2, QUICK, provider="anthropic") as client:
            return await client.complete(request), client

    return asyncio.run(talk())


def test_anthropic_is_asked_in_its_own_words(server):
    completion, _ = ask(server, temperature=0.0, stop=["\n"])

    assert (completion.text, completion.finish_reason) == ("True", "stop")
    assert (completion.prompt_tokens, completion.completion_tokens) == (12, 3)
    assert completion.served_model == "claude-sonnet-4-5"
    [asked] = server.asked
    assert (asked["system"], asked["max_tokens"], asked["stop_sequences"]) == ("Judge.", 50, ["\n"])
    assert [turn["role"] for turn in asked["messages"]] == ["user"]


def test_an_address_may_end_with_the_version(server):
    assert ask(server, address=f"{server.address}/v1")[0].text == "True"


def test_a_thought_comes_apart_and_a_cut_off_answer_says_so(server):
    server.thought, server.stop_reason = "At first sight false.", "max_tokens"
    completion, _ = ask(server)

    assert (completion.text, completion.thought) == ("True", "At first sight false.")
    assert completion.finish_reason == "length"


def test_tokens_from_the_cache_are_counted_and_priced(server):
    server.usage = {
        "input_tokens": 100,
        "output_tokens": 10,
        "cache_read_input_tokens": 900,
        "cache_creation_input_tokens": 0,
    }
    completion, _ = ask(server)

    assert (completion.prompt_tokens, completion.cached_tokens) == (1000, 900)
    price = Price(prompt_usd=Decimal(3), cached_usd=Decimal("0.3"), completion_usd=Decimal(15))
    # 100 at $3, 900 at $0.30 and 10 at $15 a million: 300 + 270 + 150 millionths
    assert cost_of_call(price, completion).usd == Decimal("0.000720")


@pytest.mark.parametrize("parameter", [{"seed": 1}, {"logprobs": True}])
def test_what_the_provider_has_not_is_left_out_and_learnt(server, parameter):
    completion, client = ask(server, **parameter)

    [name] = parameter
    assert completion.text == "True"
    assert completion.adapted == (f"{name} left out",)
    assert (name, "left_out") in client.changes


def test_what_the_server_refuses_is_left_out_too(server):
    server.answers = [(400, "`temperature` is deprecated for this model.")]
    completion, _ = ask(server, temperature=0.0)

    assert (completion.text, completion.adapted) == ("True", ("temperature left out",))


@pytest.mark.parametrize("status", [429, 500, 529])
def test_a_passing_fault_is_tried_again(server, status):
    server.answers, server.headers = [(status, "Try again.")], {"retry-after": "0.05"}
    completion, _ = ask(server)

    assert (completion.text, completion.attempts) == ("True", 2)
    assert len(server.asked) == 2


def test_a_wrong_key_stops_at_once_and_is_not_repeated(server):
    with pytest.raises(AccessRefusedError, match="invalid x-api-key"):
        ask(server, key="sk-ant-wrong")
    assert len(server.asked) == 1


def test_a_server_that_is_not_there_is_said_to_be_so(server):
    with pytest.raises(EndpointUnavailableError, match="cannot be reached"):
        ask(server, address="http://127.0.0.1:9")


def test_a_closed_address_is_not_called(server):
    with pytest.raises(EndpointAddressError):
        ask(server, address="http://10.0.0.1")


def test_plain_completions_are_refused_in_one_sentence(server):
    async def talk():
        request = Request(server.address, "m", TALK, {"max_tokens": 5}, interface="completion")
        async with ModelClient(server.address, KEY, 1, QUICK, provider="anthropic") as client:
            return await client.complete(request)

    with pytest.raises(AccessRefusedError, match="Anthropic has chat completions only"):
        asyncio.run(talk())


def test_whether_it_can_be_reached_is_known(server):
    there = Endpoint(name="a", base_url=server.address, provider="anthropic")
    assert asyncio.run(why_unreachable(there)) == ""
    gone = Endpoint(name="b", base_url="http://127.0.0.1:9", provider="anthropic")
    assert "cannot be reached" in asyncio.run(why_unreachable(gone))


def test_amazon_is_called_at_its_own_addresses_alone():
    assert region_of("https://bedrock-runtime.eu-west-1.amazonaws.com") == "eu-west-1"
    for other in ("https://bedrock-runtime.x.amazonaws.com.evil.example", "http://127.0.0.1:8", "ftp://a.example"):
        assert region_of(other) is None


@pytest.mark.django_db
def test_what_is_not_installed_is_said_at_the_form():
    assert why_not_installed("") == why_not_installed("anthropic") == ""
    missing = [name for name in ("gemini", "bedrock") if why_not_installed(name)]
    for name in missing:
        form = EndpointForm(
            {"name": "a", "base_url": "http://127.0.0.1:9/v1", "provider": name, "key_variable": "OPENAI_API_KEY"}
        )
        assert "install requirements-providers.txt" in form.errors["provider"][0]


@pytest.mark.django_db
def test_an_endpoint_says_whose_protocol_it_speaks(server):
    fields = {"name": "Claude", "base_url": server.address, "provider": "anthropic", "key_variable": "OPENAI_API_KEY"}
    form = EndpointForm(fields)

    assert form.is_valid(), form.errors
    assert form.save().get_provider_display() == "Anthropic"
    assert EndpointForm({**fields, "provider": "other"}).errors["provider"]
