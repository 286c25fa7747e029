"""Requests and tokens per minute."""

import asyncio
import time

import pytest

from llm.models import Endpoint, Meter
from llm.pace import Clock, take_turns


def clock(requests_per_minute=None, tokens_per_minute=None, at=0.0):
    shares = [60 / limit if limit else 0.0 for limit in (requests_per_minute, tokens_per_minute)]
    return Clock(at, at, *shares)


def test_calls_are_spaced_evenly():
    # 240 a minute: one each quarter of a second, from now on. The sixth would be more than a second ahead.
    waits, after = take_turns(clock(requests_per_minute=240), 100.0, [1] * 10)

    assert waits == [0, 0.25, 0.5, 0.75, 1.0]
    assert after.opens_at == 101.25


def test_tokens_are_spaced_like_requests():
    # 6,000 a minute are 100 a second: after a call of 50 the next waits for half a second, after one of 200 for two.
    waits, after = take_turns(clock(tokens_per_minute=6000), 100.0, [50, 200, 1])

    assert waits == [0, 0.5]
    assert after.opens_at == pytest.approx(102.5)


def test_what_another_worker_took_is_waited_for():
    waits, _ = take_turns(clock(requests_per_minute=60, at=100.5), 100.0, [1, 1])

    assert waits == [0.5]


def test_an_idle_time_is_not_made_up_for():
    waits, _ = take_turns(clock(requests_per_minute=60, at=1.0), 100.0, [1, 1, 1])

    assert waits == [0, 1]


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
    assert Meter.objects.get().requests_at > 0


def test_tokens_that_were_not_used_are_given_back(server, endpoint, with_asker):
    # A call is taken to need its 1,000 tokens of room for the answer, which is a minute's share; it takes some ten.
    Endpoint.objects.filter(pk=endpoint.pk).update(tokens_per_minute=1000)
    endpoint.refresh_from_db()

    async def talk(ask):
        await ask([{"role": "user", "content": "1. wrong"}], max_tokens=1000)
        await ask([{"role": "user", "content": "1. right"}], max_tokens=10)
        return time.monotonic()

    began = time.monotonic()
    assert with_asker(talk) - began < 10
