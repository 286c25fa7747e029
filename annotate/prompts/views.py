"""The pages of what comes before responses: prompts, subject models, and the asking of them."""

import tempfile
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.corpus.lines import DataError
from annotate.models import Dataset, Generation, Role
from annotate.models.leased import Leased
from annotate.prompts.forms import AskForm, PromptsForm, SubjectForm
from annotate.prompts.import_file import ImportedPrompts, import_prompts
from annotate.prompts.progress import FAILURES_SHOWN, progress_of
from annotate.prompts.queue import knock
from annotate.prompts.start import StartError, go_on, start, stop
from annotate.prompts.subjects import subjects_of
from annotate.prompts.take_in import accept
from llm.endpoints import default_endpoint
from llm.errors import EndpointAddressError

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)
PER_PAGE = 50


@require_safe
def prompts(request: MemberRequest, pk: int) -> HttpResponse:
    """The collected prompts, who was asked them, and the subject models."""
    return _page(request, fetch_dataset(request.user, pk, *READERS))


@require_POST
def prompts_import(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = PromptsForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            imported = _import(dataset, form.cleaned_data["file"])
        except DataError as error:
            form.add_error("file", f"{error} Nothing of the file was kept.")
        else:
            messages.success(request, f"{imported.created} prompts are new, {imported.unchanged} were there already.")
            return redirect("prompts", pk)
    return _page(request, dataset, 422, prompts_form=form)


@require_POST
def generation_start(request: MemberRequest, pk: int) -> HttpResponse:
    """Have a model answer the prompts that it has not answered."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = AskForm(request.POST)
    if form.is_valid():
        try:
            endpoint = form.cleaned_data["endpoint"] or default_endpoint()
            generation = start(dataset, endpoint, form.asked, request.user, form.cleaned_data["limit"])
        except (StartError, EndpointAddressError) as error:
            form.add_error(None, str(error))
        else:
            knock(generation.pk)
            return redirect("generation", generation.pk)
    return _page(request, dataset, 422, ask_form=form)


@require_POST
def subject_describe(request: MemberRequest, pk: int) -> HttpResponse:
    """Keep what is known of a subject model, in place of what was."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    known = dataset.subject_models.filter(name=request.POST.get("name", "").strip()).first()
    form = SubjectForm(request.POST, instance=known)
    if not form.is_valid():
        return _page(request, dataset, 422, subject_form=form)
    form.instance.dataset = dataset
    form.save()
    messages.success(request, f"{form.instance} is described.")
    return redirect("prompts", pk)


@require_safe
def generation(request: MemberRequest, pk: int) -> HttpResponse:
    """One model's answers as they come."""
    found = _fetch(request, pk, *READERS)
    answered = found.items.filter(state=Leased.State.DONE).select_related("prompt")
    context = {
        "dataset": found.dataset,
        "role": role_in(request.user, found.dataset),
        "tab": "prompts",
        "page": Paginator(answered, PER_PAGE).get_page(request.GET.get("page")),
        **_progress(found),
    }
    return render(request, "prompts/generation.html", context)


@require_safe
def generation_progress(request: MemberRequest, pk: int) -> HttpResponse:
    """The part of the page that is asked for again and again; the whole page once there is no more to come."""
    found = _fetch(request, pk, *READERS)
    if not request.htmx:
        return redirect("generation", pk)
    context = {"dataset": found.dataset, "role": role_in(request.user, found.dataset), **_progress(found)}
    response = render(request, "prompts/generation.html#progress", context)
    if found.state != Generation.State.ASKING:
        response["HX-Refresh"] = "true"
    return response


@require_POST
def generation_stop(request: MemberRequest, pk: int) -> HttpResponse:
    stop(_fetch(request, pk, Role.ADJUDICATOR))
    return redirect("generation", pk)


@require_POST
def generation_resume(request: MemberRequest, pk: int) -> HttpResponse:
    """Go on with what is left, and ask once more what failed."""
    go_on(_fetch(request, pk, Role.ADJUDICATOR))
    knock(pk)
    return redirect("generation", pk)


@require_POST
def generation_accept(request: MemberRequest, pk: int) -> HttpResponse:
    """Finish a stopped one with the answers that it has."""
    try:
        created = accept(_fetch(request, pk, Role.ADJUDICATOR))
    except DataError as error:
        messages.error(request, f"Not taken in, the answers are kept: {error}")
    else:
        messages.success(request, f"{created} answers became responses.")
    return redirect("generation", pk)


def _fetch(request: MemberRequest, pk: int, *roles: str) -> Generation:
    generations = Generation.objects.select_related("dataset", "endpoint", "created_by")
    return fetch_in_dataset(request.user, generations, pk, "dataset", *roles)


def _import(dataset: Dataset, file: "UploadedFile[bytes]") -> ImportedPrompts:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(file.name or "prompts.jsonl").name
        with path.open("wb") as copy:
            copy.writelines(file.chunks())
        return import_prompts(dataset, path)


def _progress(generation: Generation) -> dict[str, Any]:
    failed = generation.items.filter(state=Leased.State.FAILED).select_related("prompt")
    return {
        "generation": generation,
        "progress": progress_of(generation),
        "failures": failed[:FAILURES_SHOWN],
    }


def _page(request: MemberRequest, dataset: Dataset, status: int = 200, **forms: Any) -> HttpResponse:
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "prompts",
        "page": Paginator(dataset.collected_prompts.all(), PER_PAGE).get_page(request.GET.get("page")),
        "generations": [(each, progress_of(each)) for each in dataset.generations.all()[:PER_PAGE]],
        "subjects": subjects_of(dataset),
        "prompts_form": PromptsForm(),
        "ask_form": AskForm(),
        "subject_form": SubjectForm(initial={"name": request.GET.get("subject", "")}),
        **forms,
    }
    return render(request, "prompts/prompts.html", context, status=status)
