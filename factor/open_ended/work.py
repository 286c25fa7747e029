"""Having the texts of a study written, in this process."""

from uuid import uuid4

from django.utils import timezone

from annotate.leased.shift import CALLS_IN_FLIGHT, Shift
from factor.models import OpenEndedGeneration, OpenEndedStudy
from factor.open_ended.ask import prepare
from jobs.budget import RowBudget
from jobs.database_thread import DatabaseThread, run_beside_database
from llm.asker import Asker
from llm.errors import ModelError
from llm.interfaces import TEXT
from llm.price import price_of
from llm.retries import RetryPolicy

State = OpenEndedStudy.State


def work_on(pk: int, retries: RetryPolicy | None = None) -> None:
    """Ask all that waits in the study (its primary key); it is finished when nothing does any more.

    Any number of processes may do so at once. What an interruption leaves is given back, and what a killed process
    held is free again when its leases have run out. An endpoint that does not answer stops it, with the reason, and so
    does a budget that the next call could exceed.
    """
    study = OpenEndedStudy.objects.select_related("endpoint").get(pk=pk)
    owner = uuid4().hex
    try:
        _work_a_shift(study, owner, retries)
    except ModelError as error:
        OpenEndedStudy.objects.under_way().filter(pk=pk).update(state=State.STOPPED, error=str(error))
    finally:
        OpenEndedGeneration.objects.held_by(owner).free()
    if not study.items.unsettled().exists():
        ended = {"state": State.FINISHED, "error": "", "finished_at": timezone.now()}
        OpenEndedStudy.objects.under_way().filter(pk=pk).update(**ended)


def _work_a_shift(study: OpenEndedStudy, owner: str, retries: RetryPolicy | None) -> None:
    endpoint, model = study.endpoint, study.reached_as
    price = price_of(endpoint, model)
    budget = RowBudget(study, owner, study.items.leased())
    waiting = OpenEndedGeneration.objects.to_ask().filter(pair__study=study)
    parameters = {"temperature": study.temperature, "max_tokens": study.answer_tokens}

    async def work(database_thread: DatabaseThread) -> None:
        async with Asker(
            endpoint,
            model,
            parameters,
            CALLS_IN_FLIGHT,
            database_thread,
            interface=TEXT,
            price=price,
            retries=retries,
            budget=budget,
        ) as ask:
            of_pairs = waiting.select_related("pair__study", "pair__completion__example")
            await Shift(of_pairs, prepare, owner, database_thread).work(ask)

    if waiting.exists():
        run_beside_database(work)
