"""The means of a run's method: its models for chat and vectors, its search engine, the dataset's knowledge source."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.db import transaction

from annotate.grants.endpoints import check_granted, find_granted
from annotate.models import Dataset
from evaluators.methods.base import EvidencePassage, WebResult
from evaluators.methods.parameters import other_models, sent_with_requests, split_model
from evaluators.models import Evaluator, Run
from evaluators.runs.build import RunError
from evaluators.runs.searching import RunSearch, open_searcher
from jobs.budget import Budget
from jobs.database_thread import DatabaseThread
from knowledge.models import KnowledgeSource
from knowledge.search import search_page
from knowledge.web_search.searcher import Searcher
from llm.answer import Answer
from llm.asker import Asker
from llm.batch_api.collect import BatchAsker, RequestBasket
from llm.endpoints import endpoint_at
from llm.grouped import Grouped
from llm.models import Endpoint, Price
from llm.price import price_of
from llm.retries import RetryPolicy

LOGPROBS = frozenset({"logprobs", "top_logprobs"})
NO_MODEL = "The method asks a model although it is declared to need none."
LOOK_SECONDS, QUIET_LOOKS = 0.02, 3  # without a question, after which none is to come
RUNS_OWN = ""  # the run's model among those that it asks
NO_SEARCH = "The method searches the web although it is declared to need no search engine."


@dataclass(frozen=True)
class Model:
    """A model at its endpoint, with the parameters of its requests.

    permitted: raises NotGrantedError where the dataset may not use the endpoint any more. price: None where it is not
    known. gives_logprobs: False where it was probed and gave none; else it is asked for them, as most servers pass over
    what they do not know. others: the models that a run asks besides this one, by their names in its parameter
    `other_models`.
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
    others: Mapping[str, "Model"] = field(default_factory=dict)

    @property
    def all(self) -> dict[str, "Model"]:
        """It and the others, in the order in which they are asked; itself under RUNS_OWN."""
        return {RUNS_OWN: self, **self.others}


NOT_BEGUN: Mapping[str, Any] = {}


def find_model(evaluator: Evaluator, dataset: Dataset, manifest: Mapping[str, Any] = NOT_BEGUN) -> Model:
    """The model of a run over the dataset, with the others that it asks. `manifest`: of a run that began, which keeps
    to its endpoints also where another is the default by now or in this process.

    Raises EndpointAddressError where there is no endpoint that could be called, NotGrantedError where the dataset may
    not use it, RunError where two of the models are the same.
    """
    endpoint_name = evaluator.parameters["endpoint"]
    begun = {RUNS_OWN: manifest.get("endpoint"), **(manifest.get("other_models") or {})}

    def find(name: str, model: str, endpoint_name: str) -> Model:
        address = begun.get(name)
        endpoint = endpoint_at(address) if address else find_granted(dataset, endpoint_name)
        return _make_model(model, endpoint, evaluator, dataset)

    others: dict[str, Model] = {}
    for name in other_models(evaluator.parameters):
        at, model = split_model(name, endpoint_name)
        others[name] = find(name, model, at)
    found = replace(find(RUNS_OWN, evaluator.model, endpoint_name), others=others)
    _check_distinct(found)
    return found


def _check_distinct(model: Model) -> None:
    """A model that votes twice would answer the same twice. Raises RunError."""
    seen: set[tuple[int, str]] = set()
    for each in model.all.values():
        if (each.endpoint.pk, each.name) in seen:
            raise RunError(f"The model {each.name} at {each.endpoint.name} is named twice: each model has one vote.")
        seen.add((each.endpoint.pk, each.name))


def addresses_of(dataset: Dataset, parameters: Mapping[str, Any]) -> dict[str, str]:
    """The address of the endpoint of each model that is named in `other_models`. Raises EndpointAddressError."""
    at = {name: split_model(name, parameters["endpoint"])[0] for name in other_models(parameters)}
    return {name: find_granted(dataset, endpoint).base_url for name, endpoint in at.items()}


def _make_model(name: str, endpoint: Endpoint, evaluator: Evaluator, dataset: Dataset) -> Model:
    check_granted(dataset, endpoint)
    parameters = evaluator.parameters
    return Model(
        name=name,
        endpoint=endpoint,
        price=price_of(endpoint, name),
        sent=sent_with_requests(parameters),
        in_flight=parameters["in_flight"],
        interface=parameters["interface"],
        embedding_model=parameters.get("embedding_model") or name,
        permitted=partial(check_granted, dataset, endpoint),
        gives_logprobs=not endpoint.capabilities.filter(model=name, logprobs=False).exists(),
    )


class RunTools:
    """The tools of a run (evaluators/methods/base.py). The database work of them is done in the database thread.

    models: each model that the run asks with its asker, the run's own under RUNS_OWN; none where it asks no model.
    `adapted`: what was sent otherwise than asked, in words, by the model's name.
    """

    def __init__(
        self,
        models: Mapping[str, tuple[Model, Asker]],
        source: KnowledgeSource | None,
        searcher: Searcher | None,
        database_thread: DatabaseThread,
    ) -> None:
        self._models = models
        self.adapted: dict[str, dict[str, None]] = {}
        self._begun = self._under_way = 0
        self._search = Grouped(partial(search_pages, source), database_thread) if source else None
        self._searcher = searcher

    async def at_rest(self) -> None:
        """Wait until nothing goes on that was begun. A method that puts several questions at once is given up at the
        first that has to wait, and puts the others all the same."""
        begun, quiet = -1, 0
        while self._under_way or quiet < QUIET_LOOKS:
            quiet = quiet + 1 if begun == self._begun and not self._under_way else 0
            begun = self._begun
            await asyncio.sleep(LOOK_SECONDS)

    @contextmanager
    def _noticed(self) -> Iterator[None]:
        self._begun += 1
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        model, asker = self._model(overrides.pop("model", RUNS_OWN))
        if not model.gives_logprobs:
            overrides = {name: value for name, value in overrides.items() if name not in LOGPROBS}
        with self._noticed():
            answer = await asker(messages, sample, **overrides)
        if answer.adapted:
            self.adapted.setdefault(model.name, {}).update(dict.fromkeys(answer.adapted))
        return answer

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        model, asker = self._model(RUNS_OWN)
        with self._noticed():
            return await asker.embed(texts, model.embedding_model)

    async def search(self, topic: str, query: str, k: int) -> list[EvidencePassage]:
        with self._noticed():
            return await self._search((topic, query, k)) if self._search else []

    async def web_search(self, query: str, k: int) -> list[WebResult]:
        if self._searcher is None:
            raise TypeError(NO_SEARCH)
        with self._noticed():
            return [WebResult(page.title, page.url, page.text) for page in await self._searcher(query, k)]

    def _model(self, name: str) -> tuple[Model, Asker]:
        if not self._models:
            raise TypeError(NO_MODEL)
        if name not in self._models:
            raise TypeError(f"The method asks the model {name!r}, which its run does not name in other_models.")
        return self._models[name]


def note_adapted(run: Run, adapted: Mapping[str, Iterable[str]]) -> None:
    """Write into the manifest what the run's models were asked otherwise than its method says."""
    if not adapted:
        return
    with transaction.atomic():
        run.manifest = Run.objects.select_for_update().values_list("manifest", flat=True).get(pk=run.pk)
        before = run.manifest.get("adapted", {})
        changes = {model: sorted({*before.get(model, ()), *new}) for model, new in adapted.items()}
        run.manifest = {**run.manifest, "adapted": {**before, **changes}}
        run.save(update_fields=["manifest"])


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
    search: RunSearch | None = None,
    run: int | None = None,
    basket: RequestBasket | None = None,
) -> AsyncIterator[RunTools]:
    """The tools of a run over a dataset with this knowledge source. model, search None: the method needs none.
    call_limit: of calls to each model, and of searches. run: its key; None: there is none yet. basket: where questions
    are collected in place of calls; None: they are called for."""
    async with AsyncExitStack() as opened:
        models: dict[str, tuple[Model, Asker]] = {}
        for name, each in (model.all if model else {}).items():
            asker = (Asker if basket is None else partial(BatchAsker, basket=basket))(
                each.endpoint,
                each.name,
                each.sent,
                each.in_flight,
                database_thread,
                interface=each.interface,
                price=each.price,
                retries=retries,
                budget=budget,
                call_limit=call_limit,
                permitted=each.permitted,
            )
            models[name] = each, await opened.enter_async_context(asker)
        searcher = None
        if search is not None:
            searcher = await opened.enter_async_context(
                open_searcher(search, source, database_thread, retries, budget, call_limit, run)
            )
        yield RunTools(models, source, searcher, database_thread)
