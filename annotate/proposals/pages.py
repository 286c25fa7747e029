"""The shared part of the pages of facts and of segments: the start of proposals and their progress."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import trigger_client_event

from annotate.access import MemberRequest, role_in
from annotate.grants.models import find_choice, models_of
from annotate.models import Dataset, Proposal, Role
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.sets import set_choices
from annotate.proposals.progress import FAILURES_SHOWN, failures_of, progress_of
from annotate.proposals.proposal_job import ProposalJob
from annotate.proposals.start import last_model, proposable, start, stop, unproposed
from core.numbers import read_number
from jobs.enqueue import enqueue_key
from jobs.errors import StartError
from jobs.models import is_worker_alive


@dataclass(frozen=True)
class ProposalGroup:
    """The proposals of one kind in a dataset, as jobs/progress.html reads a job. pk: of the dataset."""

    pk: int
    is_active: bool
    error: str
    is_resumable: bool = False


def proposal_context(dataset: Dataset, kind: str) -> dict[str, Any]:
    progress = progress_of(dataset, kind)
    failures = failures_of(dataset, kind)
    return {
        "kind": kind,
        "progress": progress,
        "job": ProposalGroup(dataset.pk, progress.active, progress.last_error),
        "job_progress": f"{kind}-progress",
        "job_stop": f"{kind}-stop",
        "failures": failures[:FAILURES_SHOWN],
        "failure_count": failures.count(),
        "queue": ProposalJob.queue.value,
        "worker_alive": is_worker_alive(ProposalJob.queue.value),
        "unproposed": unproposed(dataset, kind).count(),
    }


def ask_context(request: MemberRequest, dataset: Dataset, role: str | None) -> dict[str, Any]:
    """The context of the form that starts proposals; empty for those who may not. With `models` in the address the
    endpoints are asked for their models."""
    if role != Role.ADJUDICATOR:
        return {}
    listed = "models" in request.GET
    choices = models_of(dataset, ask=listed)
    has_models = any(each.names for each in choices)
    return {
        "choices": choices,
        "listed": listed,
        "has_models": has_models,
        "last": last_model(dataset) if has_models else "",
        "prompt_sets": set_choices(dataset),
    }


def show_progress(request: MemberRequest, dataset: Dataset, kind: str) -> HttpResponse:
    """The part of the page that proposals at work renew; the page is told when there is no more to come."""
    context = {"dataset": dataset, "role": role_in(request.user, dataset), **proposal_context(dataset, kind)}
    response = render(request, "facts/proposals.html", context)
    return response if context["progress"].active else trigger_client_event(response, "proposals-ended")


def propose_from(request: MemberRequest, dataset: Dataset, kind: str, page: str) -> HttpResponse:
    """Ask about the responses that were ticked (`response`), or about all that have nothing yet (`all`)."""
    sent = map(read_number, request.POST.getlist("response"))
    chosen = [number for number in sent if number is not None]
    everything = "all" in request.POST
    responses = unproposed(dataset, kind) if everything else proposable(dataset, kind).filter(pk__in=chosen)
    choice = find_choice(dataset, request.POST.get("model", ""))
    if choice is None:
        messages.error(request, "Choose a model of an available endpoint.")
        return redirect(page, dataset.pk)
    endpoint, model = choice
    try:
        prompts = request.POST.get("prompts", PROJECT_SET)
        started = start(dataset, responses, kind, model, request.user, endpoint=endpoint, prompts=prompts)
    except StartError as error:
        messages.error(request, str(error))
        return redirect(page, dataset.pk)
    _tell(request, kind, started, 0 if everything else len(chosen) - started, nothing_chosen=not (everything or chosen))
    if started:
        enqueue_key(ProposalJob(), dataset.pk)
    return redirect(page, dataset.pk)


def stop_proposals(request: MemberRequest, dataset: Dataset, kind: str) -> HttpResponse:
    """Withdraw what is not answered yet; what was stored stays."""
    withdrawn = stop(dataset, kind)
    text = f"Stopped: {withdrawn} response{'s'[: withdrawn != 1]} not asked about." if withdrawn else "Already ended."
    messages.success(request, text)
    return redirect(kind, dataset.pk)


def _tell(request: MemberRequest, kind: str, started: int, left_out: int, *, nothing_chosen: bool) -> None:
    what = Proposal.Kind(kind).label.lower()
    if nothing_chosen:
        messages.error(request, "Select responses first.")
    elif not started and not left_out:
        messages.warning(request, f"No responses need {what}.")
    if started:
        messages.success(request, f"A model is asked for the {what} of {started} response{'s'[: started > 1]}.")
    if left_out:
        messages.warning(
            request, f"{left_out} left out: something hangs on them, people have edited them, or they are asked for."
        )
