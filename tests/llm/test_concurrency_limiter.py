"""Calls in flight, kept by all workers together."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from llm.asker import Asker
from llm.concurrency_limiter import share
from llm.models import ConcurrencyUse, Endpoint
from tests.llm.conftest import QUICK


@pytest.mark.parametrize(
    ("limit", "wanted", "others", "may"),
    [
        (10, 20, [], 10),  # alone: all of them
        (10, 3, [], 3),  # no more than it wants
        (10, 20, [(4, 4)], 6),  # the other wants few: all the rest
        (10, 20, [(10, 20)], 0),  # the other has all: nothing until it comes down to its share
        (10, 20, [(5, 20)], 5),  # it has
        (10, 20, [(3, 20), (3, 20)], 3),  # a third each; one place is nobody's
        (2, 5, [(1, 5), (1, 5)], 0),  # more workers than places
    ],
)
def test_a_worker_may_use_its_share(limit, wanted, others, may):
    assert share(limit, wanted, others) == may


def test_two_workers_keep_to_one_limit(server, endpoint):
    server.control(latency=0.05)
    Endpoint.objects.filter(pk=endpoint.pk).update(max_in_flight=3)
    endpoint.refresh_from_db()

    async def work(name, thread):
        async with Asker(endpoint, "m", {}, 8, database=thread, retries=QUICK) as ask:
            asked = [[{"role": "user", "content": f"1. {name} {number}."}] for number in range(12)]
            await asyncio.gather(*(ask(messages) for messages in asked))

    async def both(thread):
        await asyncio.gather(work("ada", thread), work("ben", thread))

    with ThreadPoolExecutor(max_workers=1) as thread:
        try:
            asyncio.run(both(thread))
        finally:
            thread.submit(connections.close_all).result()

    assert server.stats()["total"] == 24
    assert server.stats()["max_in_flight"] <= 3
    assert not ConcurrencyUse.objects.exists()


def test_places_of_a_worker_that_is_gone_are_free(server, endpoint, with_asker):
    Endpoint.objects.filter(pk=endpoint.pk).update(max_in_flight=2)
    endpoint.refresh_from_db()
    long_ago = timezone.now() - timedelta(minutes=1)
    ConcurrencyUse.objects.create(endpoint=endpoint, owner="gone", held=2, wanted=2, seen_at=long_ago)

    assert with_asker(lambda ask: ask([{"role": "user", "content": "1. wrong"}])).text == "Answer: 1"
    assert not ConcurrencyUse.objects.exists()
