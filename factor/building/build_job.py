"""A benchmark made from a knowledge source, as a kind of work: one item a document, in four stages."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

from annotate.grants.endpoints import check_granted
from factor.building.choosing import prepare_choosing
from factor.building.filtering import prepare_filtering
from factor.building.generating import prepare_generating, sent
from factor.building.prompts import templates_as_begun
from factor.building.resource import BuildResource
from factor.building.selecting import prepare_selecting
from factor.building.write import end
from factor.filtering.open import open_filters
from factor.filtering.settings import read_settings
from factor.models import BenchmarkBuild, BenchmarkBuildItem
from jobs.kinds import CALLS_IN_FLIGHT, AsyncJobKind, Question, Queue, WorkerContext
from llm.asker import Asker
from llm.price import price_of
from llm.retries import RetryPolicy

Stage = BenchmarkBuildItem.Stage
STAGES: dict[str, Callable[[BenchmarkBuildItem], Question[BuildResource]]] = {
    Stage.SELECT: prepare_selecting,
    Stage.GENERATE: prepare_generating,
    Stage.FILTER: prepare_filtering,
    Stage.CHOOSE: prepare_choosing,
}


class BuildJob(AsyncJobKind[BenchmarkBuild, BenchmarkBuildItem, BuildResource]):
    """retries: of calls; None as the settings say."""

    name = "build"
    queue = Queue.LONG
    job = BenchmarkBuild
    items = BenchmarkBuildItem
    key = "build"
    related = ("build", "document")

    def __init__(self, retries: RetryPolicy | None = None) -> None:
        self._retries = retries

    def load_job(self, key: int) -> BenchmarkBuild | None:
        return BenchmarkBuild.objects.select_related("benchmark__dataset", "endpoint").filter(pk=key).first()

    @asynccontextmanager
    async def open(self, subject: BenchmarkBuild, context: WorkerContext) -> AsyncIterator[BuildResource]:
        database_thread, budget, retries = context.database_thread, context.budget, self._retries
        filters, dataset = read_settings(subject.filters), subject.benchmark.dataset
        templates = await context.in_database_thread(templates_as_begun, subject, filters)
        price = await context.in_database_thread(price_of, subject.endpoint, subject.model)
        async with (
            Asker(
                subject.endpoint,
                subject.model,
                sent(subject),
                CALLS_IN_FLIGHT,
                database_thread,
                interface=subject.interface,
                price=price,
                retries=retries,
                budget=budget,
                permitted=partial(check_granted, dataset, subject.endpoint),
            ) as ask,
            open_filters(filters, dataset, database_thread, templates, retries=retries, budget=budget) as open_ones,
        ):
            yield BuildResource(ask, open_ones, templates)

    def prepare(self, item: BenchmarkBuildItem) -> Question[BuildResource]:
        return STAGES[item.stage](item)

    def end(self, job: BenchmarkBuild) -> None:
        end(job)
