"""Working on makings in this process."""

from uuid import uuid4

from annotate.leased.budget import RowBudget
from annotate.leased.shift import CALLS_IN_FLIGHT, Shift
from evaluators.weights import NotReadyError
from factor.filtering.open import open_filters
from factor.filtering.settings import FilterSettingsError, read_settings
from factor.making.generating import sent
from factor.making.stages import stages
from factor.making.write import end
from factor.models import Making, MakingItem
from llm.asker import Asker
from llm.desk import Desk, run_beside_database
from llm.errors import ModelError
from llm.price import price_of
from llm.retries import RetryPolicy


def work_on(pk: int, retries: RetryPolicy | None = None) -> None:
    """Take every document that waits in the making (its primary key) from stage to stage, then write the examples.

    Any number of processes may do so at once. What an interruption leaves is given back, and what a killed process
    held is free again when its leases have run out. A model that does not answer stops it, with the reason, and so
    does a budget that the next call could exceed. Nothing is done where its benchmark was deleted meanwhile.
    """
    making = Making.objects.select_related("benchmark__dataset", "endpoint").filter(pk=pk).first()
    if making is None:
        return
    owner = uuid4().hex
    try:
        _work_a_shift(making, owner, retries)
    except (ModelError, NotReadyError, FilterSettingsError) as error:
        Making.objects.under_way().filter(pk=pk).update(state=Making.State.STOPPED, error=str(error))
    finally:
        MakingItem.objects.held_by(owner).free()
    end(making)


def _work_a_shift(making: Making, owner: str, retries: RetryPolicy | None) -> None:
    endpoint, model = making.endpoint, making.model
    price = price_of(endpoint, model)
    budget = RowBudget(making, owner, making.items.leased())
    waiting = MakingItem.objects.to_work_on().filter(making=making)
    filters, dataset = read_settings(making.filters), making.benchmark.dataset

    async def work(desk: Desk) -> None:
        async with (
            Asker(
                endpoint,
                model,
                sent(making),
                CALLS_IN_FLIGHT,
                desk,
                interface=making.interface,
                price=price,
                retries=retries,
                budget=budget,
            ) as ask,
            open_filters(filters, dataset, desk, retries=retries, budget=budget) as open_ones,
        ):
            await Shift(waiting.select_related("making", "document"), stages(open_ones), owner, desk).work(ask)

    if waiting.exists():
        run_beside_database(work)
