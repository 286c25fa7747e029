"""A run of an evaluator, as a kind of work: one item a response."""

from asyncio import Semaphore
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import cast

from django.db import transaction
from django.db.models.functions import Coalesce, Now

from core.plug_ins import ANY_FAULT, said_by
from evaluators.fact_generation.run_facts import FactsOfRun
from evaluators.methods.base import Case, Judge, Tools, Unit
from evaluators.methods.code import called
from evaluators.models import Evaluator, Run, RunItem
from evaluators.runs import batch_api
from evaluators.runs.asking import Model, find_model, note_adapted, open_tools
from evaluators.runs.build import build_as_begun, find_method
from evaluators.runs.cases import read_cases, read_segments, read_units
from evaluators.runs.editing_cases import read_editing_cases
from evaluators.runs.endpoint_watch import note, watching_endpoint
from evaluators.runs.item_calls import note_calls
from evaluators.runs.progress import RunProgress, progress_of
from evaluators.runs.results import Result, read_outcomes, store_results
from evaluators.runs.searching import RunSearch, find_search
from evaluators.runs.tools import Noting, between
from evaluators.runs.unread import unread_of
from jobs.errors import ItemError, JobError
from jobs.kinds import AsyncJobKind, Question, Queue, Store, WorkerContext
from jobs.leases import Lease
from jobs.models import JobItemQuerySet
from jobs.policy import DATABASE_AWAY, cause_of
from llm.batch_api.collect import forget_failures
from llm.errors import ParkedError
from llm.retries import RetryPolicy

# Of a method that calls no model: cases judged at once, and cases leased, as many of them end in a moment.
CASES_UNDER_WAY = 8
CASES_LEASED = 200
# Cases whose answers are being stored make no call meanwhile. With as many cases as calls in flight all of them would
# wait for each other, call and store in step, and take half as long again.
CASES_FOR_EACH_CALL = 2
NOTHING_READ = "Nothing could be read: {why}"
NOTHING_DONE = "No response could be judged: {error}"


class MethodError(ItemError):
    """A method is a plug-in: its mistake belongs to the item, and may pass."""

    retry = True


@dataclass(frozen=True)
class RunResource:
    """A worker's means. facts: the generator of facts of a run that judges its own. places: for each case
    that may be judged at once. unnoted: tools of cases whose answers are not stored with them yet. parked: why cases
    were put off, in words."""

    judge: Judge
    tools: Tools
    facts: FactsOfRun
    places: Semaphore
    context: WorkerContext
    unnoted: set[Noting] = field(default_factory=set)
    parked: list[str] = field(default_factory=list)

    async def note_calls(self, tools: Noting) -> None:
        self.unnoted.discard(tools)
        await self.context.in_database_thread(note_calls, tools.item, tools.calls)


class RunJob(AsyncJobKind[Run, RunItem, RunResource]):
    """An instance works on one run at a time. retries: of calls; None as the settings say."""

    name = "run"
    queue = Queue.LONG
    job = Run
    items = RunItem
    key = "run"
    cancels = True

    def __init__(self, retries: RetryPolicy | None = None) -> None:
        self._retries = retries

    def for_workers(self, rows: JobItemQuerySet[RunItem]) -> JobItemQuerySet[RunItem]:
        """The cases of an outside evaluator are leased by its own program (evaluators/runs/outside.py)."""
        return rows.exclude(run__evaluator__method=Evaluator.OUTSIDE)

    def plan(self) -> None:
        """Batches of runs that a worker ended and could not tell of it."""
        batch_api.cancel_unwanted()

    def load_job(self, key: int) -> Run | None:
        return Run.objects.select_related("evaluator", "dataset__knowledge_source").filter(pk=key).first()

    def concurrency_of(self, subject: Run) -> int:
        in_flight = subject.evaluator.parameters.get("in_flight")
        return CASES_FOR_EACH_CALL * in_flight if in_flight else CASES_LEASED

    def leased_at_once(self, subject: Run) -> int:
        return 1 if subject.evaluator.parameters.get("in_flight") else CASES_LEASED // 4

    @asynccontextmanager
    async def open(self, subject: Run, context: WorkerContext) -> AsyncIterator[RunResource]:
        self._run = subject
        judge, model, search, self._facts = await context.in_database_thread(_begin, subject)
        self._called = called(find_method(subject.evaluator.method))
        basket = batch_api.basket_of(subject)
        async with open_tools(
            model,
            subject.dataset.knowledge_source,
            context.database_thread,
            self._retries,
            context.budget,
            call_limit=0 if subject.reading_of_id else None,
            search=search,
            run=subject.pk,
            basket=basket,
        ) as tools:
            places = Semaphore(self.concurrency_of(subject) if model else CASES_UNDER_WAY)
            async with watching_endpoint(subject, model, context.in_database_thread):
                resource = RunResource(judge, between(subject, tools), self._facts, places, context)
                try:
                    yield resource
                finally:
                    for cancelled in list(resource.unnoted):
                        await resource.note_calls(cancelled)
                    await context.in_database_thread(note_adapted, subject, tools.adapted)
                    if basket is not None:
                        await context.in_database_thread(forget_failures, basket)
            if resource.parked:
                await context.in_database_thread(note, subject.pk, resource.parked[-1])
            if basket is not None:
                await tools.at_rest()
                await context.in_database_thread(batch_api.send_off, subject, basket, context.budget)

    def prepare(self, item: RunItem) -> Question[RunResource]:
        return self.prepare_all([item])[0]

    def prepare_all(self, items: Sequence[RunItem]) -> Sequence[Question[RunResource]]:
        responses = [item.response_id for item in items]
        cases, of_people = self._cases(responses), self._facts_of_people(responses)
        return [
            _question(
                item,
                cases[item.response_id],
                of_people.get(item.response_id, ()),
                self._called,
                self._run.edits,
            )
            for item in items
        ]

    def _cases(self, responses: Sequence[int]) -> dict[int, Case]:
        run = self._run
        if run.edits:
            revision = run.manifest["gold"]["revision"]
            return read_editing_cases(run.dataset, responses, run.evaluator.parameters, revision)
        return read_cases(run.dataset, responses, self._facts.generated, self._facts.kind)

    def _facts_of_people(self, responses: Sequence[int]) -> Mapping[int, Sequence[Unit]]:
        """By response the facts that people judge, beside those that the run generates; {} where it generates none."""
        return read_units(self._run.dataset, read_segments(responses)) if self._facts.generated else {}

    def store_all(self, results: Sequence[tuple[Lease[RunItem], Store]]) -> None:
        store_results(cast(Sequence[tuple[Lease[RunItem], Result]], results))

    def end(self, job: Run) -> None:
        finish_run(job)


def _begin(run: Run) -> tuple[Judge, Model | None, RunSearch | None, FactsOfRun]:
    """Raises RunError and EndpointAddressError."""
    take_up(run)
    method = find_method(run.evaluator.method)
    model = find_model(run.evaluator, run.dataset, run.manifest) if method.needs_model else None
    search = find_search(method, run.evaluator.parameters, run.dataset, run.manifest.get("search"))
    judge = build_as_begun(method, run.evaluator.parameters, run.dataset, run.manifest)
    return judge, model, search, FactsOfRun(run.evaluator, run.dataset)


def take_up(run: Run) -> None:
    """Mark a queued run as running."""
    Run.objects.filter(pk=run.pk, state=Run.State.QUEUED).update(
        state=Run.State.RUNNING,
        started_at=Coalesce("started_at", Now()),
        taken_up_at=Now(),
        settled_before=run.items.exclude(state__in=RunItem.UNSETTLED).count(),
    )
    Run.objects.filter(pk=run.pk).exclude(notice="").update(notice="")
    run.refresh_from_db(fields=["state"])


def _question(item: RunItem, case: Case, of_people: Sequence[Unit], method: str, edits: bool) -> Question[RunResource]:
    """of_people: as of read_outcomes; method: as a message calls it; edits: it is an editor."""

    async def judge(resource: RunResource) -> Result:
        tools = Noting(resource.tools, item.pk)
        resource.unnoted.add(tools)
        try:
            async with resource.places:
                in_database_thread = resource.context.in_database_thread
                complete = await resource.facts.complete(item.response_id, case, tools, in_database_thread)
                outcomes = await resource.judge(complete, tools)
                result = read_outcomes(complete, outcomes, edits=edits, of_people=of_people)
            resource.unnoted.discard(tools)
            return replace(result, calls=tools.calls)
        except ANY_FAULT as error:
            cause = cause_of(error) if isinstance(error, Exception) else error
            if isinstance(cause, ParkedError):
                resource.parked.append(f"{cause} It goes on by itself then.")
            if not isinstance(cause, DATABASE_AWAY):
                await resource.note_calls(tools)
            if isinstance(cause, (ItemError, JobError, *DATABASE_AWAY)):
                raise cause from error
            raise MethodError(f"{method} failed with {said_by(cause)}") from error

    return judge


def finish_run(run: Run) -> bool:
    """Finish a run whose items are all settled; False where it was not active. Raises JobError where not a single
    item was done, or not a single verdict could be read.

    A finished run may have failed items: they are gaps in its coverage, never filled in (docs/statistics.md, Error
    detection).
    """
    if not run.items.done().exists():
        raise JobError(NOTHING_DONE.format(error=run.items.failed()[0].error))
    now = progress_of(run)
    # A reading of stored answers says by its count that a convention reads none of them.
    if run.reading_of_id is None and (unread := unread_of(run, now)).is_all:
        raise JobError(NOTHING_READ.format(why=unread.in_words()))
    with transaction.atomic():
        if not run.finish():
            return False
        _note_outcome(run, now)
    return True


def _note_outcome(run: Run, now: RunProgress) -> None:
    """The outcome in the manifest of a finished run: units judged, and units not judged as its method's name
    says, by reason."""
    run.refresh_from_db(fields=["manifest"])
    counts = {
        name: getattr(now, name)
        for name in ("predicted", "unparsed", "refused", "cut_off", "failed", "all_failed", "skipped", "fallbacks")
    }
    run.manifest = {**run.manifest, "outcome": counts}
    run.save(update_fields=["manifest"])
