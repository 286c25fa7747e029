"""The page of prompts, the models that answer them, and the known facts about these models."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role
from annotate.prompts.forms import PromptsForm, SubjectForm
from annotate.prompts.import_file import import_prompts
from annotate.prompts.progress import progress_of
from annotate.prompts.subjects import subjects_of
from annotate.prompts.uploaded import saved
from core.errors import DataError
from core.uploads import takes_uploads

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)
PER_PAGE = 50


@require_safe
def prompts(request: MemberRequest, pk: int) -> HttpResponse:
    """The collected prompts, their generations, and the subject models."""
    return _page(request, fetch_dataset(request.user, pk, *READERS))


@require_POST
@takes_uploads
def prompts_import(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = PromptsForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            with saved(form.cleaned_data["file"]) as path:
                imported = import_prompts(dataset, path)
        except DataError as error:
            form.add_error("file", f"{str(error).removesuffix('.')}. Nothing of the file was kept.")
        else:
            messages.success(request, f"{imported.created} prompts are new, {imported.unchanged} already existed.")
            return redirect("prompts", pk)
    return _page(request, dataset, 422, prompts_form=form)


@require_POST
def subject_describe(request: MemberRequest, pk: int) -> HttpResponse:
    """Store the facts about a subject model in place of the earlier ones."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    known = dataset.subject_models.filter(name=request.POST.get("name", "").strip()).first()
    form = SubjectForm(request.POST, instance=known)
    if not form.is_valid():
        return _page(request, dataset, 422, subject_form=form)
    form.instance.dataset = dataset
    form.save()
    messages.success(request, f"{form.instance} is described.")
    return redirect("prompts", pk)


def _page(request: MemberRequest, dataset: Dataset, status: int = 200, **forms: Any) -> HttpResponse:
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "prompts",
        "page": Paginator(dataset.collected_prompts.all(), PER_PAGE).get_page(request.GET.get("page")),
        "generations": [(each, progress_of(each)) for each in dataset.generations.all()[:PER_PAGE]],
        "subjects": subjects_of(dataset),
        "prompts_form": PromptsForm(),
        "subject_form": SubjectForm(initial={"name": request.GET.get("subject", "")}),
        **forms,
    }
    return render(request, "prompts/prompts.html", context, status=status)
