"""The means of a run's method: its chat model, its embedding model, the dataset's knowledge source."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from annotate.grants.endpoints import check_granted, find_granted
from annotate.models import Dataset
from evaluators.methods.base import EvidencePassage, Tools
from evaluators.models import Evaluator
from jobs.budget import Budget
from jobs.database_thread import DatabaseThread
from knowledge.models import KnowledgeSource
from knowledge.search import search_page
from llm.answer import Answer
from llm.asker import Asker
from llm.endpoints import endpoint_at
from llm.grouped import Grouped
from llm.models import Endpoint, Price
from llm.price import price_of
from llm.retries import RetryPolicy

SENT = ("temperature", "max_tokens")  # the parameters that go to the model with every request
LOGPROBS = frozenset({"logprobs", "top_logprobs"})
NO_MODEL = "The method asks a model although it is declared to need none."


@dataclass(frozen=True)
class Model:
    """A model at its endpoint, with the parameters of its requests.

    permitted: raises NotGrantedError where the dataset may not use the endpoint any more. price: None where it is not
    known. gives_logprobs: False where it was probed and gave none; else it is asked for them, as most servers pass over
    what they do not know.
    """

    name: str
    endpoint: Endpoint
    price: Price | None
    sent: dict[str, Any]
    in_flight: int
    interface: str
    embedding_model: str
    permitted: Callable[[], None]
    gives_logprobs: bool


def find_model(evaluator: Evaluator, dataset: Dataset, address: str = "") -> Model:
    """The model of a run over the dataset. `address`: of the endpoint that a run began with, also where another is the
    default by now or in this process.

    Raises EndpointAddressError where there is no endpoint that could be called, NotGrantedError where the dataset may
    not use it.
    """
    parameters = evaluator.parameters
    endpoint = endpoint_at(address) if address else find_granted(dataset, parameters["endpoint"])
    check_granted(dataset, endpoint)
    return Model(
        name=evaluator.model,
        endpoint=endpoint,
        price=price_of(endpoint, evaluator.model),
        sent={name: parameters[name] for name in SENT},
        in_flight=parameters["in_flight"],
        interface=parameters["interface"],
        embedding_model=parameters.get("embedding_model") or evaluator.model,
        permitted=partial(check_granted, dataset, endpoint),
        gives_logprobs=not endpoint.capabilities.filter(model=evaluator.model, logprobs=False).exists(),
    )


class RunTools:
    """The tools of a run (evaluators/methods/base.py). The database work of them is done in the database thread."""

    def __init__(
        self, model: Model | None, asker: Asker | None, source: KnowledgeSource | None, database_thread: DatabaseThread
    ) -> None:
        self._model = model
        self._asker = asker
        self._search = Grouped(partial(search_pages, source), database_thread) if source else None

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        if self._model is None or self._asker is None:
            raise TypeError(NO_MODEL)
        if not self._model.gives_logprobs:
            overrides = {name: value for name, value in overrides.items() if name not in LOGPROBS}
        return await self._asker(messages, sample, **overrides)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self._model is None or self._asker is None:
            raise TypeError(NO_MODEL)
        return await self._asker.embed(texts, self._model.embedding_model)

    async def search(self, topic: str, query: str, k: int) -> list[EvidencePassage]:
        return await self._search((topic, query, k)) if self._search else []


def search_pages(source: KnowledgeSource, wanted: Sequence[tuple[str, str, int]]) -> list[list[EvidencePassage]]:
    """For each topic, query and k the best passages of the topic's page."""
    return [
        [EvidencePassage(hit.document.title, hit.text) for hit in search_page(source, topic, query, k)]
        for topic, query, k in wanted
    ]


@asynccontextmanager
async def open_tools(
    model: Model | None,
    source: KnowledgeSource | None,
    database_thread: DatabaseThread,
    retries: RetryPolicy | None = None,
    budget: Budget | None = None,
    call_limit: int | None = None,
) -> AsyncIterator[Tools]:
    """The tools of a run over a dataset with this knowledge source. model None: the method needs none."""
    if model is None:
        yield RunTools(None, None, source, database_thread)
        return
    async with Asker(
        model.endpoint,
        model.name,
        model.sent,
        model.in_flight,
        database_thread,
        interface=model.interface,
        price=model.price,
        retries=retries,
        budget=budget,
        call_limit=call_limit,
        permitted=model.permitted,
    ) as asker:
        yield RunTools(model, asker, source, database_thread)
