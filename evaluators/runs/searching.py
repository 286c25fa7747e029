"""What a run searches: an engine of the dataset's endpoints, its knowledge source in place of the web, or what another
run was given."""

import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef

from annotate.grants.endpoints import check_granted, engines_of, find_granted_engine
from annotate.models import Dataset
from evaluators.methods.base import Method
from evaluators.models import Run
from evaluators.runs.build import RunError
from jobs.budget import Budget
from jobs.database_thread import DatabaseThread
from knowledge.engines import ENGINES, FAULTS
from knowledge.engines.engine import Engine
from knowledge.models import KnowledgeSource, WebSearch
from knowledge.web_search.finders import CORPUS, CorpusFinder, Finder, NoFinder, WebFinder
from knowledge.web_search.searcher import Searcher
from llm.endpoints import endpoint_at
from llm.models import Endpoint
from llm.retries import RetryPolicy

# The parameter `search` of a run that is given the searches of another one.
OF_RUN = re.compile(r"run:([1-9][0-9]{0,17})")


@dataclass(frozen=True)
class WebEngine:
    """An engine of the web. permitted: raises NotGrantedError where the dataset may not use it any more."""

    engine: Engine
    endpoint: Endpoint
    permitted: Callable[[], None]


@dataclass(frozen=True)
class KeptSearches:
    """Those of another run. run: its key; engine, address: as of knowledge.models.WebSearch."""

    run: int
    engine: str
    address: str


@dataclass(frozen=True)
class RunSearch:
    """The search of a run. web: None where it searches the dataset's knowledge source, or makes no search, being given
    those that are `kept`. pages: of the results that are read; in_flight: searches under way at once."""

    web: WebEngine | None
    pages: int
    in_flight: int
    kept: KeptSearches | None = None

    @property
    def described(self) -> dict[str, str | int | None]:
        """As a run's manifest holds it."""
        if self.kept is not None:
            return asdict(self.kept)
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
    if of_run := OF_RUN.fullmatch(name):
        return RunSearch(None, pages, in_flight, _kept_searches(dataset, int(of_run[1])))
    address = (begun or {}).get("address")
    endpoint = endpoint_at(address) if address else find_granted_engine(dataset, name)
    check_granted(dataset, endpoint)
    engine = ENGINES.get(endpoint.search_engine)
    if engine is None:
        fault = next(iter(FAULTS.values()), "")
        raise RunError(f"Nothing here speaks the protocol {endpoint.search_engine} of {endpoint}. {fault}".strip())
    return RunSearch(WebEngine(engine, endpoint, partial(check_granted, dataset, endpoint)), pages, in_flight)


def _kept_searches(dataset: Dataset, run: int) -> KeptSearches:
    first = WebSearch.objects.filter(runs__pk=run, runs__dataset=dataset).order_by("pk").first()
    if first is None:
        raise RunError(f"search is run:{run}; {dataset.name} has no run {run} that was given searches of the web.")
    return KeptSearches(run, first.engine, first.address)


def runs_with_kept_searches(dataset: Dataset) -> list[Run]:
    """The runs of results bundles that came with their searches."""
    imported = dataset.runs.finished().filter(manifest__has_key="bundle", archived_at=None)
    searches = Run.searches.through._default_manager.filter(run=OuterRef("pk"))
    return list(imported.filter(Exists(searches)).select_related("evaluator").order_by("pk"))


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
    kept = None
    if search.kept is not None:
        of = search.kept
        finder = NoFinder(of.engine, of.address, f"run {of.run}", call_limit)
        kept = WebSearch.objects.filter(runs=of.run)
    elif web is not None:
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
    fetches = call_limit != 0
    async with Searcher(finder, database_thread, search.pages, fetches=fetches, note=note, kept=kept) as searcher:
        yield searcher


def note_searches(run: int, searches: Sequence[int]) -> list[None]:
    """The run was given the results of these searches, by their keys."""
    links = Run.searches.through
    links._default_manager.bulk_create(
        [links(run_id=run, websearch_id=search) for search in dict.fromkeys(searches)], ignore_conflicts=True
    )
    return [None] * len(searches)
