"""What the client does when the server fails: over real HTTP, connections dropped for real."""

import asyncio
from dataclasses import replace

import pytest

from llm.client import ModelClient
from llm.closing import closed_until
from llm.completion import storable
from llm.errors import AccessRefusedError, EndpointUnavailableError, RequestRefusedError
from llm.requests import Request
from tests.llm.conftest import QUICK

KEY = "sk-very-secret"


def request(number):
    return Request("http://any/v1", "m", [{"role": "user", "content": f"{number}. wrong"}], {})


def complete(server, key=KEY, path="", retries=QUICK):
    base_url = server.base_url + path

    async def session():
        async with ModelClient(base_url, key, 1, retries) as client:
            return await client.complete(request(1))

    return asyncio.run(session())


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_a_failure_that_may_pass_is_tried_again(server, status):
    server.control(fail_first=2, fail_status=status)

    completion = complete(server)

    assert (completion.text, completion.attempts) == ("Answer: 1", 3)


def test_a_dropped_connection_is_tried_again(server):
    server.control(fail_first=2, fail_status=0)

    assert complete(server).attempts == 3


def test_after_the_last_attempt_the_endpoint_is_unavailable(server):
    server.control(fail_first=99, fail_status=503, fail_text="come back tomorrow")

    with pytest.raises(EndpointUnavailableError, match=r"answered 503: .*come back tomorrow.*\(4 attempts\)"):
        complete(server)

    assert server.stats()["total"] == 4


def test_a_server_that_drops_every_connection_is_unavailable(server):
    server.control(fail_first=99, fail_status=0)

    with pytest.raises(EndpointUnavailableError, match=r"cannot be reached: .*\(4 attempts\)"):
        complete(server)


def test_an_answer_that_does_not_come_is_not_waited_for_for_ever(server):
    server.control(answers=0)

    with pytest.raises(EndpointUnavailableError, match=r"timed out.*\(2 attempts\)"):
        complete(server, retries=replace(QUICK, attempts=2, patience=0.1))

    assert server.stats()["total"] <= 2  # where it is slow, not even the request has gone by then


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, RequestRefusedError),
        (422, RequestRefusedError),
        (401, AccessRefusedError),
        (403, AccessRefusedError),
        (404, AccessRefusedError),
    ],
)
def test_a_refusal_is_not_tried_again(server, status, error):
    server.control(fail_first=99, fail_status=status, fail_text="no")

    with pytest.raises(RequestRefusedError, match=rf"answered {status}: .*no") as caught:
        complete(server)

    assert caught.type is error
    assert server.stats()["total"] == 1


def test_a_spent_quota_is_not_waited_for(server):
    server.control(fail_first=99, fail_status=429, fail_code="insufficient_quota")

    with pytest.raises(AccessRefusedError):
        complete(server)

    assert server.stats()["total"] == 1


def test_the_key_is_in_no_message(server):
    server.control(fail_first=99, fail_status=401, fail_text=f"Incorrect key: {KEY}")

    with pytest.raises(AccessRefusedError) as error:
        complete(server)

    assert KEY not in str(error.value)
    assert "Incorrect key: ***" in str(error.value)


def test_the_server_is_asked_to_wait_as_long_as_it_says(server):
    server.control(fail_first=1, fail_status=429, retry_after="0.2")

    completion = complete(server)

    # Its own waits would be 0.01 s at most.
    assert completion.attempts == 2
    assert server.stats()["longest_pause"] >= 0.2


@pytest.mark.parametrize("body", ["{}", '"text"', '{"choices": [1]}', '{"choices": [{"message": 1}]}'])
def test_a_success_that_is_no_completion_is_refused(server, body):
    server.control(raw_body=body)

    with pytest.raises(RequestRefusedError, match="not a chat completion"):
        complete(server)


def test_a_wrong_path_is_refused_with_the_address(server):
    with pytest.raises(AccessRefusedError, match=rf"{server.base_url}/typo answered 404"):
        complete(server, path="/typo")


@pytest.mark.parametrize("path", ["/openai/deployments/judge", "/openai", "/openai/v1", "/models"])
@pytest.mark.parametrize("key", ["azure-key", "another"])
def test_azure_is_called_with_its_version_and_key(server, key, path):
    base_url = server.base_url.replace("/v1", f"{path}?api-version=2024-10-21")

    async def session():
        async with ModelClient(base_url, key, 1, QUICK) as client:
            return await client.complete(request(1))

    if key == "azure-key":
        assert asyncio.run(session()).text == "Answer: 1"
    else:
        with pytest.raises(AccessRefusedError, match="answered 404"):
            asyncio.run(session())


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("plain \u00e9 \U0001f600", "plain \u00e9 \U0001f600"),
        ("a\x00b", "a\ufffdb"),
        ("a\ud800b", "a\ufffdb"),
    ],
)
def test_what_no_database_takes_is_replaced(text, stored):
    assert storable(text) == stored


def test_an_answer_that_breaks_off_is_tried_again(server):
    server.control(break_first=2)

    completion = complete(server)

    assert (completion.text, completion.attempts) == ("Answer: 1", 3)


def test_half_an_object_is_an_answer_that_broke_off(server):
    server.control(raw_body='{"choices": [{"mess')

    with pytest.raises(EndpointUnavailableError, match=r"does not answer whole: .*\(4 attempts\)"):
        complete(server)


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_what_a_content_filter_refuses_has_its_words(server, code):
    server.control(fail_first=99, fail_status=400, fail_code=code)

    completion = complete(server)

    assert (completion.text, completion.finish_reason) == ("told to fail", "content_filter")
    assert server.stats()["total"] == 1


def test_all_calls_wait_when_the_server_asks_one_to(server):
    server.control(fail_first=1, fail_status=429, retry_after="0.2")

    async def session():
        async with ModelClient(server.base_url, KEY, 1, QUICK) as client:
            first = asyncio.create_task(client.complete(request(1)))
            async with asyncio.timeout(30):
                while server.base_url not in closed_until:
                    await asyncio.sleep(0)
            return await asyncio.gather(first, client.complete(request(2)))

    closed_until.clear()
    completions = asyncio.run(session())

    assert [completion.attempts for completion in completions] == [2, 1]
    refused, *others = server.stats()["begun"]
    assert min(others) - refused >= 0.2
