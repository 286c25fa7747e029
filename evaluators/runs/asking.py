"""The model that a run's method may ask."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from evaluators.methods.base import Ask
from evaluators.models import Evaluator
from llm.answer import Answer
from llm.asker import Asker
from llm.desk import Desk
from llm.endpoints import default_endpoint
from llm.models import Endpoint, Price
from llm.retries import RetryPolicy

SENT = ("temperature", "max_tokens")  # the parameters that go to the model with every request


@dataclass(frozen=True)
class Model:
    """A model at its endpoint, with what is sent to it. `price` None: what it costs is not known."""

    name: str
    endpoint: Endpoint
    price: Price | None
    sent: dict[str, Any]
    in_flight: int


def find_model(evaluator: Evaluator) -> Model:
    """Raises EndpointAddressError where there is no endpoint that could be called."""
    endpoint = default_endpoint()
    return Model(
        name=evaluator.model,
        endpoint=endpoint,
        price=Price.objects.filter(endpoint=endpoint, model=evaluator.model).first(),
        sent={name: evaluator.parameters[name] for name in SENT},
        in_flight=evaluator.parameters["in_flight"],
    )


@asynccontextmanager
async def open_ask(model: Model | None, desk: Desk, retries: RetryPolicy | None = None) -> AsyncIterator[Ask]:
    """What a method asks with; the database work of it is done at the desk."""
    if model is None:
        yield _ask_nobody
        return
    async with Asker(
        model.endpoint, model.name, model.sent, model.in_flight, desk, price=model.price, retries=retries
    ) as ask:
        yield ask


async def _ask_nobody(messages: list[dict[str, str]], sample: int = 0) -> Answer:
    raise TypeError("The method asks a model although it is declared to need none.")
