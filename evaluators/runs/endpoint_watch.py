"""A run says within ten seconds that its endpoint cannot be reached, while its calls are tried again."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from evaluators.models import Run
from evaluators.runs.asking import Model

logger = logging.getLogger("touchstone.runs")

# Without a prediction, after which the endpoint is asked for its models; with SECONDS of llm/listing.py below ten.
QUIET_SECONDS = 3.0
GOES_ON = "The run keeps trying for a while."

InDatabaseThread = Callable[..., Awaitable[Any]]


@asynccontextmanager
async def watching_endpoint(run: Run, model: Model | None, in_database_thread: InDatabaseThread) -> AsyncIterator[None]:
    """Around the work on a run: its `notice` says why nothing comes. Nothing is looked for where it calls no model, or
    predictions come."""
    if model is None or run.reading_of_id is not None:
        yield
        return
    watch = asyncio.create_task(_watch(run, model, in_database_thread))
    try:
        yield
    finally:
        watch.cancel()
        # What has failed here fails the work itself too, which says so.
        await asyncio.gather(watch, return_exceptions=True)


async def _watch(run: Run, model: Model, in_database_thread: InDatabaseThread) -> None:
    from llm.listing import why_unreachable  # with openai, which no page imports

    last, reached = run.last_prediction_at, False
    while True:
        await asyncio.sleep(QUIET_SECONDS)
        latest = await in_database_thread(_last_prediction, run.pk)
        if latest != last:
            last, reached = latest, False
            await in_database_thread(note, run.pk, "")
        elif not reached:
            # Any model that the run asks can be the one that it waits for.
            endpoints = {each.endpoint.pk: each.endpoint for each in model.all.values()}
            troubles = await asyncio.gather(*(why_unreachable(endpoint) for endpoint in endpoints.values()))
            trouble = next(filter(None, troubles), "")
            reached = not trouble
            await in_database_thread(note, run.pk, f"{trouble} {GOES_ON}" if trouble else "")


def _last_prediction(run: int) -> datetime | None:
    return Run.objects.values_list("last_prediction_at", flat=True).get(pk=run)


def note(run: int, notice: str) -> None:
    """Say why nothing comes; "": something does."""
    if Run.objects.filter(pk=run).exclude(notice=notice).update(notice=notice) and notice:
        logger.warning("Run %s: %s", run, notice)
