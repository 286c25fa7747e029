"""The pages of a model's answers to prompts: the estimate, the progress, stop and go on."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.grants.endpoints import granted_default
from annotate.models import Dataset, Generation, GenerationItem, Role
from annotate.prompts.estimate import estimate
from annotate.prompts.forms import AskForm
from annotate.prompts.progress import progress_of
from annotate.prompts.start import start
from annotate.prompts.take_in import accept
from core.errors import DataError
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.views import JobViews
from llm.errors import EndpointAddressError
from llm.price import is_priced

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)
CHANGERS = (Role.ADJUDICATOR,)
FAILURES_SHOWN = 20
PER_PAGE = 50


@require_safe
def generation_new(request: MemberRequest, pk: int) -> HttpResponse:
    """The form and its estimate; for HTMX the estimate alone."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = AskForm(dataset, request.GET) if request.GET else AskForm(dataset)
    if request.htmx:
        return render(request, "prompts/ask.html#estimate", _estimate(dataset, form))
    return _form_page(request, dataset, form)


@require_POST
def generation_start(request: MemberRequest, pk: int) -> HttpResponse:
    """Have a model answer the prompts that it has not answered, or only tell what that would take."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = AskForm(dataset, request.POST)
    if "estimate" in request.POST:
        return _form_page(request, dataset, form)
    if form.is_valid():
        data = form.cleaned_data
        try:
            endpoint = data["endpoint"] or granted_default(dataset)
            generation = start(dataset, endpoint, form.settings, request.user, data["limit"], form.limits())
        except (StartError, EndpointAddressError) as error:
            form.add_error(None, str(error))
        else:
            enqueue(generation)
            return redirect("generation", generation.pk)
    return _form_page(request, dataset, form, 422)


@require_safe
def generation(request: MemberRequest, pk: int) -> HttpResponse:
    """One model's answers as they come."""
    generation = _fetch(request, pk, False)
    answered = GenerationItem.objects.filter(generation=generation).done().select_related("prompt")
    context = {
        "tab": "prompts",
        "page": Paginator(answered, PER_PAGE).get_page(request.GET.get("page")),
        **VIEWS.progress_context(request, generation),
    }
    return render(request, "prompts/generation.html", context)


@require_POST
def generation_accept(request: MemberRequest, pk: int) -> HttpResponse:
    """Finish a stopped one with the answers that it has."""
    try:
        created = accept(_fetch(request, pk, True))
    except DataError as error:
        messages.error(request, f"Not finished, the answers are kept: {error}")
    else:
        messages.success(request, f"{created} answers are now responses.")
    return redirect("generation", pk)


def _fetch(request: MemberRequest, pk: int, to_change: bool) -> Generation:
    generations = Generation.objects.select_related("dataset", "endpoint", "created_by")
    return fetch_in_dataset(request.user, generations, pk, "dataset", *(CHANGERS if to_change else READERS))


def _progress(request: MemberRequest, generation: Generation) -> dict[str, Any]:
    failed = GenerationItem.objects.filter(generation=generation).failed().select_related("prompt")
    return {
        "dataset": generation.dataset,
        "role": role_in(request.user, generation.dataset),
        "generation": generation,
        "progress": progress_of(generation),
        "failures": failed[:FAILURES_SHOWN],
        "priced": is_priced(generation.endpoint, generation.model),
    }


VIEWS = JobViews("generation", "prompts/generation_progress.html", _fetch, _progress)


def _estimate(dataset: Dataset, form: AskForm) -> dict[str, Any]:
    """The estimate for the form as it stands; None where it cannot be read yet."""
    if not form.is_bound or not form.is_valid():
        return {"estimate": None, "collected": dataset.collected_prompts.count()}
    data = form.cleaned_data
    try:
        return {
            "estimate": estimate(dataset, data["endpoint"] or granted_default(dataset), form.settings, data["limit"])
        }
    except (StartError, EndpointAddressError) as error:
        return {"estimate": None, "estimate_error": str(error)}


def _form_page(request: MemberRequest, dataset: Dataset, form: AskForm, status: int = 200) -> HttpResponse:
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "prompts",
        "form": form,
        **_estimate(dataset, form),
    }
    return render(request, "prompts/ask.html", context, status=status)
