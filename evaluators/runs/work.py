"""Working on a run in this process."""

from uuid import uuid4

from django.db.models.functions import Coalesce, Now

from annotate.leased.waiting import work_until
from evaluators.models import Run
from evaluators.runs.asking import find_model, open_tools
from evaluators.runs.build import RunError, build_as_begun, find_method
from evaluators.runs.finish import fail_run, finish_if_complete, stop_out_of_budget
from evaluators.runs.leases import free_expired, give_back
from evaluators.runs.shift import Shift
from evaluators.runs.tools import between
from jobs.budget import RowBudget
from jobs.database_thread import DatabaseThread, run_beside_database
from llm.errors import BudgetSpentError, ModelError
from llm.retries import RetryPolicy

CASES_UNDER_WAY = 8  # of a method that calls no model
# Cases whose answers are being stored make no call meanwhile. With as many cases as calls in flight all of them would
# wait for each other, call and store in step, and take half as long again.
CASES_FOR_EACH_CALL = 2


def work_on(run: Run, retries: RetryPolicy | None = None) -> None:
    """Do all of the run that can be leased, and end the run if that was the last of it.

    Any number of processes may do so at once. What an interruption leaves is given back, and what a killed process
    held is free again when its leases have run out.
    """
    Run.objects.filter(pk=run.pk, state=Run.State.QUEUED).update(
        state=Run.State.RUNNING,
        started_at=Coalesce("started_at", Now()),
        taken_up_at=Now(),
        settled_before=run.items.settled().count(),
    )
    owner = uuid4().hex
    try:
        _work_a_shift(run, owner, retries)
    except BudgetSpentError as error:
        stop_out_of_budget(run, str(error))
    except (ModelError, RunError) as error:
        fail_run(run, str(error))
    finally:
        give_back(run, owner)
    finish_if_complete(run)


def _work_a_shift(run: Run, owner: str, retries: RetryPolicy | None) -> None:
    evaluator = run.evaluator
    method = find_method(evaluator.method)
    model = find_model(evaluator, run.manifest["endpoint"]) if method.needs_model else None
    cases = CASES_FOR_EACH_CALL * model.in_flight if model else CASES_UNDER_WAY
    shift = Shift(run, owner, build_as_begun(method, evaluator.parameters, run.manifest), cases)

    source = run.dataset.knowledge_source
    call_limit = 0 if run.reading_of_id else None

    budget = RowBudget(run, owner, run.items.leased())

    async def work(database_thread: DatabaseThread) -> None:
        async with open_tools(model, source, database_thread, retries, budget, call_limit) as tools:
            await shift.work(between(run, tools), database_thread)

    run_beside_database(work)


def work_to_the_end(run: Run) -> None:
    """Work on the run until it has ended, whoever does the last of it; the run is refreshed."""
    active = Run.objects.active().filter(pk=run.pk)

    def work() -> None:
        free_expired()
        work_on(run)

    work_until(lambda: not active.exists(), work)
    run.refresh_from_db()
