"""Requests and tokens per minute."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connections

from llm.models import Endpoint, RateUse
from llm.rate_limiter import NO_PERMITS, PermitBatch, RateLimiter
from tests.waiting import LONGEST


def test_a_limited_endpoint_is_called_at_its_pace(server, endpoint, with_asker):
    Endpoint.objects.filter(pk=endpoint.pk).update(requests_per_minute=600)
    endpoint.refresh_from_db()
    asked = [[{"role": "user", "content": f"1. Statement {number}."}] for number in range(6)]

    async def talk(ask):
        began = time.monotonic()
        await asyncio.gather(*(ask(messages) for messages in asked))
        return time.monotonic() - began

    # Five gaps of a tenth of a second.
    assert with_asker(talk) >= 0.5
    assert RateUse.objects.get().requests_at > 0


def test_tokens_that_were_not_used_are_given_back(server, endpoint, with_asker):
    # A call is taken to need its 1,000 tokens of room for the answer, which is a minute's share; it takes some ten.
    Endpoint.objects.filter(pk=endpoint.pk).update(tokens_per_minute=1000)
    endpoint.refresh_from_db()

    async def talk(ask):
        await ask([{"role": "user", "content": "1. wrong"}], max_tokens=1000)
        await ask([{"role": "user", "content": "1. right"}], max_tokens=10)
        return time.monotonic()

    began = time.monotonic()
    assert with_asker(talk) - began < 50  # the second would have to wait for a minute


def test_another_attempt_takes_a_permit_of_its_own(server, endpoint, with_asker):
    # 305 a minute: a fifth of a second each. Three attempts of one call are two gaps.
    Endpoint.objects.filter(pk=endpoint.pk).update(requests_per_minute=305)
    endpoint.refresh_from_db()
    server.control(fail_first=2)

    async def talk(ask):
        began = time.monotonic()
        await ask([{"role": "user", "content": "1. wrong"}])
        return time.monotonic() - began

    assert with_asker(talk) >= 0.4


@pytest.fixture
def with_limiter(endpoint):
    """Runs `talk(limiter)` with a limiter of these limits; what it returns, and the trips to the database."""

    def run(talk, **limits):
        Endpoint.objects.filter(pk=endpoint.pk).update(**limits)
        endpoint.refresh_from_db()

        class Counting(ThreadPoolExecutor):
            jobs = 0

            def submit(self, *work):
                self.jobs += 1
                return super().submit(*work)

        async def session():
            limiter = RateLimiter(endpoint, thread)
            try:
                return await talk(limiter)
            finally:
                await limiter.close()

        with Counting(max_workers=1) as thread:
            try:
                return asyncio.run(session()), thread.jobs
            finally:
                thread.submit(connections.close_all).result()

    return run


def test_a_limit_far_away_costs_few_trips_to_the_database(with_limiter, monkeypatch):
    # All of it within one second, however slow the machine.
    second = time.monotonic()
    monkeypatch.setattr("llm.rate_limiter.time", SimpleNamespace(monotonic=lambda: second))
    monkeypatch.setattr("llm.rate_limiter.LATE_SECONDS", 3600)

    async def talk(limiter):
        for _ in range(100):
            permits = await asyncio.gather(*(limiter(10) for _ in range(8)))
            for permit in permits:
                limiter.give_back(permit, 3)

    _, trips = with_limiter(talk, requests_per_minute=1_000_000, tokens_per_minute=10_000_000)

    assert trips <= 20  # of 800 calls
    # What was used of them is counted, and nothing else.
    assert sum(RateUse.objects.get().tokens.values()) == 800 * 3


def test_permits_that_are_being_taken_while_it_closes_are_given_back(with_limiter, monkeypatch):
    being_taken, closing = threading.Event(), threading.Event()
    take = RateLimiter._take

    def take_once_it_closes(limiter, costs, given_back):
        if limiter._batch is not NO_PERMITS:
            being_taken.set()
            assert closing.wait(LONGEST)
        return take(limiter, costs, given_back)

    monkeypatch.setattr(RateLimiter, "_take", take_once_it_closes)

    async def talk(limiter):
        limiter.give_back(await limiter(10), 3)
        assert await asyncio.to_thread(being_taken.wait, LONGEST)
        asyncio.get_running_loop().call_soon(closing.set)  # `close` is called before that

    with_limiter(talk, requests_per_minute=1_000_000, tokens_per_minute=10_000_000)

    assert sum(RateUse.objects.get().tokens.values()) == 3


def test_an_unused_permit_is_good_for_a_second(endpoint):
    limiter = RateLimiter(endpoint, None)
    limiter._batch = PermitBatch([10.0, 10.5, 12.0], 0, 0, 10.0, 0.0)
    limiter._moments.extend(limiter._batch.moments)

    limiter._let_lapse(11.2)

    assert list(limiter._moments) == [10.5, 12.0]


def test_unused_permits_go_back(with_limiter):
    async def talk(limiter):
        asked = [asyncio.create_task(limiter(0)) for _ in range(5)]
        await asked[0]
        for task in asked[1:]:
            task.cancel()
        return time.time()

    # A permit every two seconds: only the first is near enough to be taken.
    went, _ = with_limiter(talk, requests_per_minute=30)
    assert RateUse.objects.get().requests_at <= went + 61 / 30


def test_a_database_that_fails_tells_those_who_wait(with_limiter, endpoint):
    async def talk(limiter):
        await Endpoint.objects.filter(pk=endpoint.pk).adelete()
        with pytest.raises(IntegrityError):
            await limiter(1)

    with_limiter(talk, requests_per_minute=60)
