"""The search engine of a run: an endpoint of the dataset's, or its knowledge source in place of the web."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings

from annotate.grants.endpoints import check_granted, engines_of, find_granted_engine
from annotate.models import Dataset
from evaluators.methods.base import Method
from evaluators.models import Run
from evaluators.runs.build import RunError
from jobs.budget import Budget
from jobs.database_thread import DatabaseThread
from knowledge.engines import ENGINES, FAULTS
from knowledge.engines.engine import Engine
from knowledge.models import KnowledgeSource
from knowledge.web_search.finders import CORPUS, CorpusFinder, Finder, WebFinder
from knowledge.web_search.searcher import Searcher
from llm.endpoints import endpoint_at
from llm.models import Endpoint
from llm.retries import RetryPolicy


@dataclass(frozen=True)
class WebEngine:
    """An engine of the web. permitted: raises NotGrantedError where the dataset may not use it any more."""

    engine: Engine
    endpoint: Endpoint
    permitted: Callable[[], None]


@dataclass(frozen=True)
class RunSearch:
    """The search of a run. web: None where it searches the dataset's knowledge source. pages: of the results that are
    read; in_flight: searches under way at once."""

    web: WebEngine | None
    pages: int
    in_flight: int

    @property
    def described(self) -> dict[str, str | None]:
        """As a run's manifest holds it."""
        if self.web is None:
            return {"engine": CORPUS, "address": None}
        return {"engine": self.web.engine.name, "address": self.web.endpoint.base_url}


def find_search(
    method: Method, parameters: Mapping[str, Any], dataset: Dataset, begun: Mapping[str, Any] | None = None
) -> RunSearch | None:
    """The search of a run with these parameters; None where the method needs none. begun: as the manifest of a run
    describes it that began already, also where the name means another engine by now.

    Raises RunError where the run names none, EndpointAddressError where there is none that could be used.
    """
    if not method.needs_search:
        return None
    name, pages, in_flight = parameters["search"], parameters["pages"], parameters.get("in_flight", 1)
    if not name:
        raise RunError(f"{method.name} needs a search engine: name one in the parameter search; {_named(dataset)}.")
    if name == CORPUS:
        if dataset.knowledge_source_id is None:
            raise RunError(
                f"{method.name} is to search the knowledge source in place of the web, and {dataset.name} has none."
            )
        return RunSearch(None, pages, in_flight)
    address = (begun or {}).get("address")
    endpoint = endpoint_at(address) if address else find_granted_engine(dataset, name)
    check_granted(dataset, endpoint)
    engine = ENGINES.get(endpoint.search_engine)
    if engine is None:
        fault = next(iter(FAULTS.values()), "")
        raise RunError(f"Nothing here speaks the protocol {endpoint.search_engine} of {endpoint}. {fault}".strip())
    return RunSearch(WebEngine(engine, endpoint, partial(check_granted, dataset, endpoint)), pages, in_flight)


def _named(dataset: Dataset) -> str:
    """The engines that it could name."""
    names = [*engines_of(dataset).values_list("name", flat=True), *([CORPUS] if dataset.knowledge_source_id else [])]
    if names:
        return f"{dataset.name} can use {', '.join(names)}"
    return "who may add endpoints adds one on the page of endpoints"


@asynccontextmanager
async def open_searcher(
    search: RunSearch,
    source: KnowledgeSource | None,
    database_thread: DatabaseThread,
    retries: RetryPolicy | None,
    budget: Budget | None,
    call_limit: int | None,
    run: int | None,
) -> AsyncIterator[Searcher]:
    """retries: None tries as often as the settings say. run: that is given what is found, by its key."""
    web = search.web
    finder: Finder
    if web is not None:
        finder = WebFinder(
            web.engine,
            web.endpoint,
            search.in_flight,
            database_thread,
            retries=retries or RetryPolicy(settings.MODEL_ATTEMPTS),
            budget=budget,
            call_limit=call_limit,
            permitted=web.permitted,
        )
    elif source is not None:
        finder = CorpusFinder(source, database_thread, call_limit)
    else:
        raise RunError("The knowledge source that the run searches is there no more.")
    note = None if run is None else partial(note_searches, run)
    async with Searcher(finder, database_thread, search.pages, fetches=call_limit != 0, note=note) as searcher:
        yield searcher


def note_searches(run: int, searches: Sequence[int]) -> list[None]:
    """The run was given the results of these searches, by their keys."""
    links = Run.searches.through
    links._default_manager.bulk_create(
        [links(run_id=run, websearch_id=search) for search in dict.fromkeys(searches)], ignore_conflicts=True
    )
    return [None] * len(searches)
