"""The page for drafting prompts by hand, and for more of them by a model."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.grants.endpoints import granted_default
from annotate.models import CollectedPrompt, Dataset, Role
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompts.forms import DraftForm, WriteForm
from annotate.prompts.import_file import import_prompts
from annotate.prompts.overlap import NEAR
from annotate.prompts.uploaded import written
from annotate.prompts.writing_job import WritingJob
from annotate.prompts.writings import domains_drafted, start_writing
from audit.models import Action
from audit.record import record
from core.errors import DataError
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.models import is_worker_alive
from jobs.progress import is_not_picked_up
from llm.errors import EndpointAddressError

WRITERS = (Role.ADJUDICATOR,)
SHOWN = 5
PER_PAGE = 50


@require_safe
def prompt_writings(request: MemberRequest, pk: int) -> HttpResponse:
    """The drafted prompts, what models wrote after them, and the forms; for HTMX how far the writing is."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    if not request.htmx:
        return _page(request, dataset)
    context = {"dataset": dataset, **_writings(dataset)}
    response = render(request, "prompts/writings.html#writings", context)
    if not context["working"]:
        response["HX-Refresh"] = "true"
    return response


@require_POST
def prompt_drafts(request: MemberRequest, pk: int) -> HttpResponse:
    """Collect prompts that were typed, checked like those of a file."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = DraftForm(request.POST)
    if form.is_valid():
        try:
            with written("drafts", form.rows) as path:
                imported = import_prompts(dataset, path)
        except DataError as error:
            form.add_error("prompts", f"{error} Nothing was kept.")
        else:
            messages.success(request, f"{imported.created} prompts are new, {imported.unchanged} already existed.")
            return redirect("prompt-writings", pk)
    return _page(request, dataset, 422, draft_form=form)


@require_POST
def prompt_writing_start(request: MemberRequest, pk: int) -> HttpResponse:
    """Have a model write prompts after the drafted ones."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = WriteForm(dataset, domains_drafted(dataset), request.POST)
    if form.is_valid():
        data = form.cleaned_data
        try:
            endpoint = data["endpoint"] or granted_default(dataset)
            request_fields = (data["model"], data["wanted"], data["seed"], data["domain"])
            prompt_set = data["prompt_set"] or PROJECT_SET
            writing = start_writing(dataset, endpoint, *request_fields, by=request.user, prompt_set=prompt_set)
        except (StartError, EndpointAddressError) as error:
            form.add_error(None, str(error))
        else:
            enqueue(writing)
            return redirect("prompt-writings", pk)
    return _page(request, dataset, 422, write_form=form)


@require_POST
def prompt_remove(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a prompt out of the collection, unless a model has been asked it."""
    prompt = fetch_in_dataset(request.user, CollectedPrompt.objects.select_related("dataset"), pk, "dataset", *WRITERS)
    if prompt.items.exists():
        messages.error(request, "Not removed: a model has been asked this prompt.")
    else:
        with transaction.atomic():
            record(request, Action.DELETED, prompt.dataset, detail=f"collected prompt {prompt.pk}")
            prompt.delete()
        messages.success(request, f"Removed: {prompt}")
    return redirect("prompt-writings", prompt.dataset_id)


def _writings(dataset: Dataset) -> dict[str, Any]:
    writings = list(dataset.prompt_writings.select_related("created_by")[:SHOWN])
    return {
        "writings": writings,
        "working": any(not writing.is_settled for writing in writings),
        "not_picked_up": any(is_not_picked_up(writing) for writing in writings),
        "queue": WritingJob.queue.value,
        "worker_alive": is_worker_alive(WritingJob.queue.value),
    }


def _page(request: MemberRequest, dataset: Dataset, status: int = 200, **forms: Any) -> HttpResponse:
    domains = domains_drafted(dataset)
    by_model = dataset.collected_prompts.filter(origin=CollectedPrompt.Origin.MODEL).order_by("-position")
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "prompts",
        "domains": domains,
        "page": Paginator(by_model, PER_PAGE).get_page(request.GET.get("page")),
        "draft_form": DraftForm(),
        "write_form": WriteForm(dataset, domains),
        "near": NEAR,
        **_writings(dataset),
        **forms,
    }
    return render(request, "prompts/writings.html", context, status=status)
