"""Working on builds in this process."""

from uuid import uuid4

from annotate.leased.shift import CALLS_IN_FLIGHT, Shift
from factor.building.generating import sent
from factor.building.stages import stages
from factor.building.write import end
from factor.filtering.open import open_filters
from factor.filtering.settings import FilterSettingsError, read_settings
from factor.models import BenchmarkBuild, BenchmarkBuildItem
from jobs.budget import RowBudget
from jobs.database_thread import DatabaseThread, run_beside_database
from llm.asker import Asker
from llm.errors import ModelError
from llm.price import price_of
from llm.retries import RetryPolicy
from llm.weights import NotReadyError


def work_on(pk: int, retries: RetryPolicy | None = None) -> None:
    """Take every document that waits in the build (its primary key) from stage to stage, then write the examples.

    Any number of processes may do so at once. What an interruption leaves is given back, and what a killed process
    held is free again when its leases have run out. A model that does not answer stops it, with the reason, and so
    does a budget that the next call could exceed. Nothing is done where its benchmark was deleted meanwhile.
    """
    build = BenchmarkBuild.objects.select_related("benchmark__dataset", "endpoint").filter(pk=pk).first()
    if build is None:
        return
    owner = uuid4().hex
    try:
        _work_a_shift(build, owner, retries)
    except (ModelError, NotReadyError, FilterSettingsError) as error:
        BenchmarkBuild.objects.under_way().filter(pk=pk).update(state=BenchmarkBuild.State.STOPPED, error=str(error))
    finally:
        BenchmarkBuildItem.objects.held_by(owner).free()
    end(build)


def _work_a_shift(build: BenchmarkBuild, owner: str, retries: RetryPolicy | None) -> None:
    endpoint, model = build.endpoint, build.model
    price = price_of(endpoint, model)
    budget = RowBudget(build, owner, build.items.leased())
    waiting = BenchmarkBuildItem.objects.to_work_on().filter(build=build)
    filters, dataset = read_settings(build.filters), build.benchmark.dataset

    async def work(database_thread: DatabaseThread) -> None:
        async with (
            Asker(
                endpoint,
                model,
                sent(build),
                CALLS_IN_FLIGHT,
                database_thread,
                interface=build.interface,
                price=price,
                retries=retries,
                budget=budget,
            ) as ask,
            open_filters(filters, dataset, database_thread, retries=retries, budget=budget) as open_ones,
        ):
            await Shift(waiting.select_related("build", "document"), stages(open_ones), owner, database_thread).work(
                ask
            )

    if waiting.exists():
        run_beside_database(work)
