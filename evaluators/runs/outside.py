"""Runs whose cases are judged by a program elsewhere: it leases some, renews its leases, sends judgements back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from shlex import quote
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import Count, F, Max
from django.utils import timezone

from annotate.models import Dataset, User
from core.errors import RowError
from evaluators.methods.base import EVERY_SCHEME, Case, Judge, Judgement, Method, Outcome, Skip, Tools, with_claims
from evaluators.models import Evaluator, Run, RunItem
from evaluators.runs.build import RunError
from evaluators.runs.cases import judgeable, read_cases
from evaluators.runs.create import NewRun, make_run, next_asking
from evaluators.runs.results import ContractError, Result, read_outcomes, store_results
from evaluators.runs.run_job import MethodError, RunJob, take_up
from evaluators.runs.sent_claims import SentClaim, Spans, read_claims, read_spans
from jobs.leases import Lease, lease_end, lease_items
from jobs.policy import settle_failure
from jobs.work import end_settled, sweep_expired

Address = tuple[int, int | None]
"""Places of a segment and of a fact, None of a segment."""


def _build(parameters: Mapping[str, Any]) -> Judge:
    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        raise RunError("Its cases are judged elsewhere.")

    return judge


METHOD = Method(
    name=Evaluator.OUTSIDE,
    title="Outside evaluator",
    description="A program elsewhere takes the cases by the API and sends its judgements back.",
    schemes=EVERY_SCHEME,
    build=_build,
)


@dataclass(frozen=True)
class LeasedCases:
    """Cases in the hands of one owner until a time."""

    owner: str
    until: datetime
    cases: list[Case]


@dataclass(frozen=True)
class HeldCases:
    """A lease in force: whose program holds how many cases until when, if it renews them not. who: None where the
    person is gone."""

    who: User | None
    cases: int
    until: datetime


@dataclass(frozen=True)
class SentJudgement:
    """What the program sent about a unit. skipped: the reason why it judged it not; "" where it did."""

    value: str | None
    score: float | None = None
    rationale: str = ""
    skipped: str = ""


@dataclass(frozen=True)
class SentCase:
    """What the program sent about a response: judgements by address, or the error that kept it from judging.

    tokens, cost_usd: what it spent on it; None where that is not known. claims: those that it extracted by itself, None
    where it extracts none; with claims and without judgements the units are judged by the claims aligned to them, as
    those of a method of this site.
    """

    index: str
    judgements: Mapping[Address, SentJudgement]
    error: str = ""
    tokens: int | None = None
    cost_usd: Decimal | None = None
    claims: Sequence[SentClaim] | None = None


@dataclass(frozen=True)
class Received:
    """stored: cases whose judgements were kept. failed: those with an error. lost: indexes whose lease had run out, so
    that another may hold them; nothing of these was kept."""

    stored: int
    failed: int
    lost: list[str]


def create_outside_run(
    dataset: Dataset,
    name: str,
    *,
    model: str = "",
    parameters: Mapping[str, Any] | None = None,
    limit: int | None = None,
    anew: bool = False,
    created_by: User | None = None,
) -> NewRun:
    """A run of the evaluator of that name over the dataset's responses (the first `limit` of them), or the one that is
    there: its cases wait for `lease_cases`. Raises RunError."""
    return make_run(
        dataset,
        METHOD,
        name,
        model,
        dict(parameters or {}),
        judgeable(dataset)[:limit],
        force=anew,
        asking=next_asking(dataset, model) if anew else 0,
        created_by=created_by,
    )


def lease_cases(run: Run, count: int, seconds: float | None = None, who: User | None = None) -> LeasedCases:
    """Up to `count` cases that nobody holds, for a new owner; none where all are settled or held, or the run has ended.

    `seconds`: of the lease; None: RUN_LEASE_SECONDS. `who`: whose program it is. Raises RunError for a run that is
    worked on here.
    """
    _check_outside(run)
    kind, owner = RunJob(), f"{who.pk if who else ''}.{uuid4().hex}"
    sweep_expired(run.items.all())
    take_up(run)
    waiting = run.items.filter(run__state__in=Run.ACTIVE).due()
    leases = lease_items(waiting, owner, count, kind.max_attempts, seconds=seconds)
    if not leases:
        end_settled(kind, run.pk)  # where the last lease ran out
    responses = [lease.item.response_id for lease in leases]
    cases = read_cases(run.dataset, responses)
    return LeasedCases(owner, lease_end(seconds), [cases[response] for response in responses])


def leases_of(run: Run) -> list[HeldCases]:
    """The leases in force, the one that ends first before the others."""
    held = run.items.all().leased().filter(lease_until__gt=timezone.now()).order_by()
    rows = held.values_list("lease_owner").annotate(cases=Count("pk"), until=Max("lease_until"))
    by_owner = [(owner.partition(".")[0], cases, until) for owner, cases, until in rows]
    people = User.objects.in_bulk([int(who) for who, _, _ in by_owner if who.isdecimal()])
    leases = [HeldCases(people.get(int(who)) if who.isdecimal() else None, *more) for who, *more in by_owner]
    return sorted(leases, key=lambda each: each.until)


def command_of(run: Run, url: str) -> str:
    """The line by which a program joins the run, in a shell; the function is the reader's own."""
    words = ["--dataset", run.dataset.name, "--name", run.evaluator.name, "--url", url]
    return f"touchstone evaluate-outside MODULE:FUNCTION {' '.join(quote(word) for word in words)}"


def renew_cases(run: Run, owner: str, seconds: float | None = None) -> tuple[int, datetime]:
    """Lengthen the leases of the owner; how many there are, and until when. Raises RunError as `lease_cases`."""
    _check_outside(run)
    until = lease_end(seconds)
    return run.items.all().held_by(owner).update(lease_until=until), until


def receive_cases(run: Run, owner: str, sent: Sequence[SentCase]) -> Received:
    """Store what the owner sent about the cases that it holds: all of it or nothing. The run ends with its last case.

    Raises RowError where the judgements are not one for each unit of their case, RunError as `lease_cases`.
    """
    _check_outside(run)
    with transaction.atomic():
        # One group at a time, so that the last one sees that it is the last.
        run = Run.objects.select_for_update(of=("self",)).select_related("dataset", "evaluator").get(pk=run.pk)
        held = {item.response.index: item for item in run.items.all().held_by(owner).select_related("response")}
        ours = [case for case in sent if case.index in held]
        judged = [case for case in ours if not case.error]
        stored = _store(run, owner, [(held[case.index], case) for case in judged])
        for case in ours:
            if case.error:
                settle_failure(RunJob(), Lease(held[case.index], owner), MethodError(case.error))
        _count_spending(run, ours)
        end_settled(RunJob(), run.pk)
    return Received(stored, len(ours) - len(judged), [case.index for case in sent if case.index not in held])


def _check_outside(run: Run) -> None:
    if run.evaluator.method != Evaluator.OUTSIDE:
        raise RunError(f"The run of {run.evaluator.name} is worked on here, not by an outside evaluator.")


def _store(run: Run, owner: str, judged: Sequence[tuple[RunItem, SentCase]]) -> int:
    if not judged:
        return 0
    responses = [item.response_id for item, _ in judged]
    cases, spans = read_cases(run.dataset, responses), read_spans(responses)
    results = [
        (Lease(item, owner), _read(cases[item.response_id], sent, spans[item.response_id])) for item, sent in judged
    ]
    return store_results(results)


def _read(case: Case, sent: SentCase, spans: Spans) -> Result:
    claims = read_claims(case, sent.claims or (), spans)
    by_claims = sent.claims is not None and not sent.judgements
    outcomes = with_claims(case, claims) if by_claims else [*_outcomes(case, sent.judgements), *claims]
    try:
        return read_outcomes(case, outcomes)
    except ContractError as error:
        raise RowError(f"Response {case.index!r}: {error}") from None


def _outcomes(case: Case, judgements: Mapping[Address, SentJudgement]) -> list[Outcome]:
    units = {(unit.segment, unit.fact): unit for unit in case.units}
    if unknown := set(judgements) - set(units):
        segment, fact = min(unknown, key=str)
        of_fact = "" if fact is None else f", fact {fact}"
        raise RowError(f"Response {case.index!r} has no unit at segment {segment}{of_fact}.")
    return [
        Skip(units[address], each.skipped)
        if each.skipped
        else Judgement(units[address], each.value, each.score, each.rationale)
        for address, each in judgements.items()
    ]


def _count_spending(run: Run, sent: Sequence[SentCase]) -> None:
    """In the run's own columns; how many cases came without a price stands in the manifest."""
    tokens = sum(case.tokens or 0 for case in sent)
    cost = sum((case.cost_usd or Decimal(0) for case in sent), Decimal(0))
    unpriced = sum(case.cost_usd is None for case in sent)
    outside = {"unpriced": run.manifest.get("outside", {}).get("unpriced", 0) + unpriced}
    Run.objects.filter(pk=run.pk).update(
        spent_tokens=F("spent_tokens") + tokens,
        spent_usd=F("spent_usd") + cost,
        manifest={**run.manifest, "outside": outside},
    )
