"""Working on scorings in this process."""

import asyncio
from uuid import uuid4

from django.utils import timezone

from annotate.leased.shift import Shift
from factor.language_models.open import at_once, open_language_model
from factor.models import Scoring, ScoringItem
from factor.retrieval.scoring_retrieval import with_retrieval
from factor.scoring.score import prepare
from jobs.budget import RowBudget
from jobs.database_thread import DatabaseThread, run_beside_database
from llm.errors import ModelError
from llm.retries import RetryPolicy
from llm.weights import NotReadyError


def work_on(pk: int, retries: RetryPolicy | None = None) -> None:
    """Score all that waits in the scoring (its primary key).

    Any number of processes may do so at once. What an interruption leaves is given back, and what a killed process
    held is free again when its leases have run out. A model that cannot be asked stops it, with the reason, and so does
    a budget that the next call could exceed.
    """
    scoring = Scoring.objects.select_related("model__endpoint", "benchmark", "source").get(pk=pk)
    owner = uuid4().hex
    try:
        _work_a_shift(scoring, owner, retries)
    except (ModelError, NotReadyError) as error:
        Scoring.objects.under_way().filter(pk=pk).update(state=Scoring.State.STOPPED, error=str(error))
    finally:
        ScoringItem.objects.held_by(owner).free()
    end(scoring)


def end(scoring: Scoring) -> None:
    """Finish it where nothing is left to be scored."""
    if not scoring.items.unsettled().exists():
        under_way = Scoring.objects.under_way().filter(pk=scoring.pk)
        under_way.update(state=Scoring.State.FINISHED, finished_at=timezone.now())


def _work_a_shift(scoring: Scoring, owner: str, retries: RetryPolicy | None) -> None:
    waiting = ScoringItem.objects.to_score().filter(scoring=scoring)
    budget = RowBudget(scoring, owner, scoring.items.leased())

    async def work(database_thread: DatabaseThread) -> None:
        async with open_language_model(
            scoring.model, database_thread, context_length=scoring.context_length, retries=retries, budget=budget
        ) as model:
            model = await asyncio.get_running_loop().run_in_executor(
                database_thread, with_retrieval, scoring, model, database_thread
            )
            hands = at_once(scoring.model)
            await Shift(waiting.select_related("scoring", "example"), prepare, owner, database_thread, hands).work(
                model
            )

    if waiting.exists():
        run_beside_database(work)
