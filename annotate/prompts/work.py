"""Working on generations in this process."""

from uuid import uuid4

from annotate.leased.budget import RowBudget
from annotate.leased.shift import CALLS_IN_FLIGHT, Shift
from annotate.models import Generation, GenerationItem
from annotate.prompts.ask import prepare, sent
from annotate.prompts.take_in import end
from llm.asker import Asker
from llm.database_thread import DatabaseThread, run_beside_database
from llm.errors import ModelError
from llm.price import price_of
from llm.retries import RetryPolicy


def work_on(pk: int, retries: RetryPolicy | None = None) -> None:
    """Ask all that waits in the generation (its primary key), then take the answers in.

    Any number of processes may do so at once. What an interruption leaves is given back, and what a killed process
    held is free again when its leases have run out. An endpoint that does not answer stops it, with the reason, and so
    does a budget that the next call could exceed.
    """
    generation = Generation.objects.select_related("dataset", "endpoint", "created_by").get(pk=pk)
    owner = uuid4().hex
    try:
        _work_a_shift(generation, owner, retries)
    except ModelError as error:
        Generation.objects.under_way().filter(pk=pk).update(state=Generation.State.STOPPED, error=str(error))
    finally:
        GenerationItem.objects.held_by(owner).free()
    end(generation)


def _work_a_shift(generation: Generation, owner: str, retries: RetryPolicy | None) -> None:
    endpoint, model = generation.endpoint, generation.model
    price = price_of(endpoint, model)
    budget = RowBudget(generation, owner, generation.items.leased())
    waiting = GenerationItem.objects.to_ask().filter(generation=generation)

    async def work(database_thread: DatabaseThread) -> None:
        async with Asker(
            endpoint,
            model,
            sent(generation.temperature, generation.answer_tokens),
            CALLS_IN_FLIGHT,
            database_thread,
            interface=generation.interface,
            price=price,
            retries=retries,
            budget=budget,
        ) as ask:
            await Shift(waiting.select_related("generation__dataset", "prompt"), prepare, owner, database_thread).work(
                ask
            )

    if waiting.exists():
        run_beside_database(work)
