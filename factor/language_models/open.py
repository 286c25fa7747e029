"""A scored model, wherever it runs, as a LanguageModel."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from functools import partial

from django.conf import settings

from factor.language_models.base import LanguageModel
from factor.language_models.endpoint import EndpointModel, in_flight_at
from factor.language_models.folder import load_folder
from factor.language_models.gguf import load_gguf
from factor.language_models.local import LocalModel, Weights
from factor.language_models.ready import check_model_granted, how_asked
from factor.models import ScoredModel
from jobs.budget import Budget
from llm.asker import Asker
from llm.interfaces import TEXT
from llm.price import price_of
from llm.retries import RetryPolicy

DEFAULT_CONTEXT = 1024  # tokens (FACTOR §4.2)
PATIENCE = 1800.0  # seconds for one text: there are servers that echo three tokens a second
Reached = ScoredModel.Reached


def at_once(model: ScoredModel) -> int:
    """So many examples go to the model at once: to one that works them off one after the other, one."""
    return 1 if model.endpoint is None else in_flight_at(model.endpoint)


@asynccontextmanager
async def open_language_model(
    model: ScoredModel,
    database: Executor,
    *,
    context_length: int = DEFAULT_CONTEXT,
    start_token: bool = True,
    retries: RetryPolicy | None = None,
    budget: Budget | None = None,
) -> AsyncIterator[LanguageModel]:
    """The model to be scored with, in one event loop; it takes texts of `context_length` tokens at most. start_token:
    see LocalModel; an endpoint decides for itself.

    `model` need not be stored: `reached_by`, `endpoint` and `reached_as` say all. database: does the work on the
    database (jobs.database_thread). Raises NotReadyError (llm/weights.py) where the model cannot be scored with
    here: weights or an extra are missing, or the endpoint gives no log-probabilities; ask factor.language_models.ready
    beforehand.
    """
    loop = asyncio.get_running_loop()
    if model.reached_by != Reached.ENDPOINT:
        load: Callable[[str, int], Weights] = load_gguf if model.reached_by == Reached.LLAMA_CPP else load_folder
        weights = await loop.run_in_executor(None, load, model.reached_as, context_length)
        yield LocalModel(weights, start_token)
        return
    assert model.endpoint is not None  # noqa: S101 - a constraint of the table
    endpoint = model.endpoint
    parameters = await loop.run_in_executor(database, how_asked, endpoint, model.reached_as)
    price = await loop.run_in_executor(database, price_of, endpoint, model.reached_as)
    async with Asker(
        endpoint,
        model.reached_as,
        parameters,
        at_once(model),
        database,
        interface=TEXT,
        price=price,
        retries=retries or RetryPolicy(settings.MODEL_ATTEMPTS, patience=PATIENCE),
        budget=budget,
        permitted=partial(check_model_granted, model),
    ) as ask:
        yield EndpointModel(ask, at_once(model))
