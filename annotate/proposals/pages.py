"""The shared part of the pages of facts and of segments: the start of proposals and their progress."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import trigger_client_event

from annotate.access import MemberRequest
from annotate.models import Dataset, Proposal
from annotate.proposals.progress import FAILURES_SHOWN, failures_of, progress_of
from annotate.proposals.proposal_job import ProposalJob
from annotate.proposals.start import last_model, proposable, start, unproposed
from core.numbers import read_number
from jobs.enqueue import enqueue_key
from jobs.errors import StartError
from jobs.models import is_worker_alive


def proposal_context(dataset: Dataset, kind: str) -> dict[str, Any]:
    failures = failures_of(dataset, kind)
    return {
        "kind": kind,
        "progress": progress_of(dataset, kind),
        "failures": failures[:FAILURES_SHOWN],
        "failure_count": failures.count(),
        "model": last_model(dataset),
        "queue": ProposalJob.queue.value,
        "worker_alive": is_worker_alive(ProposalJob.queue.value),
        "unproposed": unproposed(dataset, kind).count(),
    }


def show_progress(request: MemberRequest, dataset: Dataset, kind: str) -> HttpResponse:
    """The part of the page that proposals at work renew; the page is told when there is no more to come."""
    context = {"dataset": dataset, **proposal_context(dataset, kind)}
    response = render(request, "facts/proposals.html", context)
    return response if context["progress"].active else trigger_client_event(response, "proposals-ended")


def propose_from(request: MemberRequest, dataset: Dataset, kind: str, page: str) -> HttpResponse:
    """Ask about the responses that were ticked (`response`), or about all that have nothing yet (`all`)."""
    sent = map(read_number, request.POST.getlist("response"))
    chosen = [number for number in sent if number is not None]
    everything = "all" in request.POST
    responses = unproposed(dataset, kind) if everything else proposable(dataset, kind).filter(pk__in=chosen)
    try:
        started = start(dataset, responses, kind, request.POST.get("model", ""), request.user)
    except StartError as error:
        messages.error(request, str(error))
        return redirect(page, dataset.pk)
    _tell(request, kind, started, 0 if everything else len(chosen) - started, nothing_chosen=not (everything or chosen))
    if started:
        enqueue_key(ProposalJob(), dataset.pk)
    return redirect(page, dataset.pk)


def _tell(request: MemberRequest, kind: str, started: int, left_out: int, *, nothing_chosen: bool) -> None:
    what = Proposal.Kind(kind).label.lower()
    if nothing_chosen:
        messages.error(request, "Tick the responses to ask about first.")
    elif not started and not left_out:
        messages.warning(request, f"There is no response to propose {what} for.")
    if started:
        messages.success(request, f"A model is asked for the {what} of {started} response{'s'[: started > 1]}.")
    if left_out:
        messages.warning(
            request, f"{left_out} left out: something hangs on them, people have edited them, or they are asked for."
        )
