"""Endpoints that asked to be left alone, as all processes know it: a row of the rate ledger."""

import asyncio
import time
from concurrent.futures import Executor
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from llm.closing import Closing
from llm.models import Endpoint, RateUse

LOOK_SECONDS = 0.25  # after which it is looked again for what other processes were asked


class SharedClosing(Closing):
    """What all processes know of an endpoint, in its row of the rate ledger. database: as of llm.asker.Asker."""

    def __init__(self, endpoint: Endpoint, database: Executor) -> None:
        super().__init__(endpoint.base_url)
        self._endpoint = endpoint
        self._database = database
        self._look_at = 0.0
        self._look: asyncio.Future[float] | None = None
        self._has_looked = False  # before that, calls that begin beside the first wait for its look

    async def close(self, seconds: float) -> None:
        if self._keep(seconds):
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._database, close_endpoint, self._endpoint, seconds)

    async def seconds_left(self) -> float:
        if (now := time.monotonic()) >= self._look_at:
            self._look_at = now + LOOK_SECONDS
            self._look = asyncio.get_running_loop().run_in_executor(self._database, seconds_closed, self._endpoint)
            self._keep(await self._look)
            self._has_looked = True
        elif not self._has_looked and self._look is not None:
            await asyncio.wait([self._look])
        return await super().seconds_left()


def close_endpoint(endpoint: Endpoint, seconds: float) -> None:
    """Let no process call the endpoint for so long, by the clock of the database."""
    RateUse.objects.get_or_create(endpoint=endpoint)
    with transaction.atomic():
        use = RateUse.objects.select_for_update().annotate(now=Now()).get(endpoint=endpoint)
        until = use.now + timedelta(seconds=seconds)
        if use.closed_until is None or use.closed_until < until:
            RateUse.objects.filter(pk=use.pk).update(closed_until=until)


def seconds_closed(endpoint: Endpoint) -> float:
    """For how long the endpoint is still to be left alone; 0: it may be called."""
    closed = RateUse.objects.filter(endpoint=endpoint, closed_until__gt=Now()).annotate(now=Now()).first()
    return 0.0 if closed is None or closed.closed_until is None else (closed.closed_until - closed.now).total_seconds()
