"""A server that asks one call to wait asks all calls, of every process."""

import asyncio
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from llm.closing import closed_until
from llm.errors import ParkedError
from llm.models import Endpoint, RateUse
from llm.shared_closing import close_endpoint, seconds_closed

ADA = [{"role": "user", "content": "1. Ada sang."}]
BEN = [{"role": "user", "content": "1. Ben sang."}]


@pytest.fixture(autouse=True)
def _all_open():
    closed_until.clear()
    yield
    closed_until.clear()


def asking(messages):
    async def talk(ask):
        return await ask(messages)

    return talk


def of_another_process():
    """Another process shares the database alone."""
    closed_until.clear()


def test_a_wait_that_one_process_was_asked_for_is_kept_to_by_another(server, endpoint, with_asker):
    server.control(fail_first=1, fail_status=429, fail_text="Please try again in 20s.")
    with pytest.raises(ParkedError):  # longer than these calls wait
        with_asker(asking(ADA))
    of_another_process()

    with pytest.raises(ParkedError):
        with_asker(asking(BEN))

    assert server.stats()["total"] == 1


def test_a_short_wait_is_waited_for(server, endpoint, with_asker):
    close_endpoint(endpoint, 0.15)
    began = time.time()

    with_asker(asking(ADA))

    assert server.stats()["begun"][0] - began >= 0.15


def test_a_long_wait_parks_the_work_of_other_processes_too(server, endpoint, with_asker):
    close_endpoint(endpoint, 7200)

    with pytest.raises(ParkedError, match="asks to wait for 2 hours"):
        with_asker(asking(ADA))

    assert server.stats()["total"] == 0


def test_calls_that_begin_together_all_keep_to_it(server, endpoint, with_asker):
    close_endpoint(endpoint, 0.15)
    began = time.time()

    async def talk(ask):
        return await asyncio.gather(ask(ADA), ask(BEN))

    with_asker(talk)

    assert min(server.stats()["begun"]) - began >= 0.15


def test_of_two_waits_the_longer_holds(endpoint):
    close_endpoint(endpoint, 60)
    close_endpoint(endpoint, 5)

    assert 59 < seconds_closed(endpoint) <= 60


def test_an_endpoint_is_open_that_never_asked_or_whose_time_is_over(endpoint):
    assert seconds_closed(endpoint) == 0
    RateUse.objects.create(endpoint=endpoint, closed_until=timezone.now() - timedelta(seconds=1))
    assert seconds_closed(endpoint) == 0


def test_other_endpoints_stay_open(endpoint):
    close_endpoint(endpoint, 60)

    assert seconds_closed(Endpoint.objects.create(name="other", base_url="https://lab.example/v1")) == 0
