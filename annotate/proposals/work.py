"""Working on proposals in this process."""

from uuid import uuid4

from annotate.leased.leases import free_expired
from annotate.leased.settle import fail_all
from annotate.leased.shift import CALLS_IN_FLIGHT, Shift
from annotate.leased.waiting import work_until
from annotate.models import Dataset, Proposal
from annotate.models.proposal import ProposalQuerySet
from annotate.proposals.brought import prepare
from jobs.database_thread import DatabaseThread, run_beside_database
from llm.asker import Asker
from llm.endpoints import default_endpoint
from llm.errors import ModelError
from llm.price import price_of
from llm.retries import RetryPolicy

SENT = {"temperature": 0}


def work_on(dataset: int, retries: RetryPolicy | None = None) -> None:
    """Ask for all that waits in the dataset (its primary key), one kind and model after the other.

    Any number of processes may do so at once. What an interruption leaves is given back, and what a killed process
    held is free again when its leases have run out.
    """
    waiting = Proposal.objects.waiting().filter(response__dataset=dataset)
    while (first := waiting.first()) is not None:
        owner = uuid4().hex
        alike = waiting.filter(kind=first.kind, model=first.model)
        try:
            _work_a_shift(alike.select_related("response__prompt"), first.model, owner, retries)
        except ModelError as error:
            Proposal.objects.held_by(owner).free()
            fail_all(alike, str(error))
        finally:
            Proposal.objects.held_by(owner).free()


def _work_a_shift(waiting: ProposalQuerySet, model: str, owner: str, retries: RetryPolicy | None) -> None:
    endpoint = default_endpoint()
    price = price_of(endpoint, model)

    async def work(database_thread: DatabaseThread) -> None:
        async with Asker(endpoint, model, SENT, CALLS_IN_FLIGHT, database_thread, price=price, retries=retries) as ask:
            await Shift(waiting, prepare, owner, database_thread).work(ask)

    run_beside_database(work)


def work_to_the_end(dataset: Dataset) -> None:
    """Work on the dataset's proposals until all are settled, whoever does the last."""
    unsettled = Proposal.objects.unsettled().filter(response__dataset=dataset)

    def work() -> None:
        free_expired(Proposal.objects.all())
        work_on(dataset.pk)

    work_until(lambda: not unsettled.exists(), work)
